import type { Operation } from '../auth-context.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { SCOPES } from './scopes.ts';

/** Who issues this installation's tokens. */
export function issuerOf({ siteUrl }: Pick<AuthSettings, 'siteUrl'>): string {
  return `${siteUrl}/auth/v1`;
}

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'];

/** What programs find out by themselves (RFC 8414, section 2; OpenID Connect Discovery 1.0, section 3). */
export function describeServer(
  settings: Pick<AuthSettings, 'siteUrl' | 'oauthDynamicRegistration'>,
): Readonly<Record<string, unknown>> {
  const issuer = issuerOf(settings);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    ...(settings.oauthDynamicRegistration
      ? { registration_endpoint: `${issuer}/oauth/clients/register` }
      : {}),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    // RFC 9207: a program that knows several servers sees which one an answer is from.
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    // The key may be the operator's own; RS256 has to be in the list (OpenID Connect Discovery 1.0, section 3).
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    claims_supported: [
      'sub',
      'aud',
      'iss',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'email',
      'email_verified',
      'name',
      'picture',
    ],
  };
}

/** GET /.well-known/oauth-authorization-server and /.well-known/openid-configuration. */
export const showMetadata: Operation = async ({ settings }) => ({
  headers: { 'cache-control': 'public, max-age=600' },
  body: describeServer(settings),
});
