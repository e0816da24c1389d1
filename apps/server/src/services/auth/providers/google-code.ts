import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { Google } from './open-google.ts';
import { type ProviderProfile, readProviderProfile } from './provider-profile.ts';

/** What is ours to say; a caller's own parameter of such a name is dropped. */
const RESERVED: readonly string[] = [
  // Words between our clients and us.
  'provider',
  'scopes',
  'redirect_to',
  'code_challenge',
  'code_challenge_method',
  'skip_http_redirect',
  'invite_token',
  'apikey',
  // Words between us and the provider.
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'request',
  'request_uri',
  'registration',
  'claims',
];

/** Where the provider sends people back to; the operator registers it there. */
export function callbackAddress({ settings }: Pick<AuthContext, 'settings'>): string {
  return `${settings.siteUrl}/auth/v1/callback`;
}

/**
 * The provider's page where a person agrees. Parameters that are not ours are passed on (`prompt`, `login_hint`, `hd` …).
 * @param flow state of the flow, and the verifier that only we keep (RFC 7636).
 * @throws Error when the provider cannot be reached.
 */
export async function buildGoogleAddress(
  context: AuthContext,
  google: Google,
  { query }: Pick<AuthRequest, 'query'>,
  flow: { readonly state: string; readonly verifier: string },
): Promise<URL> {
  const configuration = await google.configuration();
  const extra = Object.entries(query).filter(([name]) => !RESERVED.includes(name));
  // Our clients separate them by spaces, older ones by commas.
  const scopes = (query['scopes'] ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  return client.buildAuthorizationUrl(configuration, {
    ...Object.fromEntries(extra),
    redirect_uri: callbackAddress(context),
    scope: [...new Set(['openid', 'email', 'profile', ...scopes])].join(' '),
    state: flow.state,
    nonce: deriveNonce(flow.verifier),
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
}

/**
 * The nonce of a flow (OpenID Connect Core, section 3.1.2.1). It travels in the open, the verifier never does: one follows from
 * the other so that only one has to be kept.
 */
export function deriveNonce(verifier: string): string {
  return createHash('sha256').update(`nonce ${verifier}`).digest('base64url');
}

/** What the provider gave in exchange for its code. */
export type Redeemed = {
  readonly profile: ProviderProfile;
  readonly accessToken: string;
  /** Only when the caller asked for `access_type=offline`. */
  readonly refreshToken: string | undefined;
};

/**
 * Exchanges the provider's code. The library judges state, issuer (RFC 9207), nonce, audience, times and signature.
 * @throws unexpected_failure; the library's own words are in the log
 */
export async function redeemGoogleCode(
  context: AuthContext,
  google: Google,
  { query }: Pick<AuthRequest, 'query'>,
  flow: { readonly state: string; readonly verifier: string },
): Promise<Redeemed> {
  try {
    const came = new URL(`${callbackAddress(context)}?${new URLSearchParams(query)}`);
    const tokens = await client.authorizationCodeGrant(await google.configuration(), came, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: deriveNonce(flow.verifier),
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no ID token');
    return {
      profile: readProviderProfile(claims),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
    };
  } catch (cause) {
    context.logger.warn({ err: cause }, 'auth: a code of Google could not be exchanged');
    throw new AuthError('unexpected_failure', {
      message: 'Unable to exchange external code',
      cause,
    });
  }
}
