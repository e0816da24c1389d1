import type Stripe from 'stripe';

/** Where Stripe answers an id or, expanded, the whole object, the id is what is kept. */
type StoredField<V> = string extends V
  ? Exclude<V, { id: string }>
  : V extends readonly (infer Item)[]
    ? string extends Item
      ? Exclude<Item, { id: string }>[]
      : V
    : V;
export type Stored<T> = { [K in keyof T]: StoredField<T[K]> };

/** How a card of the emulator behaves; kept beside its payment method, which shows no more than Stripe would. */
export type CardBehaviour = {
  readonly id: string;
  readonly object: 'emulator.card';
  readonly created: number;
  /** Why charges are refused, as Stripe's decline codes say it; null: they are not. */
  readonly decline: string | null;
  /** Whether its first charge goes through all the same. */
  sparesFirstCharge: boolean;
};

/** What a checkout page remembers and its session does not show. */
export type CheckoutDraft = {
  readonly id: string;
  readonly object: 'emulator.checkout';
  readonly created: number;
  readonly session: string;
  /** Goes up with every form that is accepted: a form rendered before that is stale. */
  version: number;
  readonly price: string;
  readonly quantity: number;
  readonly trialEnd: number | null;
  readonly subscriptionMetadata: Record<string, string>;
  promotionCode: string | null;
  coupon: string | null;
  email: string | null;
  /** The card that waits for its owner's confirmation. */
  awaitingCard: string | null;
  /** Where the form that was accepted last led to, below the page's address: the second of two clicks goes there, too. */
  redirectedTo: string | null;
};

/** What a portal page remembers. */
export type PortalDraft = {
  readonly id: string;
  readonly object: 'emulator.portal';
  readonly created: number;
  version: number;
  /** What was said about the form that was accepted last. */
  lastNotice: string | null;
  expiresAt: number;
};

/** The emulator's own state. */
export type EmulatorSettings = {
  readonly id: 'emulator_settings';
  readonly object: 'emulator.settings';
  readonly created: number;
  /** How far the clock runs ahead of the real time. */
  offsetMs: number;
  /** Nothing is delivered while the webhook is "down". */
  isHeld: boolean;
  /** What becomes of a subscription whose last attempt to collect has failed. */
  afterDunning: 'canceled' | 'unpaid';
};

/** An event on its way to the webhook. */
export type Delivery = {
  readonly id: string;
  readonly object: 'emulator.delivery';
  readonly created: number;
  readonly event: string;
  attempts: number;
  /** Until when, on the real clock, one copy of the server is busy with it; milliseconds. */
  leasedUntil: number;
  status: 'pending' | 'delivered' | 'given_up';
  lastFailure: string | null;
};

/** The answer to a request with an idempotency key. */
export type IdempotentAnswer = {
  readonly id: string;
  readonly object: 'emulator.answer';
  readonly created: number;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: unknown;
};

/** Every object that is kept, by the word for its kind. */
export type ObjectOf = {
  customer: Stored<Stripe.Customer>;
  product: Stored<Stripe.Product>;
  price: Stored<Stripe.Price>;
  coupon: Stored<Stripe.Coupon>;
  promotion_code: Stored<Stripe.PromotionCode>;
  discount: Stored<Stripe.Discount>;
  payment_method: Stored<Stripe.PaymentMethod>;
  'checkout.session': Stored<Stripe.Checkout.Session>;
  subscription: Stored<Stripe.Subscription>;
  invoiceitem: Stored<Stripe.InvoiceItem>;
  invoice: Stored<Stripe.Invoice>;
  invoice_payment: Stored<Stripe.InvoicePayment>;
  payment_intent: Stored<Stripe.PaymentIntent>;
  charge: Stored<Stripe.Charge>;
  refund: Stored<Stripe.Refund>;
  dispute: Stored<Stripe.Dispute>;
  'billing_portal.session': Stored<Stripe.BillingPortal.Session>;
  event: EmulatorEvent;
  'emulator.card': CardBehaviour;
  'emulator.checkout': CheckoutDraft;
  'emulator.portal': PortalDraft;
  'emulator.settings': EmulatorSettings;
  'emulator.delivery': Delivery;
  'emulator.answer': IdempotentAnswer;
};

export type Kind = keyof ObjectOf;

/** The SDK's own type of events is a union of hundreds of types; the emulator writes some thirty of them. */
export type EmulatorEvent = {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string | null;
  readonly created: number;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
  readonly livemode: false;
  pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
  readonly type: string;
};

export type Customer = ObjectOf['customer'];
export type Price = ObjectOf['price'];
export type Coupon = ObjectOf['coupon'];
export type PromotionCode = ObjectOf['promotion_code'];
export type Discount = ObjectOf['discount'];
export type PaymentMethod = ObjectOf['payment_method'];
export type CheckoutSession = ObjectOf['checkout.session'];
export type Subscription = ObjectOf['subscription'];
export type InvoiceItem = ObjectOf['invoiceitem'];
export type Invoice = ObjectOf['invoice'];
export type PaymentIntent = ObjectOf['payment_intent'];
export type Charge = ObjectOf['charge'];
export type Refund = ObjectOf['refund'];
export type Dispute = ObjectOf['dispute'];
export type PortalSession = ObjectOf['billing_portal.session'];
