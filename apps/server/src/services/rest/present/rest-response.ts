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
      return explainMalformed(headers);
  }
}

function explainMalformed({ authorization = '' }: IncomingHttpHeaders): RestFailure {
  const token = authorization.replace(/^bearer +/i, '').trim();
  const [, payload = '', ...others] = token.split('.');
  if (others.length !== 1 && token !== '')
    return restError.jwtMalformed(`Expected 3 parts in JWT; got ${token.split('.').length}`);
  const fault = findClaimFault(parseClaims(payload));
  return fault === undefined ? restError.jwtMalformed("JWT couldn't be decoded") : restError.jwtClaims(fault);
}

function parseClaims(payload: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return {};
  }
}

/** A registered claim that is of another kind than RFC 7519 (4.1) says, in PostgREST's words; undefined where there is none. */
export function findClaimFault(claims: Readonly<Record<string, unknown>>): string | undefined {
  const timed = ['exp', 'nbf', 'iat'].find(
    (name) => !isAbsent(claims[name]) && typeof claims[name] !== 'number',
  );
  if (timed !== undefined) return `The JWT '${timed}' claim must be a number`;
  const { aud } = claims;
  const named = Array.isArray(aud) ? aud : [aud];
  return isAbsent(aud) || named.every((name) => typeof name === 'string')
    ? undefined
    : "The JWT 'aud' claim must be a string or an array of strings";
}

const isAbsent = (claim: unknown): boolean => claim === undefined || claim === null;
