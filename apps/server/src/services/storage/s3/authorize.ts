import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../../kernel/caller-context.ts';
import { resolveStorageCaller } from '../open-call.ts';
import type { StorageDeps } from '../storage-deps.ts';
import { storageError } from '../storage-error.ts';
import {
  deriveKey,
  isPolicySignedWith,
  isSignedWith,
  type RequestToSign,
  readFormSignature,
  readSignature,
  type SignedRequest,
  type SigningKey,
} from './signature.ts';

/** What a session's requests name as their access key: the platform has the project's reference there. */
export const PROJECT_REF = 'linkoteca';

export type Authorized = {
  readonly caller: Caller;
  readonly signed: SignedRequest;
  /** For what is signed piece by piece. */
  readonly key: SigningKey;
};

type Deps = Pick<StorageDeps, 'keyring' | 'settings' | 'now'>;

/**
 * Who sends a request: the operator, by an access key; or whoever a session's token speaks for, whose requests are signed with the public key, so
 * that policies decide.
 * @throws StorageError AccessDenied, InvalidAccessKeyId, SignatureDoesNotMatch, InvalidSignature, RequestTimeTooSkewed, InvalidJWT
 */
export function authorize(deps: Deps, request: FastifyRequest): Authorized {
  const { method, headers, raw } = request;
  const toSign: RequestToSign = { method, url: raw.url ?? '', headers, host: request.host };
  const signed = readSignature(toSign, deps.now());
  const key = findKey(deps, signed);
  if (!isSignedWith(key, signed, toSign)) throw storageError.signatureDoesNotMatch();
  return { caller: findCaller(deps, signed), signed, key };
}

/**
 * Who signed a form's policy, for whoever sends it.
 * @throws StorageError as `authorize`
 */
export function authorizeForm(deps: Deps, fields: ReadonlyMap<string, string>, policy: string): Authorized {
  const signed = readFormSignature(fields, deps.now());
  const key = findKey(deps, signed);
  if (!isPolicySignedWith(key, signed, policy)) throw storageError.signatureDoesNotMatch();
  return { caller: findCaller(deps, signed), signed, key };
}

function findKey({ keyring, settings }: Deps, { accessKey, sessionToken, scope }: SignedRequest): SigningKey {
  const keys = settings.s3Keys;
  const secret =
    sessionToken !== undefined
      ? accessKey === PROJECT_REF && keyring.anonKey
      : keys?.accessKeyId === accessKey && keys.secretAccessKey;
  if (!secret) throw storageError.invalidAccessKeyId();
  return deriveKey(secret, scope);
}

function findCaller({ keyring, now }: Deps, { sessionToken }: SignedRequest): Caller {
  return sessionToken === undefined
    ? { role: 'service_role', claims: { role: 'service_role' } }
    : resolveStorageCaller(keyring, { authorization: `Bearer ${sessionToken}` }, now());
}
