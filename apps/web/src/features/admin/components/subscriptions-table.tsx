import { placeholderEmail } from '@linkoteca/domain/account-life';
import { formatDate } from '@linkoteca/domain/dates';
import { formatPrice } from '@linkoteca/domain/formats';
import { Badge } from '../../../shared/ui/badge.tsx';
import type { AdminSubscriptions } from '../model/admin-answers.ts';
import { SUBSCRIPTION_STATES } from '../model/admin-messages.ts';
import { PlanBadge } from './plan-badge.tsx';
import { UserName } from './user-name.tsx';

type Subscription = AdminSubscriptions['subscriptions'][number];

const tones = {
  active: 'accent',
  trialing: 'accent',
  canceling: 'warning',
  payment_failed: 'danger',
  canceled: 'neutral',
  expired: 'neutral',
  refunded: 'neutral',
} as const;

/** A page of subscriptions: whose, which plan, in what state, what it costs and when it is due. */
export function SubscriptionsTable({ subscriptions }: Pick<AdminSubscriptions, 'subscriptions'>) {
  return (
    <table className="admin-table" aria-labelledby="subscriptions">
      <thead>
        <tr>
          <th scope="col">Usuário</th>
          <th scope="col">Plano</th>
          <th scope="col">Estado</th>
          <th scope="col" className="admin-number">
            Valor
          </th>
          <th scope="col">Vencimento</th>
        </tr>
      </thead>
      <tbody>
        {subscriptions.map((each) => (
          <tr key={each.user_id}>
            <td data-label="Usuário">
              <UserName email={each.email || placeholderEmail(each.user_id)} name={each.name} />
            </td>
            <td data-label="Plano">
              <PlanBadge plan={each.plan} />
            </td>
            <td data-label="Estado">
              <Badge tone={tones[each.state]}>{SUBSCRIPTION_STATES[each.state]}</Badge>
            </td>
            <td data-label="Valor" className="admin-number">
              {nameAmount(each)}
            </td>
            <td data-label="Vencimento">{nameDueDate(each)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nameAmount({ amount_cents, currency, billing_interval }: Subscription): string {
  if (amount_cents === null) return '—';
  const price = formatPrice(amount_cents, currency.toUpperCase());
  return billing_interval === null ? price : `${price} por ${billing_interval === 'year' ? 'ano' : 'mês'}`;
}

function nameDueDate({ state, trial_end, current_period_end }: Subscription): string {
  const date = state === 'trialing' ? trial_end : current_period_end;
  return date === null ? '—' : formatDate(date);
}
