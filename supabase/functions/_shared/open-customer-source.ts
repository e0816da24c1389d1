import { Stripe } from 'stripe';
import type { CustomerSnapshot, PaidSubscription, SubscriptionPayment } from './customer-snapshot.ts';

/** What the payment provider knows of a customer. Each call @throws when the provider cannot be asked. */
export type CustomerSource = {
  /**
   * The customer as of now. `deleted`: there was one. `missing`: the account has never heard of it, which is what wrong keys look
   * like, too.
   */
  read(customerId: string): Promise<CustomerSnapshot | 'deleted' | 'missing'>;
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
      if (typeof customer === 'string') return customer;
      const [subscriptions, payments] = await Promise.all([
        listSubscriptions(stripe, customerId, ['data.discounts.source.coupon']),
        listPayments(stripe, customerId),
      ]);
      return {
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
    if (error instanceof Stripe.errors.StripeError && error.code === 'resource_missing') return 'missing';
    throw error;
  }
}

async function listSubscriptions(stripe: Stripe, customer: string, expand: string[]) {
  return await stripe.subscriptions
    .list({ customer, status: 'all', limit: PAGE, expand })
    .autoPagingToArray({ limit: MAX_SUBSCRIPTIONS });
}

/** By subscription. An invoice knows what it is for and what paid it, a charge whether the money was kept. */
async function listPayments(stripe: Stripe, customer: string) {
  const [invoices, charges] = await Promise.all([
    stripe.invoices.list({ customer, limit: PAGE, expand: ['data.payments'] }),
    stripe.charges.list({ customer, limit: PAGE }),
  ]);
  const subscriptionOf = new Map<string, string>();
  for (const { parent, payments } of invoices.data) {
    const subscription = idOf(parent?.subscription_details?.subscription);
    for (const { payment } of payments?.data ?? []) {
      const paidBy = idOf(payment.payment_intent) ?? idOf(payment.charge);
      if (subscription !== undefined && paidBy !== undefined) subscriptionOf.set(paidBy, subscription);
    }
  }
  const found = new Map<string, SubscriptionPayment[]>();
  for (const charge of charges.data) {
    const subscription = subscriptionOf.get(idOf(charge.payment_intent) ?? charge.id);
    if (subscription === undefined || charge.status !== 'succeeded' || charge.amount_captured === 0) continue;
    const isReturned =
      charge.amount_refunded >= charge.amount_captured || (await isLostDispute(stripe, charge));
    found.set(subscription, [...(found.get(subscription) ?? []), { created: charge.created, isReturned }]);
  }
  return found;
}

/** As long as a dispute is open nobody knows whose the money is. */
async function isLostDispute(stripe: Stripe, { id, disputed }: Stripe.Charge): Promise<boolean> {
  if (!disputed) return false;
  const disputes = await stripe.disputes.list({ charge: id, limit: PAGE });
  return disputes.data.some(({ status }) => status === 'lost');
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id;
}
