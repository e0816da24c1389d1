import type { SignInProviderSettings } from '../../../kernel/settings.ts';

/** Who somebody is, as a provider tells it. */
export type ProviderProfile = {
  /** Name of the provider. */
  readonly provider: string;
  /** The provider's own id of the person: addresses change hands, this does not. */
  readonly subject: string;
  /** As the provider spells it; empty when it does not tell. */
  readonly email: string;
  /** Whether the provider vouches for the address. Only `true` counts. */
  readonly emailVerified: boolean;
  /** What the account and its identity remember, in the platform's names. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** What only the provider of a flow and we know of it. */
export type FlowSecrets = {
  readonly state: string;
  /** Kept here and sent to the provider at the end (RFC 7636). */
  readonly verifier: string;
};

/** How a browser is sent to the provider. */
export type AuthorizationRequest = FlowSecrets & {
  /** Where the provider sends people back to. */
  readonly redirectUri: string;
  /** What the client asks for beyond what signing in needs. */
  readonly scopes: readonly string[];
  /** The client's further parameters (`prompt`, `login_hint`, `hd` …), free of what is ours to say. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** For the session alone: the client may call the provider's own services with them. */
export type ProviderTokens = {
  readonly accessToken: string;
  /** Only when the client asked for it. */
  readonly refreshToken: string | undefined;
};

/** An ID token that a client got from the provider by itself. */
export type PresentedIdToken = {
  readonly idToken: string;
  /** Empty when the client has none. */
  readonly accessToken: string;
  /** What the client hashed into the token's own nonce; empty when it did not. */
  readonly nonce: string;
};

/** A provider where this installation is registered. */
export type Provider = {
  readonly name: string;
  /** Who signs its ID tokens; clients may name it instead of `name`. */
  readonly issuer: string;
  /** Where it sends people back to, where the operator names another address than our own. */
  readonly redirectUri?: string | undefined;
  /** When our secret there stops being one; undefined: never, or nobody knows. */
  readonly secretEndsAt?: Date | undefined;
  /** Whether its answer is posted by its own page (OAuth 2.0 Form Post Response Mode): browsers then send no cookie that is not for other sites. */
  readonly postsAnswer?: boolean;
  /** The page where a person agrees. @throws Error when the provider cannot be reached */
  authorizeUrl(request: AuthorizationRequest): Promise<URL>;
  /**
   * Exchanges the code that the provider sent a browser back with.
   * @param returned the address the browser came back to, with the provider's answer in its query.
   * @throws Error when the answer is not that of this flow, or the provider refuses the code
   */
  exchangeCode(
    returned: URL,
    flow: FlowSecrets,
  ): Promise<{ readonly profile: ProviderProfile; readonly tokens: ProviderTokens }>;
  /** @throws OAuthError invalid_request, invalid_nonce; AuthError unexpected_failure (503) when the provider's keys cannot be fetched */
  verifyIdToken(presented: PresentedIdToken): Promise<ProviderProfile>;
};

/** An entry of the table of providers (`providers.ts`). */
export type ProviderDefinition = {
  /** As clients, identities and settings say it: the settings of `acme` are `ACME_CLIENT_ID`, `ACME_CLIENT_SECRET`, `ACME_ISSUER`. */
  readonly name: string;
  /** Its public address, unless the operator sets another one (`url`); empty: the operator has to. */
  readonly issuer: string;
  /** Whether it is set by the platform's names alone (`auth.external.acme.…`): variables like `AZURE_CLIENT_ID` have other meanings elsewhere. */
  readonly hasPlatformNamesOnly?: boolean;
  readonly open: (settings: SignInProviderSettings, now: () => Date) => Provider;
};
