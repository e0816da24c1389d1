import { saveCard } from '../billing/cards.ts';
import { refundCharge } from '../billing/charges.ts';
import { collectInvoice, collectOpenInvoices } from '../billing/collect-invoice.ts';
import { changePrice } from '../billing/price-changes.ts';
import { endSubscription, itemOf, scheduleCancellation } from '../billing/subscriptions.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Subscription } from '../ledger/object-kinds.ts';
import { readCardChoice } from './card-choice.ts';
import type { CustomerAccount } from './customer-account.ts';
import { type NoticeCode, noticeOfDecline } from './format-words.ts';
import { PageRefusal } from './html.ts';

export type PortalAction = 'change' | 'cancel' | 'resume' | 'card' | 'pay' | 'refund';

/** What was shown may be confirmed for so long; then the amounts are worked out anew. */
const OFFER_HOLDS_SECONDS = 1800;

/**
 * Does what a form of the portal asks for.
 * @returns what to say about it; undefined for a form that does not exist.
 * @throws PageRefusal when it cannot be done: nothing has changed then.
 */
export async function performPortalStep(
  ledger: Ledger,
  account: CustomerAccount,
  action: PortalAction,
  form: URLSearchParams,
): Promise<NoticeCode | undefined> {
  if (action === 'card') return changeCard(ledger, account, form);
  const { subscription } = account;
  if (!subscription || subscription.ended_at !== null) throw new PageRefusal('nothing_to_change');
  if (action === 'change') return changePlan(ledger, account, subscription, form);
  if (action === 'cancel' || action === 'resume') {
    const isCancelling = action === 'cancel';
    if (isCancelling === (subscription.cancel_at !== null)) throw new PageRefusal('nothing_to_change');
    scheduleCancellation(ledger, subscription, isCancelling);
    return isCancelling ? 'cancellation_scheduled' : 'cancellation_undone';
  }
  if (action === 'pay') return payInvoice(ledger, account);
  return action === 'refund' ? refund(ledger, account, subscription) : undefined;
}

async function changePlan(
  ledger: Ledger,
  account: CustomerAccount,
  subscription: Subscription,
  form: URLSearchParams,
): Promise<NoticeCode> {
  const price = await ledger.find('price', form.get('price'));
  const item = itemOf(subscription);
  if (!price?.active || price.id === item.price.id) throw new PageRefusal('nothing_to_change');
  if (account.openInvoice) throw new PageRefusal('pay_first');
  const back = `/confirm?price=${encodeURIComponent(price.id)}`;
  const shownAt = Number(form.get('at'));
  const isStale =
    !Number.isInteger(shownAt) ||
    shownAt > ledger.time ||
    shownAt < ledger.time - OFFER_HOLDS_SECONDS ||
    shownAt < item.current_period_start;
  if (isStale) throw new PageRefusal('stale', back);
  const before = structuredClone(subscription);
  const invoice = await changePrice(ledger, subscription, {
    price,
    quantity: item.quantity ?? 1,
    behaviour: 'always_invoice',
    prorationDate: shownAt,
  });
  if (invoice?.status === 'open') throw new PageRefusal('generic_decline', back);
  ledger.emit('customer.subscription.updated', subscription, before);
  return 'plan_changed';
}

async function changeCard(
  ledger: Ledger,
  account: CustomerAccount,
  form: URLSearchParams,
): Promise<NoticeCode> {
  const { card, fault } = readCardChoice(form, ledger.time);
  if (fault !== undefined) throw new PageRefusal(fault, '/card');
  // A card is tried before it is kept, with an amount of nothing.
  if (card.decline !== null && !card.sparesFirstCharge)
    throw new PageRefusal(noticeOfDecline(card.decline), '/card');
  const { customer, subscription } = account;
  const beforeCustomer = structuredClone(customer);
  const method = saveCard(ledger, customer, card);
  customer.invoice_settings.default_payment_method = method.id;
  ledger.emit('customer.updated', customer, beforeCustomer);
  if (subscription && subscription.ended_at === null) {
    const before = structuredClone(subscription);
    subscription.default_payment_method = method.id;
    ledger.emit('customer.subscription.updated', subscription, before);
  }
  const collection = await collectOpenInvoices(ledger, customer);
  return collection.isPaid ? 'card_changed' : noticeOfDecline(collection.decline);
}

async function payInvoice(ledger: Ledger, { openInvoice }: CustomerAccount): Promise<NoticeCode> {
  if (!openInvoice) throw new PageRefusal('nothing_to_change');
  const collection = await collectInvoice(ledger, openInvoice);
  return collection.isPaid ? 'invoice_paid' : noticeOfDecline(collection.decline);
}

async function refund(
  ledger: Ledger,
  account: CustomerAccount,
  subscription: Subscription,
): Promise<NoticeCode> {
  if (account.refundable.length === 0) throw new PageRefusal('not_refundable');
  for (const charge of account.refundable)
    refundCharge(ledger, charge, {
      amount: charge.amount - charge.amount_refunded,
      reason: 'requested_by_customer',
      metadata: { subscription: idOf(subscription) ?? '' },
    });
  await endSubscription(ledger, subscription, { reason: 'cancellation_requested' });
  return 'refunded';
}
