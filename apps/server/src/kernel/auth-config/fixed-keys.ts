import { PLATFORM_PROVIDERS } from './platform-providers.ts';

/** What the platform lets an operator choose and this server does not: any other value than the one that is so ends the start. */
export type FixedKey = {
  readonly path: string;
  /** The only value. `''`: it must not be said at all. */
  readonly value: string;
  /** GoTrue's variable for the same. */
  readonly gotrue?: string;
  /** What decides it here: with all of these variables set, `true` says what is so. */
  readonly instead?: readonly string[];
};

const switchedOff = (path: string, gotrue: string, instead?: readonly string[]): FixedKey => ({
  path,
  value: 'false',
  gotrue,
  ...(instead ? { instead } : {}),
});

const SMS_PROVIDERS = ['twilio_verify', 'messagebird', 'textlocal', 'vonage'];

const FIXED_KEYS: readonly FixedKey[] = [
  { path: 'auth.enabled', value: 'true' },
  {
    path: 'auth.enable_refresh_token_rotation',
    value: 'true',
    gotrue: 'GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED',
  },
  { path: 'auth.email.enabled', value: 'true', gotrue: 'GOTRUE_EXTERNAL_EMAIL_ENABLED' },
  { path: 'auth.email.enable_signup', value: 'true' },
  // The platform's command line has no key for it.
  switchedOff('auth.sessions.single_per_user', 'GOTRUE_SESSIONS_SINGLE_PER_USER'),
  ...SMS_PROVIDERS.map((name) => ({ path: `auth.sms.${name}.enabled`, value: 'false' })),
  ...['solana', 'ethereum'].map((chain) =>
    switchedOff(`auth.web3.${chain}.enabled`, `GOTRUE_EXTERNAL_WEB3_${chain.toUpperCase()}_ENABLED`),
  ),
  { path: 'auth.email.smtp.enabled', value: 'false', instead: ['SMTP_URL'] },
  // Other keys than this server's would let others in, or nobody.
  ...['jwt_secret', 'anon_key', 'service_role_key'].map((name) => ({
    path: `auth.${name}`,
    value: '',
    instead: ['JWT_SECRET'],
  })),
];

/**
 * The fixed keys of an installation.
 * @param offered names of the providers that this server has
 * @param named names of further providers, which a file speaks of
 */
export function listFixedKeys(offered: readonly string[], named: readonly string[]): readonly FixedKey[] {
  const providers = [...new Set([...PLATFORM_PROVIDERS, ...offered, ...named])];
  return [
    ...FIXED_KEYS,
    ...providers.flatMap((name) => {
      const path = `auth.external.${name}`;
      const gotrue = `GOTRUE_EXTERNAL_${name.toUpperCase()}`;
      // It would open accounts without an address.
      const always = [switchedOff(`${path}.email_optional`, `${gotrue}_EMAIL_OPTIONAL`)];
      if (offered.includes(name)) return always;
      return [
        switchedOff(`${path}.enabled`, `${gotrue}_ENABLED`),
        switchedOff(`${path}.skip_nonce_check`, `${gotrue}_SKIP_NONCE_CHECK`),
        ...always,
      ];
    }),
  ];
}
