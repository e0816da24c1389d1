import { isListedAddress } from '../../../packages/domain/src/urls.ts';

/** Where people may be sent back to. */
export type ReturnPlaces = {
  readonly siteUrl: string;
  /** As `REDIRECT_ALLOW_LIST`: further addresses, `*` and `**` stand for anything. */
  readonly allowList: readonly string[];
};

/** Longer than any page of ours; the provider takes 5,000. */
const MAX_CHARACTERS = 2_000;

/**
 * The address to come back to, in the normal form that was judged: what a browser opens is exactly that.
 * @returns undefined for any place that is neither ours nor listed.
 */
export function findReturnAddress(places: ReturnPlaces, wish: unknown): URL | undefined {
  if (typeof wish !== 'string' || wish.length > MAX_CHARACTERS) return undefined;
  const url = URL.parse(wish);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return isSameSite(url, new URL(places.siteUrl)) || isListedAddress(url, places.allowList) ? url : undefined;
}

function isSameSite(url: URL, site: URL): boolean {
  if (url.origin === site.origin) return true;
  // One machine by its several names; another port is another program.
  return (
    url.protocol === site.protocol &&
    url.port === site.port &&
    isLoopback(url.hostname) &&
    isLoopback(site.hostname)
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '127.0.0.1';
}

/** From the settings `SITE_URL` and `REDIRECT_ALLOW_LIST`. @param read a setting's text, empty when it is not set. */
export function readReturnPlaces(read: (name: string) => string): ReturnPlaces {
  const siteUrl = read('SITE_URL');
  if (siteUrl === '') throw new Error('SITE_URL is not set');
  return {
    siteUrl,
    allowList: read('REDIRECT_ALLOW_LIST')
      .split(',')
      .map((glob) => glob.trim()),
  };
}
