import { createHash } from 'node:crypto';

/**
 * The nonce of a flow (OpenID Connect Core, section 3.1.2.1). It travels in the open, the verifier never does: one follows from
 * the other so that only one has to be kept.
 */
export function deriveNonce(verifier: string): string {
  return createHash('sha256').update(`nonce ${verifier}`).digest('base64url');
}
