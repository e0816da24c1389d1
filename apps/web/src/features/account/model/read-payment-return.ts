export type PaymentReturn = 'success' | 'canceled';

/** Whether an address comes back from the provider: `?success=true` or `?canceled=true`; a payment made wins. */
export function readPaymentReturn(search: string): PaymentReturn | null {
  const words = new URLSearchParams(search);
  if (words.get('success') === 'true') return 'success';
  return words.get('canceled') === 'true' ? 'canceled' : null;
}

/** The same address without both parameters; every other one stays as it was written. */
export function removePaymentReturn(href: string): string {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? [];
  const kept = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !/^(success|canceled)(=|$)/.test(pair));
  return `${path}${kept.length > 0 ? `?${kept.join('&')}` : ''}${hash}`;
}
