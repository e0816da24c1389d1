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
export const TEST_CARDS: readonly TestCard[] = [
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
