import { formatDate } from './formats.ts';

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

/** 'hoje às 14:32', on other days '20/11/2025 às 14:32', in the viewer's zone (or the one given). */
export function formatMoment(moment: Date, now: Date, timeZone?: string): string {
  const day = formatDate(moment, timeZone);
  const time = moment.toLocaleTimeString('pt-BR', {
    ...TIME,
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return `${day === formatDate(now, timeZone) ? 'hoje' : day} às ${time}`;
}
