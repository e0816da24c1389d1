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
