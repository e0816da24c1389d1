import { formatLongDate } from '@linkoteca/domain/dates';
import { SUBSCRIPTION_NOTICES } from '@linkoteca/domain/messages/billing-messages';
import { PLANS } from '@linkoteca/domain/plans';
import type { Subscription } from './resolve-plan.ts';

interface SubscriptionNotice {
  readonly tone: 'info' | 'warning';
  readonly text: string;
  /** What the way to the provider's portal is called; null where it would mend nothing. */
  readonly portal: string | null;
}

/** What a person should know of their subscription beyond its label, and how to mend it; null when all is well. */
export function describeSubscriptionNotice(subscription: Subscription, now: Date): SubscriptionNotice | null {
  const { plan, status, expiresAt, cancelAtPeriodEnd, trialEnd } = subscription;
  if (plan === 'free') return null;
  if (status === 'payment_failed') {
    const text = SUBSCRIPTION_NOTICES.paymentFailed(PLANS[plan].name);
    return { tone: 'warning', text, portal: SUBSCRIPTION_NOTICES.mendPayment };
  }
  if (status !== 'active') {
    return status === null ? null : { tone: 'info', text: SUBSCRIPTION_NOTICES.lapsed, portal: null };
  }
  if (cancelAtPeriodEnd && expiresAt !== null) {
    const text = SUBSCRIPTION_NOTICES.ending(formatLongDate(expiresAt));
    return { tone: 'info', text, portal: SUBSCRIPTION_NOTICES.keep };
  }
  if (trialEnd !== null && new Date(trialEnd) > now) {
    return { tone: 'info', text: SUBSCRIPTION_NOTICES.trial(formatLongDate(trialEnd)), portal: null };
  }
  return null;
}
