import { normalizeUrl } from './normalize-url.ts';

/**
 * What two spellings of one address have in common: completed, host in lower case, without the default port, one way of
 * encoding. For comparing only; null when it is no web address.
 */
export function addressKey(raw: string): string | null {
  const address = normalizeUrl(raw);
  return address === null ? null : (URL.parse(address)?.href ?? null);
}
