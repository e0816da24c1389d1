import { drawCustomer } from '../billing/draw-customer.ts';
import { keepCard } from '../billing/keep-card.ts';
import { startSubscription } from '../billing/start-subscription.ts';
import type { TestCard } from '../billing/test-cards.ts';
import { createId } from '../ledger/create-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckoutDraft, CheckoutSession, Customer } from '../ledger/object-kinds.ts';
import { addUpCheckout } from './checkout-totals.ts';

export type CheckoutPayment = {
  readonly session: CheckoutSession;
  readonly draft: CheckoutDraft;
  readonly card: TestCard;
  readonly email: string | null;
};

/** Pays a checkout: the customer, their card and their subscription come to be, and the session is complete. */
export async function completeCheckout(
  ledger: Ledger,
  { session, draft, card, email }: CheckoutPayment,
): Promise<void> {
  const totals = await addUpCheckout(ledger, draft);
  const customer = await findOrCreateCustomer(ledger, session, email);
  const method = keepCard(ledger, customer, card);
  const { subscription, invoice } = await startSubscription(
    ledger,
    {
      customer,
      price: totals.price,
      quantity: draft.quantity,
      trialEnd: draft.trialEnd,
      metadata: draft.subscriptionMetadata,
      paymentMethod: method.id,
    },
    totals.gift,
  );
  session.status = 'complete';
  session.payment_status = invoice.amount_paid > 0 ? 'paid' : 'no_payment_required';
  session.customer = customer.id;
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  session.amount_total = totals.today;
  session.total_details = {
    amount_discount: totals.isTrial ? 0 : totals.discount,
    amount_shipping: 0,
    amount_tax: 0,
  };
  session.url = null;
  await countRedemption(ledger, totals.gift?.promotionCode ?? null);
  ledger.save('checkout.session', session, { dueAt: null });
  ledger.emit('checkout.session.completed', session);
}

async function findOrCreateCustomer(
  ledger: Ledger,
  session: CheckoutSession,
  email: string | null,
): Promise<Customer> {
  if (session.customer !== null) return ledger.require('customer', session.customer);
  const customer = drawCustomer(ledger, createId('cus'));
  customer.email = email;
  ledger.save('customer', customer);
  ledger.emit('customer.created', customer);
  return customer;
}

async function countRedemption(ledger: Ledger, promotionCode: string | null): Promise<void> {
  const promotion = await ledger.find('promotion_code', promotionCode);
  if (!promotion) return;
  promotion.times_redeemed += 1;
  ledger.save('promotion_code', promotion);
}
