import type { SamlIdentityProvider } from '@linkoteca/server-process/saml-identity-provider';
import { type IdTokenIssuer, startIdTokenIssuer } from '../id-token-issuer.ts';
import { createIdentityProvider } from '../identity-provider.ts';
import { type OAuth2Provider, startOAuth2Provider } from '../start-oauth2-provider.ts';

/** Where people come from: a provider with pages, one whose tokens an app gets by itself, and an organisation. */
export type Places = {
  readonly github: OAuth2Provider;
  readonly google: IdTokenIssuer;
  readonly organisation: SamlIdentityProvider;
  stop(): Promise<void>;
};

export async function openPlaces(): Promise<Places> {
  const [github, google, organisation] = await Promise.all([
    startOAuth2Provider('/login/oauth/access_token', '/api/v3'),
    startIdTokenIssuer(),
    createIdentityProvider(),
  ]);
  return {
    github,
    google,
    organisation,
    stop: async () => {
      google.stop();
      await github.stop();
    },
  };
}
