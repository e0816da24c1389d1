import { formatLongDate } from '@linkoteca/domain/dates';
import type { Subscription } from './resolve-plan.ts';

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
