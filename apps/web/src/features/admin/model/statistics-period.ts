/** The periods that the statistics offer, shortest first. */
export const STATISTICS_PERIODS = [
  { value: '7d', label: '7 dias', unit: 'day', days: 6 },
  { value: '30d', label: '30 dias', unit: 'day', days: 29 },
  { value: '26w', label: '26 semanas', unit: 'week', days: 25 * 7 },
  { value: '12m', label: '12 meses', unit: 'month', months: 11 },
] as const;

export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number];

/** The first day of a period that ends today, as the database takes it: 'yyyy-MM-dd', counted in Brasília like its figures. */
export function firstDayOf(period: StatisticsPeriod, now: Date): string {
  // The Swedish way of writing a date is the database's.
  const day = new Date(now.toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' }));
  if (period.unit === 'month') day.setUTCMonth(day.getUTCMonth() - period.months, 1);
  else day.setUTCDate(day.getUTCDate() - period.days);
  return day.toISOString().slice(0, 10);
}
