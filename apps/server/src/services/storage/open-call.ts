import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller, CallerOptions } from '../../kernel/caller-context.ts';
import { asCaller, queryAsCaller, type Transaction } from '../../kernel/database.ts';
import type { Keyring } from '../../kernel/keyring.ts';
import { resolveCaller } from '../../kernel/resolve-caller.ts';
import type { StorageDeps } from './storage-deps.ts';
import { storageError } from './storage-error.ts';

/** A request whose sender is known: what it may do in the database, it does as that person. */
export type StorageCall = {
  readonly caller: Caller;
  /** Reads, each statement by itself in one round trip: for the busy paths. */
  readonly reader: Transaction;
  read<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  write<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Does it and takes it back: whoever may not is refused before any byte moves. */
  rehearse(run: (tx: Transaction) => Promise<unknown>): Promise<void>;
};

class Rehearsed extends Error {}

/** @throws StorageError for a caller without a token, or with one that does not verify. */
export function openCall(deps: StorageDeps, request: FastifyRequest): StorageCall {
  return openCallAs(deps, resolveStorageCaller(deps.keyring, request.headers, deps.now()), request);
}

/** A request whose sender is known otherwise: a signed address speaks for whoever signed it. */
export function openCallAs(
  { db }: Pick<StorageDeps, 'db'>,
  caller: Caller,
  request: FastifyRequest,
): StorageCall {
  const options = describe(request);
  return {
    caller,
    reader: { query: (statement) => queryAsCaller(db, caller, statement, { ...options, readOnly: true }) },
    read: (run) => asCaller(db, caller, run, { ...options, readOnly: true }),
    write: (run) => asCaller(db, caller, run, options),
    rehearse: async (run) => {
      const takeBack = async (tx: Transaction) => {
        await run(tx);
        throw new Rehearsed();
      };
      await asCaller(db, caller, takeBack, options).catch((error: unknown) => {
        if (!(error instanceof Rehearsed)) throw error;
      });
    },
  };
}

/** What policies may ask of the request, as in the table API (protocol note, section 2.4). */
function describe({ method, url, headers }: FastifyRequest): CallerOptions {
  const path = url.split('?', 1)[0] ?? '';
  return { request: { method, path, headers: headers as Readonly<Record<string, string>> } };
}

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
