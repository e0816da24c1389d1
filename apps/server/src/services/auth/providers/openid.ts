import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, type JWTPayload } from 'jose';
import * as client from 'openid-client';
import { boundedFetch } from '../../../kernel/bounded-fetch.ts';
import type { SignInProviderSettings } from '../../../kernel/settings.ts';
import { verifyIdToken } from './id-token.ts';
import type { AuthorizationRequest, Provider, ProviderDefinition, ProviderProfile } from './provider.ts';

/** What one OpenID provider has that others have not. */
export type OpenIdTraits = Pick<ProviderDefinition, 'name' | 'issuer' | 'hasPlatformNamesOnly'> & {
  /** Spellings of its issuer that mean the same in its tokens. */
  readonly issuerSpellings?: readonly string[];
  /** Claims of its own that the identity remembers. */
  readonly customClaims?: readonly string[];
  /** What is asked for, unless it is who the person is, their address and their name. */
  readonly scopes?: readonly string[];
  /** Said besides at the start of a flow. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Whether it knows PKCE (RFC 7636); without, the nonce in its token binds the code to the flow. */
  readonly hasPkce?: boolean;
  readonly postsAnswer?: boolean;
  /** When our secret there ends. */
  readonly readSecretEnd?: (secret: string) => Date | undefined;
  /** The issuer that an operator's address stands for. */
  readonly toIssuer?: (address: string) => string;
  /** Whether it vouches for the address, unless it says so by `email_verified`. */
  readonly isEmailVerified?: (claims: JWTPayload, address: string) => boolean;
  /** What its answer says of the person beside the token. */
  readonly readAnswer?: (returned: URL) => JWTPayload;
};

/** A provider that speaks OpenID Connect: the library does the protocol, `traits` say the rest. */
export function openIdProvider(traits: OpenIdTraits): ProviderDefinition {
  const { name, issuer, hasPlatformNamesOnly = false } = traits;
  return { name, issuer, hasPlatformNamesOnly, open: (settings, now) => openProvider(traits, settings, now) };
}

/** The provider's addresses and its keys. */
type Discovered = {
  readonly configuration: client.Configuration;
  /** It keeps the keys, and asks for new ones when it meets one that it does not know. */
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
};

function openProvider(traits: OpenIdTraits, settings: SignInProviderSettings, now: () => Date): Provider {
  const { toIssuer = (address: string) => address, hasPkce = true, readAnswer = () => ({}) } = traits;
  const issuer = toIssuer(settings.issuer);
  const discovered = rememberDiscovery({ ...settings, issuer }, now);
  const read = (claims: JWTPayload & { readonly sub: string }) =>
    readProfile(traits, claims, settings.issuer);
  return {
    name: traits.name,
    issuer,
    redirectUri: settings.redirectUri,
    postsAnswer: traits.postsAnswer ?? false,
    secretEndsAt: traits.readSecretEnd?.(settings.clientSecret),
    authorizeUrl: async (request) => authorizeUrl(traits, (await discovered()).configuration, request),
    exchangeCode: async (returned, { state, verifier }) => {
      // The library verifies state, issuer (RFC 9207), nonce, audience, times and signature.
      const tokens = await client.authorizationCodeGrant((await discovered()).configuration, returned, {
        ...(hasPkce ? { pkceCodeVerifier: verifier } : {}),
        expectedState: state,
        expectedNonce: deriveNonce(verifier),
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      return {
        // What the token says is signed: it counts more.
        profile: read({ ...readAnswer(returned), ...claims }),
        tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
      };
    },
    verifyIdToken: async (presented) => {
      const { issuerSpellings = [] } = traits;
      const audience = [settings.clientId, ...(settings.otherClientIds ?? [])];
      const expect = async () => {
        const { configuration, keys } = await discovered();
        const { issuer: own } = configuration.serverMetadata();
        const spellings = issuerSpellings.includes(own) ? issuerSpellings : [own];
        const isIssuer = ({ iss, tid }: JWTPayload) =>
          // Of a provider of many tenants each token names its own (Microsoft Entra ID).
          spellings.some((spelling) => iss === spelling.replace('{tenantid}', String(tid)));
        return { keys, isIssuer, audience, skipsNonce: settings.skipNonceCheck };
      };
      return read(await verifyIdToken(presented, expect, now()));
    },
  };
}

const TIMEOUT_SECONDS = 10;
/** Addresses hardly ever change; keys are fetched whenever an unknown one signs. */
const FRESH_MS = 24 * 3600 * 1000;

/**
 * Asks the provider for its addresses the first time, and again once a day. Nothing is fetched before somebody wants to sign in: a
 * server without a way to the internet starts all the same. A failed attempt is forgotten, so the next person tries again.
 */
function rememberDiscovery(settings: SignInProviderSettings, now: () => Date): () => Promise<Discovered> {
  let known: { readonly at: number; readonly discovered: Promise<Discovered> } | undefined;
  return async () => {
    const at = now().getTime();
    if (known && Math.abs(at - known.at) < FRESH_MS) return known.discovered;
    const attempt = { at, discovered: discover(settings) };
    known = attempt;
    try {
      return await attempt.discovered;
    } catch (error) {
      if (known === attempt) known = undefined;
      throw error;
    }
  };
}

async function discover({ issuer, clientId, clientSecret }: SignInProviderSettings): Promise<Discovered> {
  const server = new URL(issuer);
  // Plain http is for a provider on this machine, in tests; settings accept nothing else.
  const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const configuration = await client.discovery(server, clientId, clientSecret, authenticate(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: boundedFetch,
    // The signature of the token is verified too, although it came straight from the provider.
    execute: [client.enableNonRepudiationChecks, ...insecure],
  });
  const { jwks_uri: address } = configuration.serverMetadata();
  if (address === undefined) throw new Error('the provider publishes no keys');
  return { configuration, keys: createRemoteJWKSet(new URL(address), { [customFetch]: boundedFetch }) };
}

/** In the body where the provider takes it so, else in a header (OpenID Connect Discovery, `token_endpoint_auth_methods_supported`). */
function authenticate(secret: string): client.ClientAuth {
  const [post, basic] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, metadata, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const choose = methods !== undefined && !methods.includes('client_secret_post') ? basic : post;
    return choose(server, metadata, body, headers);
  };
}

async function authorizeUrl(
  { scopes: own = ['openid', 'email', 'profile'], parameters: fixed = {}, hasPkce = true }: OpenIdTraits,
  configuration: client.Configuration,
  { redirectUri, scopes, parameters, state, verifier }: AuthorizationRequest,
): Promise<URL> {
  return client.buildAuthorizationUrl(configuration, {
    ...parameters,
    ...fixed,
    redirect_uri: redirectUri,
    scope: [...new Set([...own, ...scopes])].join(' '),
    state,
    nonce: deriveNonce(verifier),
    ...(hasPkce
      ? { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
      : {}),
  });
}

/**
 * The nonce of a flow (OpenID Connect Core, section 3.1.2.1). It travels in the open, the verifier never does: one follows from
 * the other so that only one has to be kept.
 */
function deriveNonce(verifier: string): string {
  return createHash('sha256').update(`nonce ${verifier}`).digest('base64url');
}

/** Apple writes it as a text. */
function saysVerified({ email_verified: verified }: JWTPayload): boolean {
  return verified === true || verified === 'true';
}

/** A name or an address of a picture longer than this is not worth a place in every access token. */
const MAX_TEXT_LENGTH = 512;

/** Reads the claims of a verified ID token (OpenID Connect Core, section 5.1). */
function readProfile(
  { name: provider, customClaims = [], isEmailVerified = saysVerified }: OpenIdTraits,
  claims: JWTPayload & { readonly sub: string },
  address: string,
): ProviderProfile {
  const text = (claim: string) => {
    const value = claims[claim];
    return typeof value === 'string' && value.length <= MAX_TEXT_LENGTH ? value.trim().toWellFormed() : '';
  };
  const email = text('email');
  const emailVerified = isEmailVerified(claims, address);
  const name = text('name') || [text('given_name'), text('family_name')].filter(Boolean).join(' ');
  const picture = text('picture');
  const custom = customClaims.flatMap((claim) => (text(claim) ? [[claim, text(claim)] as const] : []));
  return {
    provider,
    subject: claims.sub,
    email,
    emailVerified,
    data: {
      iss: claims.iss,
      sub: claims.sub,
      provider_id: claims.sub,
      ...(email ? { email } : {}),
      email_verified: emailVerified,
      phone_verified: false,
      ...(name ? { name, full_name: name } : {}),
      ...(picture.startsWith('https://') ? { picture, avatar_url: picture } : {}),
      ...(custom.length > 0 ? { custom_claims: Object.fromEntries(custom) } : {}),
    },
  };
}
