import { findPaymentMethod } from '../billing/cards.ts';
import { findPaidCharge } from '../billing/charges.ts';
import { isDeleted } from '../billing/customers.ts';
import { findDiscount } from '../billing/discounts.ts';
import { belongingTo, itemOf } from '../billing/subscriptions.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type {
  Charge,
  Customer,
  Invoice,
  PaymentMethod,
  Price,
  Subscription,
} from '../ledger/object-kinds.ts';

/** What a customer has: the subscription that lives, or the one that ended last, the card, and the invoices. */
export type CustomerAccount = {
  readonly customer: Customer;
  readonly subscription: Subscription | undefined;
  readonly price: Price | undefined;
  readonly card: PaymentMethod | undefined;
  /** Newest first. */
  readonly invoices: readonly Invoice[];
  readonly openInvoice: Invoice | undefined;
  /** Cents that the next renewal will ask for. */
  readonly nextAmount: number;
  /** Charges that can be given back within the first fourteen days; empty afterwards. */
  readonly refundable: readonly Charge[];
};

const REFUND_WITHIN_SECONDS = 14 * 86_400;
const MAX_INVOICES = 24;

/** Gathers what the portal shows of a customer. */
export async function readCustomerAccount(
  ledger: Ledger,
  customerId: string,
): Promise<CustomerAccount | undefined> {
  const customer = await ledger.find('customer', customerId);
  if (!customer || isDeleted(customer)) return undefined;
  const all = await ledger.list('subscription', { match: { customer: customerId } });
  const subscription = all.find(({ ended_at }) => ended_at === null) ?? all[0];
  const isAlive = subscription !== undefined && subscription.ended_at === null;
  const invoices = await ledger.list('invoice', { match: { customer: customerId }, limit: MAX_INVOICES });
  const price = subscription && (itemOf(subscription).price as Price);
  return {
    customer,
    subscription,
    price,
    card: await ledger.find('payment_method', await findPaymentMethod(ledger, customerId, subscription)),
    invoices,
    openInvoice: invoices.find(({ status, amount_remaining }) => status === 'open' && amount_remaining > 0),
    nextAmount: isAlive ? await previewRenewal(ledger, customer, subscription) : 0,
    refundable: isAlive ? await findRefundable(ledger, subscription) : [],
  };
}

async function previewRenewal(
  ledger: Ledger,
  customer: Customer,
  subscription: Subscription,
): Promise<number> {
  const item = itemOf(subscription);
  const full = (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
  const discount = await findDiscount(ledger, subscription);
  const { percent_off: percent = null, amount_off: amount = null } = discount?.coupon ?? {};
  const off = percent === null ? Math.min(amount ?? 0, full) : Math.round((full * percent) / 100);
  const pending = await ledger.list('invoiceitem', {
    match: { invoice: null, ...belongingTo(subscription) },
  });
  const waiting = pending.reduce((sum, item) => sum + item.amount, 0);
  return Math.max(0, full - off + waiting + customer.balance);
}

/** The subscription's charges, while its first payment is not older than fourteen days. */
async function findRefundable(ledger: Ledger, subscription: Subscription): Promise<Charge[]> {
  const charges: Charge[] = [];
  for (const invoice of await ledger.list('invoice', {
    match: { status: 'paid', ...belongingTo(subscription) },
  })) {
    const charge = await findPaidCharge(ledger, invoice);
    if (charge) charges.push(charge);
  }
  const first = charges.at(-1);
  if (!first || first.created + REFUND_WITHIN_SECONDS < ledger.time) return [];
  return charges.filter(({ refunded, disputed }) => !refunded && !disputed);
}
