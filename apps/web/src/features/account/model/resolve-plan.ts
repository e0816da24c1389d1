import {
  type BillingInterval,
  DEFAULT_PLAN,
  isBillingInterval,
  isPlanId,
  type PlanId,
} from '@linkoteca/domain/plans';

const STATUSES = ['active', 'expired', 'canceled', 'refunded', 'payment_failed'] as const;

/** 'inactive': a word that this version does not know; whatever it is, it is not active. */
export type SubscriptionStatus = (typeof STATUSES)[number] | 'inactive';

export interface Subscription {
  /** What was subscribed to: the plan that screens name. */
  readonly plan: PlanId;
  /** What may be used: the plan whose limits the database enforces. A paid plan that is not active counts as free. */
  readonly effectivePlan: PlanId;
  /** null: never subscribed, or nothing known. */
  readonly status: SubscriptionStatus | null;
  /** End of the paid period, ISO 8601. */
  readonly expiresAt: string | null;
  /** It ends with the paid period instead of being charged again. */
  readonly cancelAtPeriodEnd: boolean;
  /** End of the trial, ISO 8601; null without one. */
  readonly trialEnd: string | null;
  readonly interval: BillingInterval | null;
  /** What is really charged each interval, in the currency's smallest unit. */
  readonly amountCents: number | null;
  /** ISO 4217, in either case. */
  readonly currency: string | null;
  /** The payment provider's ids. */
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}

/** Of `public.subscribers`; a column may be missing where an older database answers. */
export interface SubscriberRow {
  readonly plan: string | null;
  readonly subscription_status?: string | null;
  readonly current_period_end?: string | null;
  readonly cancel_at_period_end?: boolean;
  readonly trial_end?: string | null;
  readonly billing_interval?: string | null;
  readonly amount_cents?: number | null;
  readonly currency?: string | null;
  readonly stripe_customer_id?: string | null;
  readonly stripe_subscription_id?: string | null;
}

const NO_PAYMENT = {
  expiresAt: null,
  cancelAtPeriodEnd: false,
  trialEnd: null,
  interval: null,
  amountCents: null,
  currency: null,
  customerId: null,
  subscriptionId: null,
} as const;

/** A subscriber record decides; without one the profile's plan; else free. An unknown plan counts as free. */
export function resolvePlan(subscriber: SubscriberRow | null, profilePlan: string | null): Subscription {
  const named = subscriber ? subscriber.plan : profilePlan;
  const plan = isPlanId(named) ? named : DEFAULT_PLAN;
  if (!subscriber) return { plan, effectivePlan: plan, status: null, ...NO_PAYMENT };
  return {
    plan,
    effectivePlan: subscriber.subscription_status === 'active' ? plan : DEFAULT_PLAN,
    status: readStatus(subscriber.subscription_status),
    expiresAt: subscriber.current_period_end ?? null,
    cancelAtPeriodEnd: subscriber.cancel_at_period_end === true,
    trialEnd: subscriber.trial_end ?? null,
    interval: isBillingInterval(subscriber.billing_interval) ? subscriber.billing_interval : null,
    amountCents: subscriber.amount_cents ?? null,
    currency: subscriber.currency ?? null,
    customerId: subscriber.stripe_customer_id ?? null,
    subscriptionId: subscriber.stripe_subscription_id ?? null,
  };
}

function readStatus(word: string | null | undefined): SubscriptionStatus | null {
  return word == null ? null : (STATUSES.find((status) => status === word) ?? 'inactive');
}
