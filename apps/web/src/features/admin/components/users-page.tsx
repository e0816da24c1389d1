import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/admin-limits';
import { ADMIN_MESSAGES, CLOSURE_REASONS, isClosureReason } from '@linkoteca/domain/admin-messages';
import { formatCount } from '@linkoteca/domain/format-number';
import { isPlanId, PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAdminUsers } from '../api/use-admin-users.ts';
import { AdminPage } from './admin-page.tsx';
import { Pagination } from './pagination.tsx';
import { SearchForm } from './search-form.tsx';
import { TableState } from './table-state.tsx';
import { useLoadNotice } from './use-load-notice.ts';
import { UsersTable } from './users-table.tsx';

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
          label="Buscar por email"
          placeholder="Buscar por email..."
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
