import type { Invoice, PaymentMethod, Price } from '../ledger/object-kinds.ts';

/** Cents as `US$ 1,99`. */
export function formatAmount(cents: number, currency: string): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency })
    .format(cents / 100)
    .replace('-', '−');
}

/** Seconds since 1970 as `28 de fevereiro de 2026`, on Brasília's calendar: a page without scripts does not know the reader's. */
export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' }).format(
    seconds * 1000,
  );
}

/** Seconds since 1970 as `28/02/2026, 09:00`. */
export function formatMoment(seconds: number): string {
  return new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(seconds * 1000);
}

/** `por mês` or `por ano`. */
export function describeInterval(price: Price): string {
  return price.recurring?.interval === 'year' ? 'por ano' : 'por mês';
}

/** `mensal` or `anual`. */
export function describeCycle(price: Price): string {
  return price.recurring?.interval === 'year' ? 'anual' : 'mensal';
}

/** `Visa •••• 4242`. */
export function describeCard(method: PaymentMethod | undefined): string {
  const brand = method?.card?.brand;
  if (brand === undefined) return 'Nenhum cartão';
  return `${brand[0]?.toUpperCase()}${brand.slice(1)} •••• ${method?.card?.last4}`;
}

const INVOICE_STATUS: Readonly<Record<string, string>> = {
  draft: 'Rascunho',
  open: 'Em aberto',
  paid: 'Paga',
  uncollectible: 'Incobrável',
  void: 'Anulada',
};

/** How an invoice stands, in one word. */
export function describeInvoiceStatus({ status }: Pick<Invoice, 'status'>): string {
  return INVOICE_STATUS[status ?? ''] ?? '';
}

const SUBSCRIPTION_STATUS: Readonly<Record<string, string>> = {
  active: 'Ativa',
  canceled: 'Encerrada',
  incomplete: 'Aguardando pagamento',
  incomplete_expired: 'Não paga a tempo',
  past_due: 'Pagamento atrasado',
  paused: 'Pausada',
  trialing: 'Em período de teste',
  unpaid: 'Não paga',
};

/** How a subscription stands. */
export function describeSubscriptionStatus({ status }: { readonly status: string }): string {
  return SUBSCRIPTION_STATUS[status] ?? status;
}

const DISPUTE_STATUS: Readonly<Record<string, string>> = {
  needs_response: 'Aguardando resposta',
  won: 'Ganha',
  lost: 'Perdida',
};

/** How a dispute stands. */
export function describeDisputeStatus(status: string): string {
  return DISPUTE_STATUS[status] ?? status;
}
