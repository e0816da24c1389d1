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
