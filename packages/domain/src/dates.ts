const SHORT: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', year: 'numeric' };

const LONG: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };

const formatters = new Map<string, Intl.DateTimeFormat>();

/** dd/MM/yyyy in the viewer's zone (or the one given); empty for what is not a date. */
export function formatDate(value: string | Date, timeZone?: string): string {
  if (timeZone !== undefined) return format(value, 'short', SHORT, timeZone);
  const date = typeof value === 'string' ? new Date(value) : value;
  if (Number.isNaN(date.getTime())) return '';
  // The viewer's own zone needs no Intl, whose first formatter is what a slow phone waits for when it opens a list.
  return `${twoDigits(date.getDate())}/${twoDigits(date.getMonth() + 1)}/${date.getFullYear()}`;
}

/** '21 de novembro de 2025' in the viewer's zone (or the one given); empty for what is not a date. */
export function formatLongDate(value: string | Date, timeZone?: string): string {
  return format(value, 'long', LONG, timeZone);
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function format(
  value: string | Date,
  style: string,
  options: Intl.DateTimeFormatOptions,
  timeZone?: string,
): string {
  const date = typeof value === 'string' ? new Date(value) : value;
  if (Number.isNaN(date.getTime())) return '';
  const key = `${style} ${timeZone ?? ''}`;
  // Building a formatter costs more than a thousand uses of it, and lists format a date a row.
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('pt-BR', {
      ...options,
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    formatters.set(key, formatter);
  }
  return formatter.format(date);
}

const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };

/** '14:32:05' in the viewer's zone (or the one given); empty for what is no moment. */
export function formatClock(moment: Date, timeZone?: string): string {
  if (Number.isNaN(moment.getTime())) return '';
  return moment.toLocaleTimeString('pt-BR', { ...TIME, ...(timeZone === undefined ? {} : { timeZone }) });
}

const MOMENT_TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };

/** 'hoje às 14:32', on other days '20/11/2025 às 14:32', in the viewer's zone (or the one given). */
export function formatMoment(moment: Date, now: Date, timeZone?: string): string {
  const day = formatDate(moment, timeZone);
  const time = moment.toLocaleTimeString('pt-BR', {
    ...MOMENT_TIME,
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return `${day === formatDate(now, timeZone) ? 'hoje' : day} às ${time}`;
}
