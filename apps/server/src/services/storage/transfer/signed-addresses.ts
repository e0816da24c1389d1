import type { Caller } from '../../../kernel/caller.ts';
import type { TokenPurpose } from '../../../kernel/keyring.ts';
import { readOwner } from '../resolve-storage-caller.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import type { FileAddress } from './read-address.ts';

type SigningDeps = Pick<StorageDeps, 'keyring' | 'now'>;

/** In the platform's words. */
const REASONS = {
  expired: '"exp" claim timestamp check failed',
  not_yet_valid: '"nbf" claim timestamp check failed',
  malformed: 'Invalid Compact JWS',
  bad_signature: 'signature verification failed',
} as const;

/** The path that a token opens, as it stands in the address and in the token. */
export function toPath({ bucket, name }: FileAddress): string {
  return `${bucket}/${name}`;
}

/** A token with which anybody may read one file until it expires. */
export function signDownload(
  { keyring, now }: SigningDeps,
  address: FileAddress,
  lifetimeS: number,
): Promise<string> {
  const iat = toSeconds(now());
  return keyring.signPurposeToken('storage-download', { url: toPath(address), iat, exp: iat + lifetimeS });
}

/** @returns until when the token opens the file. @throws StorageError when it does not. */
export function verifyDownload(deps: SigningDeps, token: string | undefined, address: FileAddress): Date {
  const { exp } = verify(deps, 'storage-download', token, address);
  return new Date(Number(exp) * 1000);
}

/**
 * A token with which anybody may write one file, once, or again and again with `upsert`, in the name of the one who signed: what they
 * may not do by then, the token may not either.
 */
export function signUpload(
  { keyring, now }: SigningDeps,
  address: FileAddress,
  {
    caller,
    upsert,
    lifetimeS,
  }: { readonly caller: Caller; readonly upsert: boolean; readonly lifetimeS: number },
): Promise<string> {
  const iat = toSeconds(now());
  return keyring.signPurposeToken('storage-upload', {
    url: toPath(address),
    upsert,
    as: caller.role,
    owner: readOwner(caller),
    iat,
    exp: iat + lifetimeS,
  });
}

/** @throws StorageError when the token does not allow writing that file. */
export function verifyUpload(
  deps: SigningDeps,
  token: string | undefined,
  address: FileAddress,
): { readonly caller: Caller; readonly upsert: boolean } {
  const { upsert, as, owner, iat } = verify(deps, 'storage-upload', token, address);
  const role = as as Caller['role'];
  // The time of signing: an account that was closed since then does not write by its older addresses.
  const claims = { role, iat, ...(typeof owner === 'string' ? { sub: owner } : {}) };
  return { caller: { role, claims }, upsert: upsert === true };
}

function verify(
  { keyring, now }: SigningDeps,
  purpose: TokenPurpose,
  token: string | undefined,
  address: FileAddress,
) {
  if (token === undefined)
    throw storageError.invalidRequest(`querystring must have required property 'token'`);
  const verified = keyring.verifyPurposeToken(purpose, token, now());
  if (!verified.ok) throw storageError.invalidSignedToken(REASONS[verified.reason]);
  if (verified.claims['url'] !== toPath(address)) throw storageError.invalidSignature();
  return verified.claims;
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
