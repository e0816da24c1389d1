import type Stripe from 'stripe';
import { createId } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Coupon, Customer, Discount, Invoice, Price, Subscription } from '../ledger/object-kinds.ts';

/** One line before it is part of an invoice. */
export type InvoiceLine = {
  /** Cents; negative: a credit. */
  readonly amount: number;
  readonly description: string;
  readonly price: Price;
  readonly quantity: number;
  readonly period: { readonly start: number; readonly end: number };
  readonly subscriptionItem: string;
  readonly isProration: boolean;
  /** The pending item that the line comes from. */
  readonly invoiceItem?: string;
};

export type InvoicePlan = {
  readonly customer: Customer;
  readonly subscription: Subscription;
  readonly reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  readonly lines: readonly InvoiceLine[];
  readonly discount?: { readonly discount: Discount; readonly coupon: Coupon } | undefined;
  readonly prorationDate?: number;
};

type Line = Stripe.InvoiceLineItem;

/** An invoice with all its sums, finalised and unpaid. Nothing is kept; the customer's balance is not touched yet. */
export function buildInvoice(ledger: Ledger, plan: InvoicePlan): Invoice {
  const { customer, subscription, reason } = plan;
  const id = createId('in');
  const discounts = allocateDiscount(plan);
  const lines = plan.lines.map((line, index) => buildLine(id, plan, line, discounts[index] ?? 0));
  const subtotal = sum(plan.lines.map(({ amount }) => amount));
  const discounted = sum(discounts);
  const total = subtotal - discounted;
  const startingBalance = customer.balance;
  const due = Math.max(0, total + startingBalance);
  const time = Math.floor(ledger.time);
  const covered = plan.lines.filter(({ isProration }) => !isProration).map(({ period }) => period);
  return {
    id,
    object: 'invoice',
    account_country: 'BR',
    account_name: 'Linkoteca',
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: time,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: plan.discount ? [plan.discount.discount.id] : [],
    due_date: null,
    effective_at: time,
    ending_balance: Math.min(0, total + startingBalance),
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `${ledger.siteUrl}/invoices/${id}`,
    invoice_pdf: `${ledger.siteUrl}/invoices/${id}`,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: numberInvoice(customer),
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: subscription.metadata,
        subscription: subscription.id,
        ...(plan.prorationDate === undefined ? {} : { subscription_proration_date: plan.prorationDate }),
      },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: reason === 'subscription_cycle' ? (covered[0]?.start ?? time) : time,
    period_start: reason === 'subscription_cycle' ? subscription.start_date : time,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: startingBalance,
    statement_descriptor: null,
    status: 'open',
    status_transitions: { finalized_at: time, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: plan.discount
      ? [{ amount: discounted, discount: plan.discount.discount.id }]
      : [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null,
  };
}

function numberInvoice({ invoice_prefix, next_invoice_sequence = 1 }: Customer): string {
  return `${invoice_prefix ?? 'LINKOTECA'}-${String(next_invoice_sequence).padStart(4, '0')}`;
}

/** What the discount takes off each line; credits are what was paid already, so nothing is taken off them. */
function allocateDiscount({ lines, discount }: InvoicePlan): readonly number[] {
  if (!discount) return lines.map(() => 0);
  const { percent_off: percent, amount_off: amount } = discount.coupon;
  let left = amount ?? 0;
  return lines.map((line) => {
    if (line.amount <= 0) return 0;
    if (percent !== null) return Math.round((line.amount * percent) / 100);
    const taken = Math.min(left, line.amount);
    left -= taken;
    return taken;
  });
}

function buildLine(invoice: string, plan: InvoicePlan, line: InvoiceLine, discounted: number): Line {
  const { price } = line;
  const prorationDetails = line.isProration ? { credited_items: null } : null;
  const discount = plan.discount?.discount.id;
  return {
    id: createId('il'),
    object: 'line_item',
    amount: line.amount,
    currency: plan.subscription.currency,
    description: line.description,
    discount_amounts: discount !== undefined && discounted > 0 ? [{ amount: discounted, discount }] : [],
    discountable: !line.isProration,
    discounts: discount !== undefined && discounted > 0 ? [discount] : [],
    invoice,
    livemode: false,
    metadata: plan.subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: line.invoiceItem ?? null,
        proration: line.isProration,
        proration_details: prorationDetails,
        subscription: plan.subscription.id,
        subscription_item: line.subscriptionItem,
      },
      type: 'subscription_item_details',
    },
    period: { start: line.period.start, end: line.period.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: String(price.product) },
      type: 'price_details',
      unit_amount_decimal: asDecimal(price.unit_amount ?? 0),
    },
    quantity: line.quantity,
    quantity_decimal: asDecimal(line.quantity),
    subscription: plan.subscription.id,
    subtotal: line.amount,
    taxes: [],
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** A number as Stripe writes decimals on the wire, as text; the SDK makes an object of it when it reads. */
export function asDecimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal;
}
