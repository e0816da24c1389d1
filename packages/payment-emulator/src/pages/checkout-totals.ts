import { type Gift, openPromotion } from '../api/find-gift.ts';
import { findObject } from '../api/find-object.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckoutDraft, Price } from '../ledger/object-kinds.ts';

export type CheckoutTotals = {
  readonly price: Price;
  readonly gift: Gift | undefined;
  readonly isTrial: boolean;
  /** Cents: what the price asks for, what the discount takes off, and what is paid today. */
  readonly subtotal: number;
  readonly discount: number;
  readonly today: number;
};

/** What a checkout costs as it stands. */
export async function addUpCheckout(ledger: Ledger, draft: CheckoutDraft): Promise<CheckoutTotals> {
  const price = await findObject(ledger, 'price', draft.price);
  const gift = await findDraftGift(ledger, draft);
  const subtotal = (price.unit_amount ?? 0) * draft.quantity;
  const { percent_off: percent = null, amount_off: amount = null } = gift?.coupon ?? {};
  const discount =
    percent === null ? Math.min(amount ?? 0, subtotal) : Math.round((subtotal * percent) / 100);
  const isTrial = draft.trialEnd !== null;
  return { price, gift, isTrial, subtotal, discount, today: isTrial ? 0 : subtotal - discount };
}

async function findDraftGift(ledger: Ledger, draft: CheckoutDraft): Promise<Gift | undefined> {
  const promotion = await ledger.find('promotion_code', draft.promotionCode);
  if (promotion) return openPromotion(ledger, promotion);
  const coupon = await ledger.find('coupon', draft.coupon);
  return coupon ? { coupon, promotionCode: null } : undefined;
}
