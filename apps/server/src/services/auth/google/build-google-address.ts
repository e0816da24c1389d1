import * as client from 'openid-client';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { deriveNonce } from './derive-nonce.ts';
import type { Google } from './open-google.ts';

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
