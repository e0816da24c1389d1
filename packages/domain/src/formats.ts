/** Before each three digits up to the end, but not before the first. */
const GROUP = /\B(?=(?:\d{3})+$)/g;

let fractions: Intl.NumberFormat | undefined;

/**
 * 10000 becomes '10.000'. Whole numbers do without Intl: a browser's first formatter costs a slow phone a tenth of a second,
 * and every first screen shows counts.
 */
export function formatNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value).replace(GROUP, '.');
  fractions ??= new Intl.NumberFormat('pt-BR');
  return fractions.format(value);
}

/**
 * 'US$ 1,99' from cents; the currency (ISO 4217, either case) follows the payment provider when one is configured. Its amounts
 * count the currency's smallest unit: 199 yen are 199.
 */
export function formatPrice(cents: number, currency = 'USD'): string {
  const formatter = new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = formatter.resolvedOptions();
  // Intl joins with a no-break space; the specification writes a plain one, and search finds only that.
  return formatter.format(cents / 10 ** maximumFractionDigits).replaceAll('\u00A0', ' ');
}

/** '1 link' or '2 links', with the number as a Brazilian reads it. */
export function formatCount(value: number, singular: string, plural: string): string {
  return `${formatNumber(value)} ${value === 1 ? singular : plural}`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** '0 bytes', '1 byte', '1,5 MB': a size as a Brazilian reads it, in steps of 1024, one decimal below ten. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return '';
  let value = bytes;
  let unit = 0;
  while (Math.round(value) >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  const number = value.toLocaleString('pt-BR', { maximumFractionDigits: digits });
  return unit === 0 && bytes === 1 ? '1 byte' : `${number} ${UNITS[unit]}`;
}

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
