const NUMBER = new Intl.NumberFormat('pt-BR');

/** 10000 becomes '10.000'. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
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
