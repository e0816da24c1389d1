import type { PlanId } from '@linkoteca/domain/plans';
import { DEFAULT_PLAN, isPlanId } from '@linkoteca/domain/plans';

export type SubscriptionStatus = 'active' | 'expired' | 'canceled' | 'refunded' | 'payment_failed';

export interface Subscription {
  readonly plan: PlanId;
  /** null: never subscribed, or nothing known. */
  readonly status: SubscriptionStatus | null;
  /** End of the paid period, ISO 8601. */
  readonly expiresAt: string | null;
}

interface SubscriberRow {
  readonly plan: string | null;
  readonly subscription_status: string | null;
  readonly current_period_end: string | null;
}

const statuses: readonly string[] = ['active', 'expired', 'canceled', 'refunded', 'payment_failed'];

/** A subscriber record decides; without one the profile's plan; else free. Unknown words count as free and no status. */
export function resolvePlan(subscriber: SubscriberRow | null, profilePlan: string | null): Subscription {
  const plan = subscriber ? subscriber.plan : profilePlan;
  const status = subscriber?.subscription_status ?? null;
  return {
    plan: isPlanId(plan) ? plan : DEFAULT_PLAN,
    status: status !== null && statuses.includes(status) ? (status as SubscriptionStatus) : null,
    expiresAt: subscriber?.current_period_end ?? null,
  };
}
