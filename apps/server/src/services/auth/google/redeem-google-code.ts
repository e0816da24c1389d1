import * as client from 'openid-client';
import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { callbackAddress } from './build-google-address.ts';
import { deriveNonce } from './derive-nonce.ts';
import type { Google } from './open-google.ts';
import { type ProviderProfile, readProviderProfile } from './read-provider-profile.ts';

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
