import { formatNumber } from '@linkoteca/domain/formats';
import { ADMIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { PLANS } from '@linkoteca/domain/plans';
import { useState } from 'react';
import { useAdminSubscriptions } from '../api/use-admin-subscriptions.ts';
import type { AdminSubscriptions } from '../model/admin-answers.ts';
import { ADMIN_MESSAGES, SUBSCRIPTION_STATES, type SubscriptionState } from '../model/admin-messages.ts';
import { formatRevenue } from '../model/format-revenue.ts';
import { AdminPage } from './admin-page.tsx';
import { Pagination } from './pagination.tsx';
import { StatCard } from './stat-card.tsx';
import { SubscriptionsTable } from './subscriptions-table.tsx';
import { TableState } from './table-state.tsx';
import { useLoadNotice } from './use-load-notice.ts';

const nothing: AdminSubscriptions = {
  monthly_revenue: [],
  states: [],
  plans: [],
  total: 0,
  subscriptions: [],
};
const stateNames = Object.keys(SUBSCRIPTION_STATES) as SubscriptionState[];

/** 'Planos e Assinaturas': subscriptions by state and by plan with what they pay per month, and each of them. */
export function SubscriptionsPage() {
  const [state, setState] = useState<SubscriptionState | null>(null);
  const [page, setPage] = useState(1);
  const query = useAdminSubscriptions(state, page);
  useLoadNotice(query, ADMIN_MESSAGES.figuresFailed);
  const answer = query.data ?? nothing;
  const show = (value: string) => (query.isPending ? '…' : value);
  const countOf = (wanted: SubscriptionState) =>
    answer.states.find((each) => each.state === wanted)?.count ?? 0;
  const paying = countOf('active') + countOf('canceling');

  return (
    <AdminPage title="Planos e Assinaturas">
      <dl className="admin-stats">
        <StatCard label="Receita Mensal" value={show(formatRevenue(answer.monthly_revenue))} />
        <StatCard label="Assinaturas pagantes" value={show(formatNumber(paying))} />
        <StatCard label={SUBSCRIPTION_STATES.trialing} value={show(formatNumber(countOf('trialing')))} />
        <StatCard
          label={SUBSCRIPTION_STATES.payment_failed}
          value={show(formatNumber(countOf('payment_failed')))}
        />
      </dl>
      <div className="admin-columns">
        <StatesTable states={answer.states} />
        <PlansTable plans={answer.plans} />
      </div>
      <section className="admin-card" aria-labelledby="subscriptions" aria-busy={query.isFetching}>
        <header>
          <h2 id="subscriptions">Assinaturas</h2>
          <select
            aria-label="Filtrar por estado"
            className="admin-select"
            value={state ?? ''}
            onChange={(event) => {
              setState(stateNames.find((name) => name === event.target.value) ?? null);
              setPage(1);
            }}
          >
            <option value="">Todos os estados</option>
            {stateNames.map((name) => (
              <option key={name} value={name}>
                {SUBSCRIPTION_STATES[name]}
              </option>
            ))}
          </select>
        </header>
        <SubscriptionsTable subscriptions={answer.subscriptions} />
        <TableState
          query={query}
          empty={answer.subscriptions.length === 0 ? 'Nenhuma assinatura encontrada' : null}
        />
        <Pagination
          label="Páginas de assinaturas"
          page={page}
          total={answer.total}
          pageSize={ADMIN_PAGE_SIZE.users}
          onChange={setPage}
        />
      </section>
    </AdminPage>
  );
}

function StatesTable({ states }: Pick<AdminSubscriptions, 'states'>) {
  return (
    <section className="admin-card" aria-labelledby="by-state">
      <header>
        <h2 id="by-state">Por estado</h2>
      </header>
      <table className="admin-table admin-table-plain" aria-labelledby="by-state">
        <thead>
          <tr>
            <th scope="col">Estado</th>
            <th scope="col" className="admin-number">
              Assinaturas
            </th>
            <th scope="col" className="admin-number">
              Receita por mês
            </th>
          </tr>
        </thead>
        <tbody>
          {stateNames.map((name) => {
            const found = states.find(({ state }) => state === name);
            return (
              <tr key={name}>
                <th scope="row">{SUBSCRIPTION_STATES[name]}</th>
                <td className="admin-number">{formatNumber(found?.count ?? 0)}</td>
                <td className="admin-number">{formatRevenue(found?.monthly_revenue ?? [])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function PlansTable({ plans }: Pick<AdminSubscriptions, 'plans'>) {
  return (
    <section className="admin-card" aria-labelledby="by-plan">
      <header>
        <h2 id="by-plan">Ativas por plano</h2>
      </header>
      <table className="admin-table admin-table-plain" aria-labelledby="by-plan">
        <thead>
          <tr>
            <th scope="col">Plano</th>
            <th scope="col" className="admin-number">
              Assinaturas
            </th>
            <th scope="col" className="admin-number">
              Receita por mês
            </th>
          </tr>
        </thead>
        <tbody>
          {plans.map(({ plan, billing_interval, currency, count, monthly_cents }) => (
            <tr key={`${plan} ${billing_interval} ${currency}`}>
              <th scope="row">
                {PLANS[plan].name}
                {billing_interval ? (billing_interval === 'year' ? ' anual' : ' mensal') : ' sem preço'}
              </th>
              <td className="admin-number">{formatNumber(count)}</td>
              <td className="admin-number">{formatRevenue([{ currency, cents: monthly_cents }])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {plans.length === 0 ? <p className="admin-soft admin-inset">Nenhuma assinatura ativa</p> : null}
    </section>
  );
}
