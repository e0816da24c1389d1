import { formatLongDate } from '@linkoteca/domain/dates';
import { type BillingInterval, PLANS, type PlanId } from '@linkoteca/domain/plans';
import { SUBSCRIPTION_NOTICES } from './billing-messages.ts';
import { hasSubscription } from './describe-subscription.ts';
import { PLAN_OFFER_MESSAGES } from './plan-offer-messages.ts';
import type { Subscription } from './resolve-plan.ts';

/** What a plan's card offers. */
export type PlanOffer =
  /** Nothing to press; `words` say why, if there is anything to say. */
  | { readonly kind: 'none'; readonly words: string | null }
  | { readonly kind: 'current' }
  /** To the provider: subscribe, or confirm a change of the running subscription. */
  | { readonly kind: 'checkout'; readonly label: string }
  /** To the provider's portal: mend, keep or cancel. */
  | { readonly kind: 'portal'; readonly label: string };

/** What can be done about a plan at a period, seen from the person's own subscription. Pure. */
export function decidePlanOffer(
  plan: PlanId,
  interval: BillingInterval,
  subscription: Subscription,
): PlanOffer {
  const runs = hasSubscription(subscription);
  if (plan === 'free') return runs ? offerLeaving(subscription) : { kind: 'current' };
  if (!runs) return { kind: 'checkout', label: PLAN_OFFER_MESSAGES.subscribe(PLANS[plan].name) };
  if (subscription.status === 'payment_failed' && subscription.plan === plan) {
    return { kind: 'portal', label: SUBSCRIPTION_NOTICES.mendPayment };
  }
  if (subscription.plan !== plan) {
    return { kind: 'checkout', label: PLAN_OFFER_MESSAGES.change(PLANS[plan].name) };
  }
  if (subscription.cancelAtPeriodEnd) return { kind: 'portal', label: SUBSCRIPTION_NOTICES.keep };
  if (subscription.interval === null || subscription.interval === interval) return { kind: 'current' };
  return { kind: 'checkout', label: PLAN_OFFER_MESSAGES.changeInterval[interval] };
}

function offerLeaving({ status, cancelAtPeriodEnd, expiresAt }: Subscription): PlanOffer {
  if (status === null) return { kind: 'none', words: null };
  if (!cancelAtPeriodEnd) return { kind: 'portal', label: PLAN_OFFER_MESSAGES.cancel };
  return { kind: 'none', words: expiresAt && PLAN_OFFER_MESSAGES.from(formatLongDate(expiresAt)) };
}
