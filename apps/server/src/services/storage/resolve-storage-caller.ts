import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../kernel/caller-context.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import { storageError } from './storage-error.ts';

/** Why a token is refused, in the platform's words. */
const REASONS = {
  expired: '"exp" claim timestamp check failed',
  not_yet_valid: '"nbf" claim timestamp check failed',
  malformed: 'Invalid Compact JWS',
  bad_signature: 'signature verification failed',
  forbidden_role: 'Invalid role',
} as const;

/**
 * Who asks. Unlike elsewhere an API key in `apikey` is not enough (protocol note, section 4).
 * @throws StorageError without the header `Authorization`, and for a token that does not verify.
 */
export function resolveStorageCaller(keyring: Keyring, headers: IncomingHttpHeaders, now: Date): Caller {
  const { authorization } = headers;
  if (authorization === undefined) throw storageError.missingAuthorization();
  const resolved = resolveCaller(keyring, { authorization }, now);
  if (!resolved.ok) throw storageError.invalidJwt(REASONS[resolved.reason]);
  return resolved.caller;
}

/** Whose the caller's objects are: the `sub` of a person's token; an API key's are nobody's. */
export function readOwner({ claims }: Caller): string | null {
  return typeof claims['sub'] === 'string' ? claims['sub'] : null;
}
