import type { IncomingMail, Unreceived } from './incoming-mail.ts';

export type ReceivingTerms = {
  readonly secret: string;
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** Makes sure that a request is its provider's, and takes the message out of it. */
export type ReceiveMail = (request: Request, terms: ReceivingTerms) => Promise<IncomingMail | Unreceived>;
