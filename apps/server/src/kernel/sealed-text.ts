import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps short secrets in the database so that whoever reads its tables, or a copy of them, cannot use them. */
export type TextSealer = {
  /** What text begins with that the newest secret has sealed. */
  readonly prefix: string;
  /** @param boundTo whose it is (an id): sealed text that is moved to another row does not open there. */
  seal(text: string, boundTo: string): string;
  /**
   * @returns the text, and whether it should be sealed anew (an earlier secret sealed it, or nobody did); undefined when none of our
   *   secrets opens it.
   */
  unseal(sealed: string, boundTo: string): { readonly text: string; readonly outdated: boolean } | undefined;
};

/** What sealed text begins with; text without it was written in the clear (accounts of a hosted project). */
const PREFIX = 'aes-256-gcm:v1:';
const KEY_LENGTH = 32;
/** NIST SP 800-38D, section 8.2: 96 random bits, and far fewer than 2^32 texts a key. */
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * AES-256-GCM (NIST SP 800-38D) with keys derived from the installation's secrets (RFC 5869), so that no further secret has to be kept.
 * @param secrets the first seals, all open
 * @param purpose texts of one purpose do not open as those of another
 */
export function createTextSealer(secrets: readonly string[], purpose: string): TextSealer {
  const keys = secrets.map((secret) => deriveKey(secret, purpose));
  const [current] = keys;
  if (current === undefined) throw new Error('sealing needs at least one secret');
  const prefix = `${PREFIX}${current.id}:`;
  return {
    prefix,
    seal(text, boundTo) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(boundTo));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${prefix}${sealed.toString('base64url')}`;
    },
    unseal(sealed, boundTo) {
      if (!sealed.startsWith(PREFIX)) return { text: sealed, outdated: true };
      const [id, data = ''] = sealed.slice(PREFIX.length).split(':');
      const found = keys.find((candidate) => candidate.id === id);
      const text = found && open(found.key, Buffer.from(data, 'base64url'), boundTo);
      return text === undefined ? undefined : { text, outdated: found !== current };
    },
  };
}

type SealingKey = { readonly id: string; readonly key: Buffer };

function deriveKey(secret: string, purpose: string): SealingKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `linkoteca/${purpose}/aes-256-gcm/v1`, KEY_LENGTH));
  // Tells keys apart and nothing about them: as with a password, only whoever has the key could check a guess.
  const id = createHash('sha256').update(key).digest('base64url').slice(0, 8);
  return { id, key };
}

function open(key: Buffer, sealed: Buffer, boundTo: string): string | undefined {
  if (sealed.length < NONCE_LENGTH + TAG_LENGTH) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_LENGTH), {
    authTagLength: TAG_LENGTH,
  });
  decipher.setAAD(Buffer.from(boundTo)).setAuthTag(sealed.subarray(-TAG_LENGTH));
  try {
    return (
      decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}
