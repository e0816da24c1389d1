import { openIdProvider } from './openid.ts';

const ISSUER = 'https://accounts.google.com';

/** Google: OpenID Connect, with a domain for the accounts of organisations. */
export const google = openIdProvider({
  name: 'google',
  issuer: ISSUER,
  // Google has always had two spellings of itself.
  issuerSpellings: [ISSUER, 'accounts.google.com'],
  // The organisation's domain (Google Workspace).
  customClaims: ['hd'],
});
