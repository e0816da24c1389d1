import type { Stripe } from 'stripe';
import type { PaidSubscription, SubscriptionPayment } from '../open-customer-source.ts';
import { type PriceBook, readPriceBook } from '../read-price-book.ts';

/** `price_plus_monthly` and so on. */
export const PRICE_BOOK: PriceBook = readPriceBook((name) => name.replace('STRIPE_', '').toLowerCase());

export const PRICE_SETTINGS = {
  plus: { month: 'price_plus_monthly', year: 'price_plus_yearly' },
  pro: { month: 'price_pro_monthly', year: 'price_pro_yearly' },
} as const;

const CENTS: Readonly<Record<string, number>> = {
  price_plus_monthly: 199,
  price_plus_yearly: 1990,
  price_pro_monthly: 399,
  price_pro_yearly: 3990,
};

export type SubscriptionFields = {
  readonly id: string;
  readonly customer: string;
  readonly status: string;
  readonly priceId: string;
  readonly created: number;
  readonly start: number;
  readonly end: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancelAt: number | null;
  readonly endedAt: number | null;
  readonly reason: string | null;
  readonly trialEnd: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly coupon: object | null;
};

export const T0 = Date.UTC(2026, 0, 1) / 1000;
export const DAY = 86_400;

export const FIELDS: SubscriptionFields = {
  id: 'sub_1',
  customer: 'cus_1',
  status: 'active',
  priceId: 'price_plus_monthly',
  created: T0,
  start: T0,
  end: T0 + 30 * DAY,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  endedAt: null,
  reason: null,
  trialEnd: null,
  metadata: {},
  coupon: null,
};

/** What of Stripe's subscription our code looks at. */
export function toStripeSubscription(fields: SubscriptionFields) {
  return {
    id: fields.id,
    object: 'subscription',
    customer: fields.customer,
    status: fields.status,
    created: fields.created,
    start_date: fields.created,
    cancel_at_period_end: fields.cancelAtPeriodEnd,
    cancel_at: fields.cancelAt,
    canceled_at: fields.endedAt,
    ended_at: fields.endedAt,
    cancellation_details: { reason: fields.reason, comment: null, feedback: null },
    trial_end: fields.trialEnd,
    currency: 'usd',
    metadata: fields.metadata,
    discounts: fields.coupon
      ? [{ id: 'di_1', object: 'discount', source: { type: 'coupon', coupon: fields.coupon } }]
      : [],
    items: {
      object: 'list',
      data: [
        {
          id: `si_${fields.id}`,
          object: 'subscription_item',
          quantity: 1,
          current_period_start: fields.start,
          current_period_end: fields.end,
          price: { id: fields.priceId, object: 'price', unit_amount: CENTS[fields.priceId] ?? 100 },
        },
      ],
    },
  };
}

/** A subscription of a snapshot, with what was paid for it. */
export function makeSubscription(
  fields: Partial<SubscriptionFields> = {},
  payments: readonly SubscriptionPayment[] = [],
): PaidSubscription {
  const subscription = toStripeSubscription({ ...FIELDS, ...fields });
  return { subscription: subscription as unknown as Stripe.Subscription, payments };
}
