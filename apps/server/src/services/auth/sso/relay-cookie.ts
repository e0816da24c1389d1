import { isUuid } from '@linkoteca/domain/uuid';
import type { AuthContext, AuthRequest } from '../auth-context.ts';

/**
 * A browser that leaves for an identity provider keeps a cookie of its way. Without it, a stranger could sign in there himself and have somebody
 * else's browser post the answer: that browser would then be in the stranger's account. A way with a code challenge needs none: its code is worth
 * nothing elsewhere. The answer is posted from another site, and what this cookie says is of no use to any.
 */
export function setRelayCookie(
  { settings }: Pick<AuthContext, 'settings'>,
  relayState: string,
  lifetime: number,
): string {
  const isSecure = settings.siteUrl.startsWith('https:');
  const site = isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax';
  return `${nameOf(relayState)}=1; Path=/auth/v1/sso/saml/acs; Max-Age=${lifetime}; HttpOnly; ${site}`;
}

/** Whether the way began in the browser in which it ends. Asked of browsers alone: they always say that they navigate. */
export function isWayOfBrowser({ headers }: Pick<AuthRequest, 'headers'>, relayState: string): boolean {
  if (headers['sec-fetch-mode'] !== 'navigate') return true;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return isUuid(relayState) && cookies.includes(`${nameOf(relayState)}=1`);
}

function nameOf(relayState: string): string {
  return `saml-way-${relayState}`;
}
