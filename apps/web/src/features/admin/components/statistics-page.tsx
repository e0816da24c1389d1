import { formatBytes } from '@linkoteca/domain/format-bytes';
import { formatNumber } from '@linkoteca/domain/formats';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { EmptyState } from '../../../shared/ui/feedback/empty-state.tsx';
import { Spinner } from '../../../shared/ui/feedback/spinner.tsx';
import { useAdminStatistics } from '../api/use-admin-statistics.ts';
import type { AdminStatistics } from '../model/admin-answers.ts';
import { ADMIN_MESSAGES } from '../model/admin-messages.ts';
import { nameEntry } from '../model/name-entry.ts';
import { STATISTICS_PERIODS, type StatisticsPeriod } from '../model/statistics-period.ts';
import { AdminPage } from './admin-page.tsx';
import { BarChart } from './bar-chart.tsx';
import { useLoadNotice } from './use-load-notice.ts';

/** 'Estatísticas': sign-ups, active users, links and storage over a period, as charts and as tables. */
export function StatisticsPage() {
  const [period, setPeriod] = useState<StatisticsPeriod>(STATISTICS_PERIODS[1]);
  const query = useAdminStatistics(period);
  useLoadNotice(query, ADMIN_MESSAGES.figuresFailed);
  return (
    <AdminPage
      title="Estatísticas"
      lead="Dias contados no horário de Brasília"
      aside={<PeriodSwitch period={period} onChange={setPeriod} />}
    >
      {query.isPending ? (
        <div className="admin-waiting">
          <Spinner />
        </div>
      ) : null}
      {query.isError && !query.data ? (
        <EmptyState
          title="Nenhum dado para mostrar"
          action={<Button onClick={() => void query.refetch()}>Tentar de novo</Button>}
        />
      ) : null}
      {query.data ? <Charts statistics={query.data} /> : null}
    </AdminPage>
  );
}

function Charts({ statistics: { unit, entries } }: { readonly statistics: AdminStatistics }) {
  const series = (pick: (entry: AdminStatistics['entries'][number]) => number) =>
    entries.map((entry) => ({ label: nameEntry(entry.starts_on, unit), value: pick(entry) }));
  const signUps = series((entry) => entry.sign_ups);
  const active = series((entry) => entry.active_users);
  const links = series((entry) => entry.links_created);
  const storage = series((entry) => entry.storage_used);
  const sum = (of: typeof signUps) => formatNumber(of.reduce((total, { value }) => total + value, 0));
  return (
    <div className="admin-columns">
      <BarChart title="Cadastros" entries={signUps} format={formatNumber} summary={sum(signUps)} />
      <BarChart
        title="Usuários ativos"
        entries={active}
        format={formatNumber}
        summary={formatNumber(active.at(-1)?.value ?? 0)}
      />
      <BarChart title="Links criados" entries={links} format={formatNumber} summary={sum(links)} />
      <BarChart
        title="Armazenamento"
        entries={storage}
        format={formatBytes}
        summary={formatBytes(storage.at(-1)?.value ?? 0)}
      />
    </div>
  );
}

interface PeriodSwitchProps {
  readonly period: StatisticsPeriod;
  readonly onChange: (period: StatisticsPeriod) => void;
}

function PeriodSwitch({ period, onChange }: PeriodSwitchProps) {
  return (
    <fieldset className="admin-switch" aria-label="Período">
      {STATISTICS_PERIODS.map((each) => (
        <button key={each.value} type="button" aria-pressed={each === period} onClick={() => onChange(each)}>
          {each.label}
        </button>
      ))}
    </fieldset>
  );
}
