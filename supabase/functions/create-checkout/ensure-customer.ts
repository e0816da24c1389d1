import type { Stripe } from 'stripe';
import { isMissing } from '../_shared/answer-payment-failure.ts';
import { callAsService } from '../_shared/call-as-service.ts';
import type { DatabaseAccess } from '../_shared/call-database.ts';

export type CustomerDeps = {
  readonly stripe: Stripe;
  /** With the service key. */
  readonly service: DatabaseAccess;
};

export type Buyer = { readonly id: string; readonly email: string | undefined };

/** A person whose customer was deleted more often than that within a day is not helped by one more. */
const MAX_DELETED = 5;

/**
 * Makes the person's customer at the provider, or finds the one that another call has made meanwhile: the provider answers
 * the same customer to the same key, and the database keeps the one that was recorded first.
 * @returns undefined when there is no such account (any more).
 */
export async function createCustomer(deps: CustomerDeps, buyer: Buyer): Promise<string | undefined> {
  const customerId = await createLivingCustomer(deps.stripe, buyer);
  const args = { user_id: buyer.id, customer_id: customerId };
  const standing = await callAsService(deps.service, 'claim_stripe_customer', args);
  return typeof standing === 'string' ? standing : undefined;
}

async function createLivingCustomer(stripe: Stripe, { id, email }: Buyer): Promise<string> {
  // For a day the provider answers a key as it did at first, even when the customer has been deleted since.
  let key = `customer-${id}`;
  for (let deleted = 0; ; deleted += 1) {
    const customer = await stripe.customers.create({ metadata: { user_id: id } }, { idempotencyKey: key });
    try {
      // Not among the parameters of the key: an address may change between two tries.
      await stripe.customers.update(customer.id, {
        preferred_locales: ['pt-BR'],
        ...(email ? { email } : {}),
      });
      return customer.id;
    } catch (error) {
      if (!isMissing(error) || deleted === MAX_DELETED) throw error;
      key = `customer-${id}-after-${customer.id}`;
    }
  }
}

/** Whether the provider knows this customer no more: deleted there, or of another account of the operator's. */
export async function isCustomerGone(stripe: Stripe, customerId: string): Promise<boolean> {
  try {
    const customer = await stripe.customers.retrieve(customerId);
    return customer.deleted === true;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** Lets the account have another customer, as the provider's own word of the deletion would. */
export async function releaseCustomer(service: DatabaseAccess, customerId: string): Promise<void> {
  const ticket = await callAsService(service, 'begin_subscription_sync', { customer_id: customerId });
  // Somebody else has done it.
  if (ticket === null) return;
  await callAsService(service, 'apply_subscription', { customer_id: customerId, ticket, state: null });
}
