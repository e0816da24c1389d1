import type { RestFailure } from './rest-error.ts';

/** What the pure stages return: a value, or an expected failure ready to be presented. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: RestFailure };

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail(failure: RestFailure): { readonly ok: false; readonly failure: RestFailure } {
  return { ok: false, failure };
}
