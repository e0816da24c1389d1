import { randomBytes } from 'node:crypto';
import { hash as hashArgon2, verify as verifyArgon2 } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { createGate } from '../../kernel/create-gate.ts';
import { AuthError } from './auth-error.ts';
import type { PasswordHashing } from './auth-settings.ts';

export type PasswordCheck = {
  readonly matches: boolean;
  /** The stored hash is of an older kind: hash the password again while it is at hand. */
  readonly outdated: boolean;
};

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  /** Without a hash (no such account, or one without a password) the same work is done and nothing matches. */
  check(password: string, storedHash: string | null | undefined): Promise<PasswordCheck>;
};

/** `Algorithm.Argon2id` of the library. */
const ARGON2ID = 2;
const BCRYPT_HASH = /^\$2[aby]\$\d\d\$.{53}$/;
const ARGON2_HASH = /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$/;

/** Hashes of accounts that come from elsewhere (`password_hash` of the admin API) must be of a kind we can check. */
export function isReadableHash(hash: string): boolean {
  return BCRYPT_HASH.test(hash) || ARGON2_HASH.test(hash);
}

/**
 * Hashes with argon2id and still checks the bcrypt hashes of imported accounts. Only a few hashes run at once, because
 * each takes 19 MiB by default; beyond the queue a request is refused with 429 instead of exhausting the machine.
 */
export async function createPasswordHasher({
  atOnce,
  waiting,
  memoryKiB,
  passes,
}: PasswordHashing): Promise<PasswordHasher> {
  const inTurn = createGate(
    atOnce,
    waiting,
    () => new AuthError('over_request_rate_limit', { retryAfter: 5 }),
  );
  const cost = { algorithm: ARGON2ID, memoryCost: memoryKiB, timeCost: passes, parallelism: 1 };
  const currentHash = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$`;
  const hashOfNobody = await hashArgon2(randomBytes(24).toString('base64'), cost);

  return {
    hash: (password) => inTurn(() => hashArgon2(password, cost)),
    check: (password, storedHash) =>
      inTurn(async () => {
        // Same work for an account that does not exist: the time of the answer must not reveal who has one.
        if (!storedHash || !isReadableHash(storedHash)) {
          await verifyArgon2(hashOfNobody, password);
          return { matches: false, outdated: false };
        }
        const matches = await (BCRYPT_HASH.test(storedHash)
          ? verifyBcrypt(password, storedHash)
          : verifyArgon2(storedHash, password));
        return { matches, outdated: !storedHash.startsWith(currentHash) };
      }),
  };
}
