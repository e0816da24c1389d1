import { formatDate } from '@linkoteca/domain/dates';
import { formatBytes } from '@linkoteca/domain/format-bytes';
import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { isPlanId, PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Badge } from '../../../shared/ui/badge.tsx';
import { ProgressBar } from '../../../shared/ui/feedback/progress-bar.tsx';
import { useAdminUsers } from '../api/use-admin-users.ts';
import type { AdminUser } from '../model/admin-answers.ts';
import { ADMIN_MESSAGES, CLOSURE_REASONS, isClosureReason } from '../model/admin-messages.ts';
import { AdminPage } from './admin-page.tsx';
import { Pagination } from './pagination.tsx';
import { PlanBadge } from './plan-badge.tsx';
import { SearchForm } from './search-form.tsx';
import { TableState } from './table-state.tsx';
import { useLoadNotice } from './use-load-notice.ts';
import { useUserDialogs } from './use-user-dialogs.tsx';
import { UserActions } from './user-actions.tsx';
import { UserName } from './user-name.tsx';

/** All users: search, plan filter and page stand in the address, so that a reload and the way back keep them. */
export function UsersPage() {
  const asked = useSearch({ from: '/diane/$' });
  const navigate = useNavigate();
  const request = {
    search: (asked.q ?? '').trim(),
    plan: isPlanId(asked.plan) ? asked.plan : null,
    closedFor: isClosureReason(asked.state) ? asked.state : null,
    page: Math.max(1, Math.min(Math.trunc(Number(asked.page)) || 1, 1_000_000)),
  };
  const query = useAdminUsers(request);
  useLoadNotice(query, ADMIN_MESSAGES.loadFailed);
  const { total, users } = query.data ?? { total: 0, users: [] };

  const go = (change: Partial<Record<'q' | 'plan' | 'state' | 'page', string | undefined>>) =>
    void navigate({
      to: '/diane/$',
      params: { _splat: 'users' },
      search: {
        q: request.search || undefined,
        plan: request.plan ?? undefined,
        state: request.closedFor ?? undefined,
        page: undefined,
        ...change,
      },
    });

  return (
    <AdminPage
      title="Usuários"
      lead={query.isPending ? ' ' : `Total: ${formatCount(total, 'usuário', 'usuários')}`}
    >
      <div className="admin-toolbar">
        <SearchForm
          label="Buscar por e-mail"
          placeholder="Buscar por e-mail..."
          value={request.search}
          onSearch={(q) => go({ q: q || undefined })}
        />
        <select
          aria-label="Filtrar por plano"
          className="admin-select"
          value={request.plan ?? ''}
          onChange={(event) => go({ plan: event.target.value || undefined })}
        >
          <option value="">Todos os planos</option>
          {PLAN_IDS.map((id) => (
            <option key={id} value={id}>
              {PLANS[id].name}
            </option>
          ))}
        </select>
        <select
          aria-label="Filtrar por situação da conta"
          className="admin-select"
          value={request.closedFor ?? ''}
          onChange={(event) => go({ state: event.target.value || undefined })}
        >
          <option value="">Todas as contas</option>
          {Object.entries(CLOSURE_REASONS).map(([reason, { filter }]) => (
            <option key={reason} value={reason}>
              {filter}
            </option>
          ))}
        </select>
      </div>
      <section className="admin-card" aria-label="Lista de usuários" aria-busy={query.isFetching}>
        <UsersTable users={users} />
        <TableState query={query} empty={users.length === 0 ? ADMIN_MESSAGES.noUsers : null} />
        <Pagination
          label="Páginas de usuários"
          page={request.page}
          total={total}
          pageSize={ADMIN_PAGE_SIZE.users}
          onChange={(page) => go({ page: page === 1 ? undefined : String(page) })}
        />
      </section>
    </AdminPage>
  );
}

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

interface StorageMeterProps {
  /** Bytes. */
  readonly used: number;
  /** Bytes. */
  readonly limit: number;
}

/** Storage used of what the plan gives, in words and as a bar. */
function StorageMeter({ used, limit }: StorageMeterProps) {
  const percent = limit > 0 ? (used / limit) * 100 : 0;
  const words = `${formatBytes(used)} / ${formatBytes(limit)}`;
  return (
    <div className="admin-storage">
      <span>{words}</span>
      <ProgressBar
        label={`Armazenamento: ${words}`}
        percent={percent}
        tone={percent >= 100 ? 'danger' : percent >= 80 ? 'warning' : 'accent'}
      />
    </div>
  );
}
