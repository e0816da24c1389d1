import type { BillingInterval, PlanId } from '../../../packages/domain/src/plans.ts';

/** The specification's words (section 4); only `active` counts as subscribed. */
export type SubscriptionStatus = 'active' | 'expired' | 'canceled' | 'refunded' | 'payment_failed';

/** What `apply_subscription` writes: the columns of `subscribers`. Times as in RFC 3339. */
export type SubscriptionState = {
  readonly plan: PlanId;
  readonly subscription_status: SubscriptionStatus | null;
  readonly stripe_subscription_id: string | null;
  readonly current_period_end: string | null;
  readonly cancel_at_period_end: boolean;
  readonly trial_end: string | null;
  readonly stripe_price_id: string | null;
  readonly billing_interval: BillingInterval | null;
  readonly amount_cents: number | null;
  readonly currency: string | null;
};

/** Somebody who has bought nothing. */
export const NO_SUBSCRIPTION: SubscriptionState = {
  plan: 'free',
  subscription_status: null,
  stripe_subscription_id: null,
  current_period_end: null,
  cancel_at_period_end: false,
  trial_end: null,
  stripe_price_id: null,
  billing_interval: null,
  amount_cents: null,
  currency: null,
};
