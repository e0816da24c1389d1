import { formatDate } from '@linkoteca/domain/dates';
import { formatBytes } from '@linkoteca/domain/format-bytes';
import { formatNumber } from '@linkoteca/domain/formats';
import { Link } from '@tanstack/react-router';
import { CircleDollarSign, Crown, HardDrive, UsersRound } from 'lucide-react';
import { useAdminOverview } from '../api/use-admin-overview.ts';
import type { AdminUser } from '../model/admin-answers.ts';
import { ADMIN_MESSAGES } from '../model/admin-messages.ts';
import { formatRevenue } from '../model/format-revenue.ts';
import { AdminPage } from './admin-page.tsx';
import { PlanBadge } from './plan-badge.tsx';
import { StatCard } from './stat-card.tsx';
import { TableState } from './table-state.tsx';
import { useLoadNotice } from './use-load-notice.ts';
import { useUserDialogs } from './use-user-dialogs.tsx';
import { UserActions } from './user-actions.tsx';
import { UserName } from './user-name.tsx';

const nothing = { totalUsers: 0, premiumUsers: 0, monthlyRevenue: [], storageUsed: 0, recentUsers: [] };

/** 'Painel de Administração': four figures and the newest users. Without an answer: zeros, an empty table and a notice. */
export function AdminDashboard() {
  const query = useAdminOverview();
  useLoadNotice(query, ADMIN_MESSAGES.loadFailed);
  const { totalUsers, premiumUsers, monthlyRevenue, storageUsed, recentUsers } = query.data ?? nothing;
  const show = (value: string) => (query.isPending ? '…' : value);
  return (
    <AdminPage title="Painel de Administração">
      <dl className="admin-stats" aria-busy={query.isFetching}>
        <StatCard
          icon={<UsersRound aria-hidden />}
          label="Total de Usuários"
          value={show(formatNumber(totalUsers))}
        />
        <StatCard
          icon={<CircleDollarSign aria-hidden />}
          label="Receita Mensal"
          value={show(formatRevenue(monthlyRevenue))}
        />
        <StatCard
          icon={<Crown aria-hidden />}
          label="Assinaturas Premium"
          value={show(formatNumber(premiumUsers))}
        />
        <StatCard
          icon={<HardDrive aria-hidden />}
          label="Armazenamento Total"
          value={show(formatBytes(storageUsed))}
        />
      </dl>
      <RecentUsers users={recentUsers} query={query} />
    </AdminPage>
  );
}

interface RecentUsersProps {
  readonly users: readonly AdminUser[];
  readonly query: Pick<ReturnType<typeof useAdminOverview>, 'isPending' | 'isError' | 'refetch'>;
}

function RecentUsers({ users, query }: RecentUsersProps) {
  const { dialogs, ...actions } = useUserDialogs();
  return (
    <section className="admin-card" aria-labelledby="recent-users">
      <header>
        <h2 id="recent-users" lang="en">
          Recent Users
        </h2>
        <Link to="/diane/$" params={{ _splat: 'users' }} className="admin-link">
          Ver todos
        </Link>
      </header>
      <table className="admin-table" aria-labelledby="recent-users">
        <thead>
          <tr>
            <th scope="col">Usuário</th>
            <th scope="col">Plano</th>
            <th scope="col">Data de Registro</th>
            <th scope="col" className="admin-number">
              Links
            </th>
            <th scope="col">Ações</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id}>
              <td data-label="Usuário">
                <UserName email={user.email} name={user.name} />
              </td>
              <td data-label="Plano">
                <PlanBadge plan={user.plan} />
              </td>
              <td data-label="Data de Registro">{formatDate(user.createdAt)}</td>
              <td data-label="Links" className="admin-number">
                {formatNumber(user.linkCount)}
              </td>
              <td data-label="Ações">
                <UserActions user={user} {...actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <TableState query={query} empty={users.length === 0 ? ADMIN_MESSAGES.noUsers : null} />
      {dialogs}
    </section>
  );
}
