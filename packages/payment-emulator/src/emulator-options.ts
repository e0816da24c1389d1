import type { EmulatorStore } from './store/emulator-store.ts';

/** A price that can be bought. */
export type EmulatorPrice = {
  /** As in `price_emulator_plus_monthly`. */
  readonly id: string;
  /** The plan's name as a person reads it; prices of one name are one product. */
  readonly productName: string;
  /** Put into the product's metadata as `plan`. */
  readonly plan: string;
  readonly interval: 'month' | 'year';
  readonly amountCents: number;
  /** ISO 4217 in lower case, as Stripe writes it. */
  readonly currency: string;
};

export type EmulatorLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Everything the emulator needs from outside. */
export type EmulatorOptions = {
  readonly store: EmulatorStore;
  readonly prices: readonly EmulatorPrice[];
  /** What callers of the API prove themselves with; begins with `sk_test_`. */
  readonly secretKey: string;
  /** What webhooks are signed with; begins with `whsec_`. */
  readonly webhookSecret: string;
  /** Where webhooks go; undefined while the receiver does not listen yet. */
  readonly webhookUrl: () => string | undefined;
  /** The public address of the emulator's pages, without a slash at the end: `https://example.com/payment-emulator`. */
  readonly siteUrl: string;
  /** The real time: the emulator's own clock is this plus what it has been moved by. */
  readonly now: () => Date;
  readonly fetch: typeof fetch;
  readonly logger: EmulatorLogger;
};

export type RequestOrigin = {
  /** Whether the installation's operator asks: the control page shows itself to nobody else. */
  readonly isOperator: boolean;
};

/** A payment provider in the process: an API that Stripe's SDK speaks, pages for people, and signed webhooks. */
export type PaymentEmulator = {
  /** Answers any path below `/payment-emulator`. Never rejects. */
  handle(request: Request, origin: RequestOrigin): Promise<Response>;
  /** Begins to renew, collect and deliver by itself. The process may end without waiting for it. */
  start(): void;
  /** Waits for the deliveries under way; the rest stays in the store. */
  stop(): Promise<void>;
  /** Does what is due at this moment and delivers what can be delivered: what `start` does again and again. */
  work(): Promise<void>;
};
