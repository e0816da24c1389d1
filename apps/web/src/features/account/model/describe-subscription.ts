import { formatLongDate } from '@linkoteca/domain/format-date';
import type { Subscription } from './resolve-plan.ts';

/** The words below a plan's name (specification, section 4); null when there is nothing to say. */
export function describeSubscription({ plan, status, expiresAt }: Subscription): string | null {
  switch (status) {
    case 'refunded':
      return 'Reembolsado';
    case 'payment_failed':
      return 'Falha no pagamento';
    case 'expired':
    case 'canceled':
      return 'Assinatura cancelada';
    case 'active':
      if (plan === 'free') return null;
      return expiresAt ? `Próxima cobrança em ${formatLongDate(expiresAt)}` : null;
    case null:
      return null;
  }
}
