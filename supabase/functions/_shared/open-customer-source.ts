import type { Stripe } from 'stripe';
import { isMissing } from './answer-payment-failure.ts';
import { isReturned, listBilledInvoices, subscriptionOf } from './refunds.ts';

/** What the payment provider knows of a customer. Each call @throws when the provider cannot be asked. */
export type CustomerSource = {
  /** The customer as of now; `missing`: the account has never heard of it, which is what wrong keys look like, too. */
  read(customerId: string): Promise<CustomerSnapshot | 'missing'>;
  /**
   * The accounts that the metadata of the customer and of its subscriptions name; only the secret key can write these.
   * Undefined when there is no such customer any more.
   */
  readUserIds(customerId: string): Promise<readonly string[] | undefined>;
};

const PAGE = 100;
/** More than anybody has; the newest come first. */
const MAX_SUBSCRIPTIONS = 500;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function openCustomerSource(stripe: Stripe): CustomerSource {
  return {
    async read(customerId) {
      const customer = await retrieveCustomer(stripe, customerId);
      if (customer === 'missing') return customer;
      const [subscriptions, payments] = await Promise.all([
        listSubscriptions(stripe, customerId, ['data.discounts.source.coupon']),
        listPayments(stripe, customerId),
      ]);
      return {
        isDeleted: customer === 'deleted',
        subscriptions: subscriptions.map(
          (subscription): PaidSubscription => ({
            subscription,
            payments: payments.get(subscription.id) ?? [],
          }),
        ),
      };
    },
    async readUserIds(customerId) {
      const customer = await retrieveCustomer(stripe, customerId);
      if (typeof customer === 'string') return undefined;
      const subscriptions = await listSubscriptions(stripe, customerId, []);
      const named = [customer, ...subscriptions].map(({ metadata }) => metadata['user_id'] ?? '');
      return [...new Set(named)].filter((id) => UUID.test(id));
    },
  };
}

async function retrieveCustomer(stripe: Stripe, customerId: string) {
  try {
    const customer = await stripe.customers.retrieve(customerId);
    return customer.deleted ? 'deleted' : customer;
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  }
}

async function listSubscriptions(stripe: Stripe, customer: string, expand: string[]) {
  return await stripe.subscriptions
    .list({ customer, status: 'all', limit: PAGE, expand })
    .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS });
}

/** The payments are compared with one another, not with a time of ours. */
const NO_TIME = new Date(0);

/** By subscription. */
async function listPayments(stripe: Stripe, customer: string) {
  const { billed } = await listBilledInvoices(stripe, customer, NO_TIME);
  const found = new Map<string, SubscriptionPayment[]>();
  for (const { invoice, charges } of billed) {
    const subscription = subscriptionOf(invoice);
    if (subscription === undefined) continue;
    const payments = found.get(subscription) ?? [];
    found.set(subscription, payments);
    for (const charge of charges.filter(isPayment))
      payments.push({
        created: charge.created,
        isReturned: isReturned(charge) || (await isLostDispute(stripe, charge)),
      });
  }
  return found;
}

function isPayment({ status, amount_captured }: Stripe.Charge): boolean {
  return status === 'succeeded' && amount_captured > 0;
}

/** As long as a dispute is open nobody knows whose the money is. */
async function isLostDispute(stripe: Stripe, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false;
  const disputes = await stripe.disputes.list({ charge: id, limit: PAGE });
  return disputes.data.some(({ status }) => status === 'lost');
}

/** What was paid for one invoice of a subscription. */
export type SubscriptionPayment = {
  /** When it was taken, in seconds. */
  readonly created: number;
  /** Nothing of it is left: it was refunded in full, or a dispute about it was lost. */
  readonly isReturned: boolean;
};

/** A subscription, with its newest payments. */
export type PaidSubscription = {
  readonly subscription: Stripe.Subscription;
  readonly payments: readonly SubscriptionPayment[];
};

/** A customer at one moment. */
export type CustomerSnapshot = {
  readonly subscriptions: readonly PaidSubscription[];
  /** Deleted at the provider, which ended all subscriptions. */
  readonly isDeleted?: boolean;
};
