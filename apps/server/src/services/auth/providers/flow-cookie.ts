import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { isUuid } from '../body-fields.ts';

/**
 * A browser that leaves for the provider keeps a cookie of its flow. Without it, a stranger could sign in at the provider
 * himself and have somebody else's browser open the way back: that browser would then be in the stranger's account (RFC 6749,
 * section 10.12), or give its owner's identity to it. A flow with a code challenge needs none: its code is worth nothing elsewhere.
 */
export function setFlowCookie(
  { settings }: Pick<AuthContext, 'settings'>,
  state: string,
  lifetime: number,
): string {
  const secure = settings.siteUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(state)}=1; Path=/auth/v1/callback; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

export function clearFlowCookie(context: Pick<AuthContext, 'settings'>, state: string): string {
  return setFlowCookie(context, state, 0);
}

/**
 * Whether the flow began where it ends. Asked of browsers alone: they always say that they navigate, and no page can keep them
 * from saying it; whoever is no browser cannot be led astray.
 */
export function isFlowOfBrowser({ headers }: Pick<AuthRequest, 'headers'>, state: string): boolean {
  if (headers['sec-fetch-mode'] !== 'navigate') return true;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return isUuid(state) && cookies.includes(`${nameOf(state)}=1`);
}

function nameOf(state: string): string {
  return `oauth-flow-${state}`;
}
