import type { Caller } from '../../../kernel/caller-context.ts';
import type { Claims, TokenPurpose } from '../../../kernel/keyring.ts';
import { readOwner } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import type { FileAddress } from './media-type.ts';

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

/** A token with which anybody may read one file until it expires, or the account of the one who signed is closed. */
export function signDownload(
  { keyring, now }: SigningDeps,
  address: FileAddress,
  {
    caller,
    lifetimeS,
    transformations,
  }: { readonly caller: Caller; readonly lifetimeS: number; readonly transformations?: string | undefined },
): Promise<string> {
  const iat = toSeconds(now());
  return keyring.signPurposeToken('storage-download', {
    url: toPath(address),
    ...(transformations === undefined ? {} : { transformations }),
    ...nameSigner(caller),
    iat,
    exp: iat + lifetimeS,
  });
}

export type VerifiedDownload = {
  readonly expires: Date;
  readonly signer: Caller;
  /** As what a picture may be shown; undefined where the token opens the file itself. */
  readonly transformations: string | undefined;
};

/** @returns until when the token opens the file, and who signed it. @throws StorageError when it does not open it. */
export function verifyDownload(
  deps: SigningDeps,
  token: string | undefined,
  address: FileAddress,
): VerifiedDownload {
  const claims = verify(deps, 'storage-download', token, address);
  const { transformations } = claims;
  return {
    expires: new Date(Number(claims['exp']) * 1000),
    signer: readSigner(claims),
    transformations: typeof transformations === 'string' ? transformations : undefined,
  };
}

/**
 * A token with which anybody may write one file, once, or again and again with `upsert`, in the name of the one who signed: what they
 * may not do by then, the token may not either, and it ends with the session that signed it.
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
    ...nameSigner(caller),
    session: caller.claims['session_id'],
    aal: caller.claims['aal'],
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
  const claims = verify(deps, 'storage-upload', token, address);
  return { caller: readSigner(claims), upsert: claims['upsert'] === true };
}

function nameSigner(caller: Caller): Claims {
  return { as: caller.role, owner: readOwner(caller) };
}

/** With the time of signing: what an account that was closed since then has signed stays closed, even if it is opened again. */
function readSigner({ as, owner, session, aal, iat }: Claims): Caller {
  const role = as as Caller['role'];
  return {
    role,
    claims: {
      role,
      iat,
      ...(typeof owner === 'string' ? { sub: owner } : {}),
      ...(typeof session === 'string' ? { session_id: session } : {}),
      ...(typeof aal === 'string' ? { aal } : {}),
    },
  };
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
