import { createId } from '../ledger/create-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CardBehaviour, Customer, PaymentMethod } from '../ledger/object-kinds.ts';
import type { TestCard } from './test-cards.ts';

const VALID_FOR_SECONDS = 3 * 366 * 86_400;

/** Keeps a test card for a customer: its brand and last four digits, never the number. */
export function keepCard(ledger: Ledger, customer: Customer, card: TestCard): PaymentMethod {
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
