import type { Stripe } from 'stripe';
import { answerJson, refuse } from '../_shared/answer-json.ts';
import { forPerson, isMissing } from '../_shared/answer-payment-failure.ts';
import { findBillingAccount } from '../_shared/find-billing-account.ts';
import { PAYMENT_REFUSALS } from '../_shared/payment-refusals.ts';
import { type BilledInvoice, classifyRefund, isReturned, listBilledInvoices } from '../_shared/refunds.ts';

export type InvoiceListDeps = {
  readonly stripe: Stripe;
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
  readonly now: () => Date;
};

/** An invoice as the billing tab shows it. */
export type ListedInvoice = {
  readonly id: string;
  readonly number: string | null;
  /** ISO 8601: when it was paid, or else made out. */
  readonly date: string;
  /** In the currency's smallest unit. */
  readonly amountCents: number;
  /** Three letters of ISO 4217, small, as the provider writes them. */
  readonly currency: string;
  /** The provider's word, or `refunded` and `partially_refunded`. */
  readonly status: string;
  readonly receiptUrl: string | null;
  /** Whether `request-refund` would give it back now. */
  readonly refundable: boolean;
  /** What would be given back of it: what is left. */
  readonly refundAmountCents: number;
};

const MOST = 24;

/** The function `list-invoices`: `GET` answers `{"invoices":[…]}` of the caller, newest first, two years of them. */
export function createInvoiceListHandler(deps: InvoiceListDeps): (request: Request) => Promise<Response> {
  return forPerson('GET', async (_request, { id, authorization }) => {
    const { fetch, supabaseUrl: url, anonKey: key, stripe } = deps;
    const account = await findBillingAccount({ fetch, url, key, authorization }, id);
    if (account === undefined) return refuse(401, PAYMENT_REFUSALS.signIn);
    const { customerId } = account;
    const invoices = customerId === undefined ? [] : await listInvoices(stripe, customerId, deps.now());
    return answerJson(200, { invoices });
  });
}

async function listInvoices(stripe: Stripe, customer: string, now: Date): Promise<readonly ListedInvoice[]> {
  try {
    const invoices = await listBilledInvoices(stripe, customer, now);
    const verdict = classifyRefund(invoices);
    const due = new Set(verdict.kind === 'refundable' ? verdict.charges : []);
    return invoices.billed
      .filter(({ invoice }) => invoice.status !== 'draft')
      .slice(0, MOST)
      .map((each) => {
        const charges = each.charges.filter((charge) => due.has(charge));
        const left = charges.reduce(
          (sum, charge) => sum + charge.amount_captured - charge.amount_refunded,
          0,
        );
        return { ...describe(each), refundable: charges.length > 0, refundAmountCents: left };
      });
  } catch (error) {
    // The provider knows this customer no more, so there is nothing to show.
    if (isMissing(error)) return [];
    throw error;
  }
}

function describe({
  invoice,
  charges,
}: BilledInvoice): Omit<ListedInvoice, 'refundable' | 'refundAmountCents'> {
  const { status_transitions: times } = invoice;
  const receipt = charges.find(({ receipt_url }) => receipt_url !== null)?.receipt_url;
  return {
    id: invoice.id,
    number: invoice.number,
    date: new Date((times.paid_at ?? times.finalized_at ?? invoice.created) * 1000).toISOString(),
    amountCents: invoice.total,
    currency: invoice.currency,
    status: deriveInvoiceStatus(invoice, charges),
    receiptUrl: invoice.hosted_invoice_url ?? receipt ?? null,
  };
}

function deriveInvoiceStatus({ status }: Stripe.Invoice, charges: readonly Stripe.Charge[]): string {
  const taken = charges.filter((charge) => charge.status === 'succeeded' && charge.amount_captured > 0);
  if (taken.length > 0 && taken.every(isReturned)) return 'refunded';
  if (taken.some(({ amount_refunded }) => amount_refunded > 0)) return 'partially_refunded';
  return status ?? 'open';
}
