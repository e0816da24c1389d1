import { isPlanId, PLANS } from '@linkoteca/domain/plans';
import type { AdminAudit } from './admin-answers.ts';
import {
  AUDIT_ACTIONS,
  CLOSURE_REASONS,
  isClosureReason,
  isSubscriptionState,
  SUBSCRIPTION_STATES,
} from './admin-messages.ts';

type Entry = Pick<AdminAudit['entries'][number], 'action' | 'details'>;

/** What was done, in words; a name that is not known stands for itself. */
export function nameAuditAction({ action }: Entry): string {
  return AUDIT_ACTIONS[action] ?? action;
}

/** What was looked for or chosen, in words: 'busca “ana”, plano Pro, página 2'. Empty when there is nothing to add. */
export function describeAuditDetails({ details }: Entry): string {
  const { plan, closed_for: closed, state } = details;
  const page = Number(details['page'] ?? 1);
  return [
    details['search'] && `busca “${details['search']}”`,
    plan && `plano ${isPlanId(plan) ? PLANS[plan].name : plan}`,
    isClosureReason(closed) && `contas ${CLOSURE_REASONS[closed].filter.toLowerCase()}`,
    state && `estado ${isSubscriptionState(state) ? SUBSCRIPTION_STATES[state] : state}`,
    details['unit'] && `por ${{ day: 'dia', week: 'semana', month: 'mês' }[String(details['unit'])] ?? ''}`,
    page > 1 && `página ${page}`,
  ]
    .filter(Boolean)
    .join(', ');
}
