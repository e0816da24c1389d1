import { formatLongDate } from '@linkoteca/domain/dates';
import { PLANS } from '@linkoteca/domain/plans';
import { SUBSCRIPTION_NOTICES } from './billing-messages.ts';
import type { Subscription } from './resolve-plan.ts';

/**
 * Whether a subscription runs that can be changed or ended. It still does while a payment is being tried again, although its plan's
 * limits do not hold meanwhile; a paid plan without a status has no record of payments to say otherwise.
 */
export function hasSubscription({ plan, status }: Pick<Subscription, 'plan' | 'status'>): boolean {
  return plan !== 'free' && (status === null || status === 'active' || status === 'payment_failed');
}

/**
 * The words below a plan's name (specification, section 4); null when there is nothing to say. A subscription that ends with its
 * period is not charged again, so it says until when it may be used instead.
 */
export function describeSubscription(subscription: Subscription): string | null {
  const { plan, status, expiresAt, cancelAtPeriodEnd } = subscription;
  switch (status) {
    case 'refunded':
      return 'Reembolsado';
    case 'payment_failed':
      return 'Falha no pagamento';
    case 'expired':
    case 'canceled':
      return 'Assinatura cancelada';
    case 'inactive':
      return plan === 'free' ? null : 'Assinatura inativa';
    case 'active':
      if (plan === 'free' || expiresAt === null) return null;
      return `${cancelAtPeriodEnd ? 'Acesso até' : 'Próxima cobrança em'} ${formatLongDate(expiresAt)}`;
    case null:
      return null;
  }
}

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
