import { formatDate } from '@linkoteca/domain/dates';
import type { AdminStatistics } from './admin-answers.ts';

/** What an entry of the statistics covers: '21/11/2026', 'semana de 16/11/2026', 'novembro de 2026'. Days have no zone. */
export function nameEntry(startsOn: string, unit: AdminStatistics['unit']): string {
  const day = new Date(`${startsOn}T00:00:00Z`);
  if (unit === 'month')
    return day.toLocaleDateString('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const date = formatDate(day, 'UTC');
  return unit === 'week' ? `semana de ${date}` : date;
}
