import { samePageKey } from './same-address.ts';

/** Bits of a hash that name its bucket: all that is told of a page to find out whether it is kept. */
const BUCKET_BITS = 12n;

/** The hash of an address, and the bucket that it falls into (`public.kept_addresses`). */
export interface AddressHash {
  /** 64 bits with a sign, as decimal text. */
  readonly hash: string;
  /** -2048 to 2047. */
  readonly bucket: number;
}

/**
 * The hash under which the database keeps an address: Postgres' `hashtextextended(private.address_key(url), 0)`. Of an address that is spelt
 * in a way that browsers do not have it may be another one: then a page that is kept is not found, never the other way round.
 */
export function hashAddress(url: string): AddressHash {
  const hash = BigInt.asIntN(64, hashBytes(new TextEncoder().encode(decodeKey(samePageKey(url)))));
  return { hash: String(hash), bucket: Number(hash >> (64n - BUCKET_BITS)) };
}

/** What stays written with percent signs, by its code: what separates parts of an address. Twins of those in `private.address_key`. */
const KEPT = {
  path: '3b|2f|3f|3a|40|26|3d|2b|24|2c|23',
  query: '3a|2f|3f|23|5b|5d|40|21|24|26|28|29|2a|2b|2c|3b|3d',
  fragment: '23',
} as const;

/** The spelling that the database compares: letters, not their codes. */
function decodeKey(key: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(key) ?? [];
  const words = query.replaceAll('+', '%20');
  return decode(path, KEPT.path) + decode(words, KEPT.query) + decode(fragment, KEPT.fragment);
}

/** Twin of `private.decode_address`. */
function decode(part: string, kept: string): string {
  const letters = new RegExp(`(?:%(?!${kept}|25|0[0-9a-f]|1[0-9a-f]|7f)[0-9a-f]{2})+`, 'gi');
  try {
    return part
      .replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
      .replace(letters, (codes) => decodeURIComponent(codes));
  } catch {
    // Written in another encoding.
    return part;
  }
}

const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));

/** Bob Jenkins' lookup3 as Postgres has it (src/common/hashfn.c, `hash_bytes_extended` with seed 0). */
function hashBytes(bytes: Uint8Array): bigint {
  // 0x9e3779b9 and what Postgres adds to it; sums are of 32 bits.
  let a = (0x9e3779b9 + bytes.length + 3923095) | 0;
  let b = a;
  let c = a;
  // The lowest byte of the last word is kept for the length, so that a rest is never a whole block.
  const at = (index: number) => bytes[index] ?? 0;
  const word = (index: number) =>
    at(index) | (at(index + 1) << 8) | (at(index + 2) << 16) | (at(index + 3) << 24);
  let index = 0;
  for (; bytes.length - index >= 12; index += 12) {
    a = (a + word(index)) | 0;
    b = (b + word(index + 4)) | 0;
    c = (c + word(index + 8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  a = (a + word(index)) | 0;
  b = (b + word(index + 4)) | 0;
  c = (c + (word(index + 8) << 8)) | 0;

  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return (BigInt(b >>> 0) << 32n) | BigInt(c >>> 0);
}
