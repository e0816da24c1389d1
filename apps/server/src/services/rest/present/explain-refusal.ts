import type { IncomingHttpHeaders } from 'node:http';
import type { ResolvedCaller } from '../../../kernel/resolve-caller.ts';
import { type RestFailure, restError } from '../rest-error.ts';

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
