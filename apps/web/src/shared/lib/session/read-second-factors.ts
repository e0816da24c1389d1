import type { Session } from '@supabase/auth-js';
import { readClaims } from './read-claims.ts';

/** What somebody can prove themselves with after the password. */
export interface SecondFactor {
  readonly id: string;
  readonly type: string;
  /** As its owner called it; may be empty. */
  readonly name: string;
}

/**
 * What the session still has to prove before it opens anything: one of these factors. Empty when there is nothing to prove.
 * (As the client's `getAuthenticatorAssuranceLevel`: level `aal1`, next level `aal2`.)
 */
export function listPendingFactors({ access_token: token, user }: Session): readonly SecondFactor[] {
  if (readClaims(token)['aal'] !== 'aal1') return [];
  return (user.factors ?? [])
    .filter(({ status }) => status === 'verified')
    .map(({ id, factor_type: type, friendly_name: name = '' }) => ({ id, type, name }));
}
