import type { RestFailure } from '../rest-error.ts';
import type { RestResponse } from './rest-response.ts';

/** The four keys, always all of them. */
export function presentFailure({ status, code, message, details, hint, headers }: RestFailure): RestResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify({ code, message, details, hint }),
  };
}
