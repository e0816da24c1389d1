import type { IncomingHttpHeaders } from 'node:http';
import type { ResolvedCaller } from '../../../kernel/resolve-caller.ts';
import { type RestFailure, restError } from '../rest-error.ts';

/** The four keys, always all of them. */
export function presentFailure(failure: RestFailure): RestResponse {
  const { status, statusText, code, message, details, hint, headers } = failure;
  return {
    status,
    ...(statusText === undefined ? {} : { statusText }),
    headers: { 'content-type': 'application/json; charset=utf-8', ...nameCode(code), ...headers },
    body: JSON.stringify({ code, message, details, hint }),
  };
}

/** Also where there is no body (RFC 9209). A code that somebody raised may be anything. */
function nameCode(code: string): Readonly<Record<string, string>> {
  return /^[\w.:-]{1,64}$/.test(code) ? { 'proxy-status': `PostgREST; error=${code}` } : {};
}

/** An answer ready to be written. Header names are lower-case; a list makes several headers of one name. */
export type RestResponse = {
  readonly status: number;
  /** The reason phrase; undefined: the usual one. */
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Buffer | undefined;
};

type Reason = Extract<ResolvedCaller, { ok: false }>['reason'];

/** What is wrong with the caller's token, in PostgREST's words. */
export function explainRefusal(reason: Reason, headers: IncomingHttpHeaders): RestFailure {
  switch (reason) {
    case 'expired':
      return restError.jwtExpired();
    case 'not_yet_valid':
      return restError.jwtClaims('JWT not yet valid');
    case 'forbidden_role':
      return restError.jwtClaims('JWT role is not allowed');
    case 'bad_signature':
      return restError.jwtUnverifiable();
    case 'malformed':
      return restError.jwtMalformed(explainMalformed(headers));
  }
}

function explainMalformed({ authorization = '' }: IncomingHttpHeaders): string {
  const token = authorization.replace(/^bearer +/i, '').trim();
  const parts = token.split('.').length;
  return parts === 3 || token === '' ? "JWT couldn't be decoded" : `Expected 3 parts in JWT; got ${parts}`;
}
