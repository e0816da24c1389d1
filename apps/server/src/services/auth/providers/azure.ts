import type { JWTPayload } from 'jose';
import { openIdProvider } from './openid.ts';

/** Anybody's accounts, of any organisation or none: their addresses are what their own administrators wrote there. */
const MANY_TENANTS: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);

/** Microsoft Entra ID: the operator's address names the tenant, or one of the words for many. */
export const azure = openIdProvider({
  name: 'azure',
  issuer: 'https://login.microsoftonline.com/common',
  hasPlatformNamesOnly: true,
  customClaims: ['tid', 'oid', 'preferred_username'],
  toIssuer: (address) => {
    const { pathname } = new URL(address);
    return /^\/[^/]+\/?$/.test(pathname) ? `${address.replace(/\/$/, '')}/v2.0` : address;
  },
  isEmailVerified: isAzureEmailVerified,
});

/**
 * Whether Microsoft vouches for an address: by the optional claim `xms_edov`; where that is not configured, only in a single tenant, whose
 * administrator is answerable for it. (Source: Microsoft, "Migrate away from using email claims for user identification".)
 * @param address of the tenant
 */
export function isAzureEmailVerified(
  { email, email_verified: verified, xms_edov: owned }: JWTPayload,
  address: string,
): boolean {
  if (typeof email !== 'string' || email === '') return false;
  if (owned !== undefined) return [true, 1, 'true', '1'].includes(owned as never);
  if (verified !== undefined) return verified === true;
  return !MANY_TENANTS.has(new URL(address).pathname.split('/')[1] ?? '');
}
