import { createId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Coupon, Discount, PromotionCode, Subscription } from '../ledger/object-kinds.ts';
import { addInterval } from './add-interval.ts';

export type RunningDiscount = { readonly discount: Discount; readonly coupon: Coupon };

/** Gives a subscription a discount. What it had before is gone. */
export function applyDiscount(
  ledger: Ledger,
  subscription: Subscription,
  { coupon, promotionCode }: RedeemableCoupon,
): void {
  const start = Math.floor(ledger.time);
  const months = coupon.duration === 'repeating' ? (coupon.duration_in_months ?? 1) : null;
  const discount: Discount = {
    id: createId('di'),
    object: 'discount',
    checkout_session: null,
    customer: idOf(subscription.customer),
    customer_account: null,
    end: months === null ? null : addInterval(start, 'month', months),
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode,
    source: { coupon: coupon.id, type: 'coupon' },
    start,
    subscription: subscription.id,
    subscription_item: null,
  };
  coupon.times_redeemed += 1;
  ledger.save('coupon', coupon);
  ledger.save('discount', discount);
  subscription.discounts = [discount.id];
}

/** The discount that applies to the subscription's next invoice. */
export async function findDiscount(
  ledger: Ledger,
  subscription: Subscription,
): Promise<RunningDiscount | undefined> {
  const discount = await ledger.find('discount', subscription.discounts[0]);
  if (!discount || (discount.end !== null && discount.end <= ledger.time)) return undefined;
  const coupon = await ledger.find('coupon', idOf(discount.source.coupon));
  return coupon ? { discount, coupon } : undefined;
}

/** A discount that was given once is gone with the first invoice. */
export function consumeDiscount(
  ledger: Ledger,
  subscription: Subscription,
  { coupon }: RunningDiscount,
): void {
  if (coupon.duration !== 'once') return;
  subscription.discounts = [];
  ledger.save('subscription', subscription);
}

export type RedeemableCoupon = { readonly coupon: Coupon; readonly promotionCode: string | null };

/** The coupon of a promotion code that can be redeemed now. */
export async function findRedeemableCoupon(
  ledger: Ledger,
  promotion: PromotionCode,
): Promise<RedeemableCoupon | undefined> {
  const coupon = await ledger.find('coupon', idOf(promotion.promotion.coupon));
  const isOver = promotion.expires_at !== null && promotion.expires_at <= ledger.time;
  if (!promotion.active || isOver || !coupon?.valid) return undefined;
  return { coupon, promotionCode: promotion.id };
}
