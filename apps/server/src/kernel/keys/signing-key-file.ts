import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { SigningAlgorithm } from './compact-jws.ts';

/** A key as its file keeps it, private part included. */
export type KeptKey = Readonly<Record<string, unknown>>;

/** What becomes of the keys of a file, or why it cannot. */
export type KeyPlan = { readonly keys: readonly KeptKey[] } | { readonly fault: string };

const RSA_LENGTH_BITS = 2048;

/** Makes a key that does not sign yet (RFC 7517). */
export function generateStandbyKey(algorithm: SigningAlgorithm): KeptKey {
  return { kid: randomUUID(), alg: algorithm, use: 'sig', key_ops: ['verify'], ...generateParts(algorithm) };
}

function generateParts(algorithm: SigningAlgorithm): object {
  if (algorithm === 'HS256') return { kty: 'oct', k: randomBytes(48).toString('base64url') };
  const pair: { readonly privateKey: KeyObject } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: RSA_LENGTH_BITS })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return pair.privateKey.export({ format: 'jwk' });
}

/** Adds a key: the first of a file signs, each other one waits until it is known everywhere. */
export function planAddition(keys: readonly KeptKey[], added: KeptKey): KeyPlan {
  return { keys: keys.length === 0 ? [toSigning(added)] : [...keys, added] };
}

/**
 * Lets a waiting key sign. What signed before goes on verifying.
 * @param kid undefined: the one that was added last.
 */
export function planRotation(keys: readonly KeptKey[], kid: string | undefined): KeyPlan {
  const next = keys.findLast(
    (key) => !isSigning(key) && isWhole(key) && (kid === undefined || key['kid'] === kid),
  );
  if (next === undefined)
    return {
      fault:
        kid === undefined ? 'Não há chave à espera: acrescente uma antes.' : `Não há chave ${kid} à espera.`,
    };
  return { keys: keys.map((key) => (key === next ? toSigning(key) : toVerifying(key))) };
}

/** Takes a key out: tokens that it signed are refused from the next start on. */
export function planRemoval(keys: readonly KeptKey[], kid: string): KeyPlan {
  const removed = keys.find((key) => key['kid'] === kid);
  if (removed === undefined) return { fault: `Não há chave ${kid}.` };
  if (isSigning(removed)) return { fault: 'É a chave que assina: passe a assinatura a outra antes.' };
  return { keys: keys.filter((key) => key !== removed) };
}

/** One line a key, without what is secret. */
export function describeKeys(keys: readonly KeptKey[]): readonly string[] {
  return keys.map((key) => `${key['kid']} ${key['alg']} ${isSigning(key) ? 'assina' : 'só verifica'}`);
}

function isSigning({ key_ops: operations }: KeptKey): boolean {
  return Array.isArray(operations) && operations.includes('sign');
}

function isWhole({ d, k }: KeptKey): boolean {
  return d !== undefined || k !== undefined;
}

function toSigning(key: KeptKey): KeptKey {
  return { ...key, key_ops: ['sign', 'verify'] };
}

function toVerifying(key: KeptKey): KeptKey {
  return { ...key, key_ops: ['verify'] };
}
