import type { Stripe } from 'stripe';

/** An invoice, and the charges that paid it. */
export type BilledInvoice = { readonly invoice: Stripe.Invoice; readonly charges: readonly Stripe.Charge[] };

const PAGE = 100;

/** A customer's newest invoices, newest first. */
export type BilledInvoices = {
  readonly billed: readonly BilledInvoice[];
  /** There are no older ones. */
  readonly isComplete: boolean;
  /** The provider's own time, in seconds: what its dates are to be compared with. */
  readonly time: number;
};

/**
 * Reads what a customer was billed. An invoice knows what it is for and what paid it, a charge whether the money was kept: both
 * lists are read and put together.
 * @param now our time, for a provider that does not say its own.
 */
export async function listBilledInvoices(
  stripe: Stripe,
  customer: string,
  now: Date,
): Promise<BilledInvoices> {
  const [invoices, charges] = await Promise.all([
    stripe.invoices.list({ customer, limit: PAGE, expand: ['data.payments'] }),
    stripe.charges.list({ customer, limit: PAGE }),
  ]);
  const paidBy = Map.groupBy(charges.data, (charge) => idOf(charge.payment_intent) ?? charge.id);
  const billed = invoices.data.map((invoice) => ({
    invoice,
    charges: (invoice.payments?.data ?? []).flatMap(
      ({ payment }) => paidBy.get(idOf(payment.payment_intent) ?? idOf(payment.charge) ?? '') ?? [],
    ),
  }));
  const said = Date.parse(new Headers(invoices.lastResponse.headers).get('date') ?? '');
  const time = (Number.isNaN(said) ? now.getTime() : said) / 1000;
  return { billed, isComplete: !invoices.has_more && !charges.has_more, time };
}

/** The subscription that an invoice is for; undefined for anything else that was sold. */
export function subscriptionOf({ parent }: Stripe.Invoice): string | undefined {
  return idOf(parent?.subscription_details?.subscription);
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id;
}
