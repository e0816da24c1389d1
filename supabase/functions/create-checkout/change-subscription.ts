import { Stripe } from 'stripe';
import type { PriceBook } from '../_shared/read-price-book.ts';
import type { ReturnAddresses } from './return-addresses.ts';

export type Change = {
  readonly subscription: Stripe.Subscription;
  readonly customer: string;
  readonly priceId: string;
  readonly addresses: ReturnAddresses;
};

type FlowData = Stripe.BillingPortal.SessionCreateParams.FlowData;

/**
 * Opens the provider's portal where a running subscription is changed: it shows what the change costs, time already paid taken
 * off, and asks for a confirmation. Without a good card it is the card that is changed.
 * @returns undefined when the subscription is the wished one already.
 */
export async function changeSubscription(
  stripe: Stripe,
  book: PriceBook,
  { subscription, customer, priceId, addresses }: Change,
): Promise<string | undefined> {
  const { status, cancel_at_period_end, cancel_at } = subscription;
  const item = findItem(subscription, book);
  const base = { customer, locale: 'pt-BR' } as const;
  const openHome = () => openPortal(stripe, { ...base, return_url: addresses.plain });
  if (status === 'past_due' || status === 'unpaid') {
    const flow = mendCard(addresses);
    return await openFlow(stripe, { ...base, return_url: addresses.plain, flow_data: flow }, openHome);
  }
  if (item !== undefined && isSame(book, item.price.id, priceId)) {
    // A cancellation is taken back there, a pause ended. The portal writes either of the two marks.
    const isEnding = cancel_at_period_end || cancel_at !== null;
    return isEnding || status === 'paused' ? await openHome() : undefined;
  }
  if (item === undefined || status === 'paused') return await openHome();
  const flow = confirmChange(subscription.id, item.id, priceId, addresses);
  return await openFlow(stripe, { ...base, return_url: addresses.canceled, flow_data: flow }, openHome);
}

function findItem({ items }: Stripe.Subscription, book: PriceBook): Stripe.SubscriptionItem | undefined {
  return items.data.find(({ price }) => book.find(price.id)) ?? items.data[0];
}

/** Whoever pays an earlier price of a plan has that plan, and is not led to pay more for it. */
function isSame(book: PriceBook, one: string, other: string): boolean {
  const [paid, wished] = [book.find(one), book.find(other)];
  return paid !== undefined && paid.plan === wished?.plan && paid.interval === wished.interval;
}

function confirmChange(subscription: string, item: string, price: string, to: ReturnAddresses): FlowData {
  return {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription, items: [{ id: item, price, quantity: 1 }] },
    after_completion: { type: 'redirect', redirect: { return_url: to.success } },
  };
}

function mendCard({ plain }: ReturnAddresses): FlowData {
  return {
    type: 'payment_method_update',
    after_completion: { type: 'redirect', redirect: { return_url: plain } },
  };
}

/** What the portal's settings do not let one do directly, its first page may still offer. */
async function openFlow(
  stripe: Stripe,
  params: Stripe.BillingPortal.SessionCreateParams,
  openHome: () => Promise<string>,
): Promise<string> {
  try {
    return await openPortal(stripe, params);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    const { code, param, requestId } = error;
    console.warn('the portal does not offer this change', {
      flow: params.flow_data?.type,
      code,
      param,
      requestId,
    });
    return await openHome();
  }
}

async function openPortal(stripe: Stripe, params: Stripe.BillingPortal.SessionCreateParams): Promise<string> {
  const { url } = await stripe.billingPortal.sessions.create(params);
  return url;
}
