import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { firstDayOf, type StatisticsPeriod } from '../model/statistics-period.ts';
import { callAdminFunction } from './call-admin-function.ts';

/** Later than any today: the database ends at its own. */
const NO_END = '9999-12-31';

/** Figures over a period that ends today, one entry a day, week or month. */
export function useAdminStatistics(period: StatisticsPeriod) {
  const database = useDatabase();
  return useQuery({
    queryKey: ['admin', useUserId(), 'statistics', period.value],
    queryFn: ({ signal }) =>
      callAdminFunction(
        database,
        'admin_statistics',
        { first_day: firstDayOf(period, new Date()), last_day: NO_END, unit: period.unit },
        signal,
      ),
    placeholderData: keepPreviousData,
  });
}
