import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Coupon, PromotionCode } from '../ledger/object-kinds.ts';
import { findObject } from './find-object.ts';
import type { Parameters } from './parameters.ts';
import { invalidParameter } from './stripe-failure.ts';

export type Gift = { readonly coupon: Coupon; readonly promotionCode: string | null };

/** `discounts[0][coupon]` or `discounts[0][promotion_code]`. @throws StripeFailure when it cannot be used. */
export async function findGift(ledger: Ledger, parameters: Parameters): Promise<Gift | undefined> {
  const [wanted, ...others] = parameters.list('discounts');
  if (!wanted) return undefined;
  if (others.length > 0) throw invalidParameter('discounts', 'The emulator takes one discount at a time.');
  const code = wanted.text('promotion_code');
  if (code === undefined)
    return {
      coupon: await findObject(ledger, 'coupon', wanted.requiredText('coupon'), 'discounts[0][coupon]'),
      promotionCode: null,
    };
  const promotion = await findObject(ledger, 'promotion_code', code, 'discounts[0][promotion_code]');
  const gift = await openPromotion(ledger, promotion);
  if (!gift)
    throw invalidParameter('discounts[0][promotion_code]', 'This promotion code cannot be redeemed.');
  return gift;
}

/** The coupon of a promotion code that can be redeemed now. */
export async function openPromotion(ledger: Ledger, promotion: PromotionCode): Promise<Gift | undefined> {
  const coupon = await ledger.find('coupon', idOf(promotion.promotion.coupon));
  const isOver = promotion.expires_at !== null && promotion.expires_at <= ledger.time;
  if (!promotion.active || isOver || !coupon?.valid) return undefined;
  return { coupon, promotionCode: promotion.id };
}
