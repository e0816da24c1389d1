import { formatPrice } from '@linkoteca/domain/formats';

/** 'US$ 19,90', or several currencies joined: sums of different currencies are never added up. */
export function formatRevenue(
  revenue: readonly { readonly currency: string; readonly cents: number }[],
): string {
  if (revenue.length === 0) return formatPrice(0);
  return revenue.map(({ currency, cents }) => formatPrice(cents, currency.toUpperCase())).join(' + ');
}
