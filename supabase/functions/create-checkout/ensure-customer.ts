import type { Stripe } from 'stripe';
import { isMissing } from '../_shared/answer-payment-failure.ts';
import type { SubscriptionStore } from '../_shared/open-subscription-store.ts';

export type CustomerDeps = {
  readonly stripe: Stripe;
  readonly store: CustomerStore;
};

/** Who an account's customer is. */
export type CustomerStore = Pick<SubscriptionStore, 'claim' | 'begin' | 'apply'>;

export type Buyer = { readonly id: string; readonly email: string | undefined };

/** A person whose customer was deleted more often than that within a day is not helped by one more. */
const MAX_DELETED = 5;

/**
 * Makes the person's customer at the provider, or finds the one that another call has made meanwhile: the provider answers
 * the same customer to the same key, and the database keeps the one that was recorded first.
 * @returns undefined when there is no such account (any more).
 */
export async function createCustomer(deps: CustomerDeps, buyer: Buyer): Promise<string | undefined> {
  return await deps.store.claim(buyer.id, await createLivingCustomer(deps.stripe, buyer));
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
export async function releaseCustomer(store: CustomerStore, customerId: string): Promise<void> {
  const ticket = await store.begin(customerId);
  // Without one somebody else has done it.
  if (ticket !== undefined) await store.apply(customerId, ticket, undefined, undefined);
}
