import { createHash, randomUUID } from 'node:crypto';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { normalizeEmail } from './body-fields.ts';
import type { Device } from './stores/sessions.ts';

export function deviceOf({ ip, headers }: AuthRequest): Device {
  return { ip, userAgent: headers['user-agent'] };
}

const LIFETIME_SECONDS = 365 * 86_400;

/**
 * Lets a browser that has just signed in prove next time that it did (OWASP: device cookies). Whoever guesses at an account then locks out
 * other strangers, not its owner. The cookie opens nothing; no script reads it, and no other site sends it.
 * @returns headers of the answer
 */
export async function rememberDevice(
  context: Pick<AuthContext, 'keyring' | 'settings' | 'now'>,
  request: Pick<AuthRequest, 'headers'>,
  email: string | null,
): Promise<Record<string, string>> {
  if (!email) return {};
  const account = hashAccount(email);
  const exp = Math.floor(context.now().getTime() / 1000) + LIFETIME_SECONDS;
  const jti = findKnownDevice(context, request, email) ?? randomUUID();
  const token = await context.keyring.signPurposeToken('known-device', { sub: account, jti, exp });
  const secure = context.settings.siteUrl.startsWith('https:') ? '; Secure' : '';
  return {
    'set-cookie': `${nameOf(account)}=${token}; Path=/auth/v1; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  };
}

/** Which browser asks, if it has signed in to the account before. */
export function findKnownDevice(
  { keyring, now }: Pick<AuthContext, 'keyring' | 'now'>,
  { headers }: Pick<AuthRequest, 'headers'>,
  email: string,
): string | undefined {
  const account = hashAccount(email);
  const start = `${nameOf(account)}=`;
  const cookie = (headers.cookie ?? '').split(';').find((one) => one.trim().startsWith(start));
  if (cookie === undefined) return undefined;
  const verified = keyring.verifyPurposeToken('known-device', cookie.trim().slice(start.length), now());
  if (!verified.ok || verified.claims['sub'] !== account) return undefined;
  const { jti } = verified.claims;
  return typeof jti === 'string' ? jti : undefined;
}

/** Several people may share a browser: each account has a cookie of its own, which does not show its address. */
function hashAccount(email: string): string {
  return createHash('sha256').update(normalizeEmail(email)).digest('base64url');
}

function nameOf(account: string): string {
  return `known-device-${account.slice(0, 16)}`;
}
