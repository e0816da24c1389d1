import { createId, idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CardBehaviour, Customer, PaymentMethod, Subscription } from '../ledger/object-kinds.ts';

const VALID_FOR_SECONDS = 3 * 366 * 86_400;

/** Saves a test card for a customer: its brand and last four digits, never the number. */
export function saveCard(ledger: Ledger, customer: Customer, card: TestCard): PaymentMethod {
  const validUntil = new Date((ledger.time + VALID_FOR_SECONDS) * 1000);
  const method: PaymentMethod = {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: customer.email, name: null, phone: null, tax_id: null },
    card: {
      brand: card.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: card.brand,
      exp_month: validUntil.getUTCMonth() + 1,
      exp_year: validUntil.getUTCFullYear(),
      fingerprint: null,
      funding: 'credit',
      generated_from: null,
      last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: Math.floor(ledger.time),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  };
  const behaviour: CardBehaviour = {
    id: behaviourId(method.id),
    object: 'emulator.card',
    created: method.created,
    decline: card.decline,
    sparesFirstCharge: card.sparesFirstCharge ?? false,
  };
  ledger.save('payment_method', method);
  ledger.save('emulator.card', behaviour);
  ledger.emit('payment_method.attached', method);
  return method;
}

/** Where a payment method's behaviour is kept. */
export function behaviourId(paymentMethod: string): string {
  return `card_of_${paymentMethod}`;
}

/** The card that is charged: the subscription's own, else the customer's. */
export async function findPaymentMethod(
  ledger: Ledger,
  customerId: string | null,
  subscription: Subscription | undefined,
): Promise<string | null> {
  const own = idOf(subscription?.default_payment_method);
  if (own !== null) return own;
  const customer = await ledger.find('customer', customerId);
  return idOf(customer?.invoice_settings?.default_payment_method);
}

export type TestCard = {
  /** As in `pm_card_visa`: what Stripe calls the card in its API's test mode. */
  readonly token: string;
  readonly number: string;
  readonly brand: 'visa' | 'mastercard' | 'amex';
  /** Stripe's decline code; null: its charges go through. */
  readonly decline: string | null;
  /** Whether its first charge goes through all the same. */
  readonly sparesFirstCharge?: boolean;
  /** Whether its owner is asked to confirm the payment (3D Secure). */
  readonly asksConfirmation?: boolean;
};

/** Stripe's own test cards ("Testing", docs.stripe.com): no other number is accepted, and none of them belongs to anybody. */
const TEST_CARDS: readonly TestCard[] = [
  { token: 'pm_card_visa', number: '4242424242424242', brand: 'visa', decline: null },
  { token: 'pm_card_visa_debit', number: '4000056655665556', brand: 'visa', decline: null },
  { token: 'pm_card_mastercard', number: '5555555555554444', brand: 'mastercard', decline: null },
  { token: 'pm_card_amex', number: '378282246310005', brand: 'amex', decline: null },
  {
    token: 'pm_card_chargeDeclined',
    number: '4000000000000002',
    brand: 'visa',
    decline: 'generic_decline',
  },
  {
    token: 'pm_card_visa_chargeDeclinedInsufficientFunds',
    number: '4000000000009995',
    brand: 'visa',
    decline: 'insufficient_funds',
  },
  {
    token: 'pm_card_visa_chargeDeclinedLostCard',
    number: '4000000000009987',
    brand: 'visa',
    decline: 'lost_card',
  },
  {
    token: 'pm_card_chargeDeclinedExpiredCard',
    number: '4000000000000069',
    brand: 'visa',
    decline: 'expired_card',
  },
  {
    token: 'pm_card_chargeDeclinedIncorrectCvc',
    number: '4000000000000127',
    brand: 'visa',
    decline: 'incorrect_cvc',
  },
  {
    token: 'pm_card_chargeDeclinedProcessingError',
    number: '4000000000000119',
    brand: 'visa',
    decline: 'processing_error',
  },
  {
    token: 'pm_card_chargeCustomerFail',
    number: '4000000000000341',
    brand: 'visa',
    decline: 'generic_decline',
    sparesFirstCharge: true,
  },
  {
    token: 'pm_card_authenticationRequiredOnSetup',
    number: '4000002500003155',
    brand: 'visa',
    decline: null,
    asksConfirmation: true,
  },
];

/** Finds a card by its number, however it was grouped, or by Stripe's token for it. */
export function findTestCard(text: string): TestCard | undefined {
  const plain = text.replace(/[\s-]/g, '');
  return TEST_CARDS.find(({ number, token }) => number === plain || token === text);
}
