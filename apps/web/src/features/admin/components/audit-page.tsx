import { placeholderEmail } from '@linkoteca/domain/account-life';
import { formatClock, formatDate } from '@linkoteca/domain/dates';
import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { useState } from 'react';
import { useAdminAudit } from '../api/use-admin-audit.ts';
import { ADMIN_MESSAGES } from '../model/admin-messages.ts';
import { describeAuditDetails, nameAuditAction } from '../model/describe-audit-entry.ts';
import { AdminPage } from './admin-page.tsx';
import { Pagination } from './pagination.tsx';
import { TableState } from './table-state.tsx';
import { useLoadNotice } from './use-load-notice.ts';

/** Who looked at what, and when: every read of the admin area, kept for good. */
export function AuditPage() {
  const [page, setPage] = useState(1);
  const query = useAdminAudit(page);
  useLoadNotice(query, ADMIN_MESSAGES.figuresFailed);
  const { total, entries } = query.data ?? { total: 0, entries: [] };
  return (
    <AdminPage
      title="Registro de acessos"
      lead="Tudo o que a administração consultou. Nada aqui pode ser apagado."
    >
      <section className="admin-card" aria-label="Acessos" aria-busy={query.isFetching}>
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col">Quando</th>
              <th scope="col">Quem</th>
              <th scope="col">O quê</th>
              <th scope="col">Sobre quem</th>
              <th scope="col">Detalhes</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td data-label="Quando">
                  {formatDate(entry.happened_at)} {formatClock(new Date(entry.happened_at))}
                </td>
                <td data-label="Quem">{entry.admin_email ?? placeholderEmail(entry.admin_id)}</td>
                <td data-label="O quê">{nameAuditAction(entry)}</td>
                <td data-label="Sobre quem">
                  {entry.user_id ? (entry.user_email ?? placeholderEmail(entry.user_id)) : '—'}
                </td>
                <td data-label="Detalhes">{describeAuditDetails(entry) || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <TableState query={query} empty={entries.length === 0 ? 'Nenhum acesso registrado' : null} />
        <Pagination
          label="Páginas do registro"
          page={page}
          total={total}
          pageSize={ADMIN_PAGE_SIZE.audit}
          onChange={setPage}
        />
      </section>
    </AdminPage>
  );
}
