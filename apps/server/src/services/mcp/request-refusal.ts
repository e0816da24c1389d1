import type { Challenge } from './protected-resource.ts';

/** What is refused before any message is read. */
const CATALOGUE = {
  missing_token: {
    status: 401,
    text: 'Connect with OAuth, or send a personal token in the header Authorization.',
  },
  invalid_token: { status: 401, text: 'The token is unknown, has ended, or is for another server.' },
  insufficient_scope: { status: 403, text: 'The token may not do this.' },
  token_in_address: {
    status: 400,
    text: 'Tokens are taken in the header Authorization, never in the address.',
  },
  foreign_origin: { status: 403, text: 'Pages of other origins may not connect.' },
  too_many: { status: 429, text: 'Too many messages in a short time.' },
} as const;

export type Fault = keyof typeof CATALOGUE;

type Details = {
  readonly challenge?: Challenge;
  /** Seconds after which it is worth trying again. */
  readonly retryAfter?: number;
};

/** A refusal by the service itself, outside the protocol's own messages. */
export class RequestRefusal extends Error {
  readonly fault: Fault;
  readonly status: number;
  readonly details: Details;

  constructor(fault: Fault, details: Details = {}) {
    super(CATALOGUE[fault].text);
    this.fault = fault;
    this.status = CATALOGUE[fault].status;
    this.details = details;
  }
}

/** Body of a refusal, as OAuth's resource servers answer (RFC 6750). */
export function presentRefusal({ fault, message }: RequestRefusal): Readonly<Record<string, string>> {
  return { error: fault, error_description: message };
}
