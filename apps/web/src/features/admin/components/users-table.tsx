import { CLOSURE_REASONS } from '@linkoteca/domain/admin-messages';
import { formatDate } from '@linkoteca/domain/format-date';
import { formatNumber } from '@linkoteca/domain/format-number';
import { Badge } from '../../../shared/ui/badge.tsx';
import type { AdminUser } from '../model/admin-answers.ts';
import { PlanBadge } from './plan-badge.tsx';
import { StorageMeter } from './storage-meter.tsx';
import { useUserDialogs } from './use-user-dialogs.tsx';
import { UserActions } from './user-actions.tsx';
import { UserName } from './user-name.tsx';

/** A page of users with what the administrator can do; on phones each row is a block with its labels. */
export function UsersTable({ users }: { readonly users: readonly AdminUser[] }) {
  const { dialogs, ...actions } = useUserDialogs();
  return (
    <>
      <table className="admin-table">
        <thead>
          <tr>
            <th scope="col">Usuário</th>
            <th scope="col">Plano</th>
            <th scope="col">Data de Registro</th>
            <th scope="col">Último acesso</th>
            <th scope="col" className="admin-number">
              Links
            </th>
            <th scope="col">Armazenamento</th>
            <th scope="col">Ações</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <td data-label="Usuário">
                <UserName email={user.email} name={user.name} mark={<ClosureMark {...user} />} />
              </td>
              <td data-label="Plano">
                <PlanBadge plan={user.plan} />
              </td>
              <td data-label="Data de Registro">{formatDate(user.createdAt)}</td>
              <td data-label="Último acesso">{user.lastLogin ? formatDate(user.lastLogin) : 'Nunca'}</td>
              <td data-label="Links" className="admin-number">
                {formatNumber(user.linkCount)}
              </td>
              <td data-label="Armazenamento">
                <StorageMeter used={user.storageUsed} limit={user.storageLimit} />
              </td>
              <td data-label="Ações">
                <UserActions user={user} {...actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {dialogs}
    </>
  );
}

/** Why an account is closed; nothing for one that is open. */
function ClosureMark({ closedFor, restorableUntil }: Pick<AdminUser, 'closedFor' | 'restorableUntil'>) {
  if (closedFor === null) return null;
  return (
    <Badge tone={closedFor === 'deletion' ? 'danger' : 'warning'}>
      {CLOSURE_REASONS[closedFor].mark(restorableUntil ? formatDate(restorableUntil) : '')}
    </Badge>
  );
}
