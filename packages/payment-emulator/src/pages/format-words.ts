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

/** What a page says about what has just happened, by the word in its address. */
const NOTICES = {
  generic_decline: 'Seu cartão foi recusado.',
  lost_card: 'Seu cartão foi recusado.',
  insufficient_funds: 'Seu cartão não tem saldo suficiente.',
  expired_card: 'Seu cartão expirou.',
  incorrect_cvc: 'O código de segurança do cartão está incorreto.',
  processing_error: 'Houve um erro ao processar o cartão. Tente de novo daqui a pouco.',
  missing_payment_method: 'Nenhum cartão está cadastrado. Cadastre um e tente de novo.',
  not_a_test_card: 'Seu cartão foi recusado. No modo de teste só valem os cartões de teste.',
  number_missing: 'Informe o número do cartão.',
  number_invalid: 'O número do cartão é inválido.',
  expiry_invalid: 'Informe a validade no formato MM/AA.',
  expiry_past: 'A validade do cartão já passou.',
  cvc_invalid: 'O código de segurança do cartão está incompleto.',
  email_invalid: 'Informe um e-mail válido.',
  confirmation_refused: 'Não foi possível confirmar o pagamento. Escolha outro cartão e tente de novo.',
  code_unknown: 'Este código promocional não é válido.',
  stale: 'Esta página mudou desde que você a abriu. Confira e tente de novo.',
  plan_changed: 'Pronto! Seu plano mudou.',
  cancellation_scheduled: 'Sua assinatura termina no fim do período já pago.',
  cancellation_undone: 'Pronto! Sua assinatura continua.',
  card_changed: 'Pronto! Seu cartão foi trocado.',
  invoice_paid: 'Pronto! A fatura foi paga.',
  refunded: 'Pronto! O valor foi devolvido e a assinatura terminou.',
  not_refundable: 'O prazo de 14 dias para pedir reembolso já passou.',
  pay_first: 'Há uma fatura em aberto. Pague-a antes de mudar de plano.',
  nothing_to_change: 'Esta mudança não é mais possível.',
} as const;

const GOOD: readonly string[] = [
  'plan_changed',
  'cancellation_scheduled',
  'cancellation_undone',
  'card_changed',
  'invoice_paid',
  'refunded',
];

export type NoticeCode = keyof typeof NOTICES;

/** The sentence for a word in the address; undefined for any other. */
export function readNotice(code: string | null): { text: string; isGood: boolean } | undefined {
  if (code === null || !Object.hasOwn(NOTICES, code)) return undefined;
  return { text: NOTICES[code as NoticeCode], isGood: GOOD.includes(code) };
}

/** The word for a card's refusal. */
export function noticeOfDecline(decline: string): NoticeCode {
  return Object.hasOwn(NOTICES, decline) ? (decline as NoticeCode) : 'generic_decline';
}
