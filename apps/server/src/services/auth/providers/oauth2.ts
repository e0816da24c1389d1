import * as client from 'openid-client';
import { boundedFetch } from '../../../kernel/bounded-fetch.ts';
import type { SignInProviderSettings } from '../../../kernel/settings.ts';
import { OAuthError } from '../auth-error.ts';
import type { AuthorizationRequest, Provider, ProviderDefinition, ProviderProfile } from './provider.ts';

/** Where a provider is. */
export type OAuth2Addresses = {
  readonly authorize: string;
  readonly token: string;
  /** Of its own service, which tells who somebody is. */
  readonly api: string;
};

/** Asks a provider's own service as the person who has just signed in there. @throws Error when it does not answer with JSON */
export type AskProvider = (path: string) => Promise<unknown>;

/** What a provider of plain OAuth 2.0 has: each tells in its own way who somebody is. */
export type OAuth2Traits = Pick<ProviderDefinition, 'name' | 'issuer'> & {
  readonly scopes: readonly string[];
  readonly hasPkce: boolean;
  /** @param base the provider's public address, or the operator's. */
  readonly locate: (base: string) => OAuth2Addresses;
  /** @throws Error when it does not tell */
  readonly readPerson: (
    ask: AskProvider,
    tokens: { readonly accessToken: string; readonly clientSecret: string },
  ) => Promise<OAuth2Person>;
};

/** Who somebody is, in the platform's names. */
export type OAuth2Person = {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly userName?: string;
  readonly picture: string;
};

const TIMEOUT_SECONDS = 10;

/** A provider that speaks OAuth 2.0 and no OpenID Connect: there are no ID tokens, and a nonce would be nowhere. */
export function oauth2Provider(traits: OAuth2Traits): ProviderDefinition {
  const { name, issuer } = traits;
  return { name, issuer, hasPlatformNamesOnly: true, open: (settings) => openProvider(traits, settings) };
}

function openProvider(traits: OAuth2Traits, settings: SignInProviderSettings): Provider {
  const addresses = traits.locate(settings.issuer.replace(/\/$/, ''));
  const configuration = configure(settings, addresses);
  return {
    name: traits.name,
    issuer: settings.issuer,
    redirectUri: settings.redirectUri,
    authorizeUrl: (request) => authorizeUrl(traits, configuration, request),
    exchangeCode: async (returned, { state, verifier }) => {
      // RFC 9207's `iss` is of those that publish who they are.
      returned.searchParams.delete('iss');
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        ...(traits.hasPkce ? { pkceCodeVerifier: verifier } : {}),
        expectedState: state,
      });
      const accessToken = tokens.access_token;
      const person = await traits.readPerson(askAs(configuration, addresses, accessToken), {
        accessToken,
        clientSecret: settings.clientSecret,
      });
      return {
        profile: toProfile(traits.name, addresses.api, person),
        tokens: { accessToken, refreshToken: tokens.refresh_token },
      };
    },
    verifyIdToken: async () => {
      throw new OAuthError('invalid_request', `${traits.name} has no ID tokens`);
    },
  };
}

function configure(
  { clientId, clientSecret }: SignInProviderSettings,
  { authorize, token, api }: OAuth2Addresses,
): client.Configuration {
  const configuration = new client.Configuration(
    { issuer: api, authorization_endpoint: authorize, token_endpoint: token },
    clientId,
    clientSecret,
    client.ClientSecretPost(clientSecret),
  );
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[client.customFetch] = boundedFetch;
  // Plain http is for a provider on this machine, in tests; settings accept nothing else.
  if (token.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
}

async function authorizeUrl(
  { scopes: own, hasPkce }: OAuth2Traits,
  configuration: client.Configuration,
  { redirectUri, scopes, parameters, state, verifier }: AuthorizationRequest,
): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    ...parameters,
    redirect_uri: redirectUri,
    scope: [...new Set([...own, ...scopes])].join(' '),
    state,
    ...(hasPkce
      ? { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
      : {}),
  });
}

function askAs(configuration: client.Configuration, { api }: OAuth2Addresses, token: string): AskProvider {
  return async (path) => {
    const headers = new Headers({ accept: 'application/json' });
    const response = await client.fetchProtectedResource(
      configuration,
      token,
      new URL(api + path),
      'GET',
      null,
      headers,
    );
    if (response.status !== 200) throw new Error(`the provider's service answered ${response.status}`);
    return (await response.json()) as unknown;
  };
}

/** A name or an address of a picture longer than this is not worth a place in every access token. */
const MAX_TEXT_LENGTH = 512;

/** Texts of a provider's answer are whatever it likes: what is none, or too long, is left out. */
export function takeText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value.trim().toWellFormed() : '';
}

function toProfile(provider: string, issuer: string, person: OAuth2Person): ProviderProfile {
  const { subject, email, emailVerified, name, userName = '', picture } = person;
  if (!/^[\w.:-]{1,255}$/.test(subject)) throw new Error('the provider does not say who it is');
  return {
    provider,
    subject,
    email,
    emailVerified: emailVerified && email !== '',
    data: {
      iss: issuer,
      sub: subject,
      provider_id: subject,
      ...(email ? { email } : {}),
      email_verified: emailVerified && email !== '',
      phone_verified: false,
      ...(name ? { name, full_name: name } : {}),
      ...(userName ? { user_name: userName, preferred_username: userName } : {}),
      ...(picture.startsWith('https://') ? { picture, avatar_url: picture } : {}),
    },
  };
}
