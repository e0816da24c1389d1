import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of the alphabet's length a byte can hold: beyond it some letters would come up more often. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);
const LENGTH = 24;
/** An address that opens a page must not be guessed: 58 letters, as Stripe's own. */
const SECRET_LENGTH = 58;

/** A new id in Stripe's form, `cus_` and 24 letters. */
export function createId(prefix: string): string {
  return `${prefix}_${randomLetters(LENGTH)}`;
}

/** An id that is the key to a page: `cs_test_` and 58 letters. */
export function createSecretId(prefix: string): string {
  return `${prefix}_${randomLetters(SECRET_LENGTH)}`;
}

function randomLetters(length: number): string {
  let text = '';
  while (text.length < length)
    for (const byte of randomBytes(length)) {
      if (byte < FAIR_BYTES && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  return text;
}

/** The id of what may be an id, a whole object, or nothing. */
export function idOf(reference: string | { readonly id: string } | null | undefined): string | null {
  if (reference === null || reference === undefined) return null;
  return typeof reference === 'string' ? reference : reference.id;
}
