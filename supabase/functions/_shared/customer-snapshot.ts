import type { Stripe } from 'stripe';

/** What was paid for one invoice of a subscription. */
export type SubscriptionPayment = {
  /** When it was taken, in seconds. */
  readonly created: number;
  /** Nothing of it is left: it was refunded in full, or a dispute about it was lost. */
  readonly isReturned: boolean;
};

/** A subscription, with its newest payments. */
export type PaidSubscription = {
  readonly subscription: Stripe.Subscription;
  readonly payments: readonly SubscriptionPayment[];
};

/** A customer at one moment. */
export type CustomerSnapshot = {
  readonly subscriptions: readonly PaidSubscription[];
  /** Deleted at the provider, which ended all subscriptions. */
  readonly isDeleted?: boolean;
};
