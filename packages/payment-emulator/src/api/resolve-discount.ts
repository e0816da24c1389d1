import { findRedeemableCoupon, type RedeemableCoupon } from '../billing/discounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { findObject } from './find-object.ts';
import type { Parameters } from './parameters.ts';
import { invalidParameter } from './stripe-failure.ts';

/** `discounts[0][coupon]` or `discounts[0][promotion_code]`. @throws StripeFailure when it cannot be used. */
export async function resolveDiscount(
  ledger: Ledger,
  parameters: Parameters,
): Promise<RedeemableCoupon | undefined> {
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
  const redeemed = await findRedeemableCoupon(ledger, promotion);
  if (!redeemed)
    throw invalidParameter('discounts[0][promotion_code]', 'This promotion code cannot be redeemed.');
  return redeemed;
}
