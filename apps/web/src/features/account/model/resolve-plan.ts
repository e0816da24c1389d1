import type { PlanId } from '@linkoteca/domain/plans';
import { DEFAULT_PLAN, isPlanId } from '@linkoteca/domain/plans';

export type SubscriptionStatus = 'active' | 'expired' | 'canceled' | 'refunded' | 'payment_failed';

export interface Subscription {
  /** What was subscribed to: the plan that screens name. */
  readonly plan: PlanId;
  /** What may be used: the plan whose limits the database enforces. A paid plan that is not active counts as free. */
  readonly effectivePlan: PlanId;
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
  const named = subscriber ? subscriber.plan : profilePlan;
  const plan = isPlanId(named) ? named : DEFAULT_PLAN;
  const status = subscriber?.subscription_status ?? null;
  return {
    plan,
    effectivePlan: subscriber && status !== 'active' ? DEFAULT_PLAN : plan,
    status: status !== null && statuses.includes(status) ? (status as SubscriptionStatus) : null,
    expiresAt: subscriber?.current_period_end ?? null,
  };
}
