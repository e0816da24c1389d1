import { isListedAddress } from '@linkoteca/domain/urls';
import type { AuthRequest } from './auth-context.ts';
import type { AuthSettings } from './auth-settings.ts';

type Places = Pick<AuthSettings, 'siteUrl' | 'redirectAllowList'>;

/**
 * Chooses where a mail's link leads in the end: header `redirect_to`, then the query, then the page that asked, then the
 * site itself. A place that is not allowed is passed over in silence (protocol note, section 1.4).
 * @param hidden a `redirect_to` from the body, which goes before all others (admin API).
 */
export function resolveRedirect(
  places: Places,
  { headers, query }: Pick<AuthRequest, 'headers' | 'query'>,
  hidden?: string,
): string {
  const wishes = [hidden, first(headers['redirect_to']), query['redirect_to'], headers.referer];
  for (const wish of wishes) {
    const allowed = wish ? allowRedirect(places, wish) : undefined;
    if (allowed !== undefined) return allowed;
  }
  return places.siteUrl;
}

/** Kept with a sign-in under way and written into mails: longer than any page of ours, and too short for a stranger to fill the database with. */
const MAX_LENGTH = 2048;

/** The normal form of an allowed place, so that what was checked is exactly what a browser will open. */
function allowRedirect({ siteUrl, redirectAllowList }: Places, wish: string): string | undefined {
  if (!URL.canParse(wish)) return undefined;
  const url = new URL(wish);
  if (url.username !== '' || url.password !== '' || url.href.length > MAX_LENGTH) return undefined;
  const site = new URL(siteUrl);
  if (isSamePlace(url, site)) return url.href;
  return isListedAddress(url, redirectAllowList) ? url.href : undefined;
}

function isSamePlace(url: URL, site: URL): boolean {
  if (url.origin === site.origin) return site.origin !== 'null';
  // On a developer's machine the page may be served from another port than the server (RFC 8252, section 7.3).
  return url.protocol === site.protocol && isLoopback(url.hostname) && isLoopback(site.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
