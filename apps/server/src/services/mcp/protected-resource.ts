import { isForThisServer } from '../../library/access.ts';

/** Where programs connect, and what each address asks a person for. Both answer whatever the token may do. */
export const ENDPOINTS = [
  { path: '/mcp', scope: 'links:read' },
  { path: '/mcp/write', scope: 'links:read links:write' },
  { path: '/mcp/share', scope: 'links:read links:write share' },
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** Scopes of a token that a tool may need, in the order in which challenges name them. */
const SCOPES = ['links:read', 'links:write', 'share'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes as a challenge names them (RFC 6750, section 3): each once. Pure. */
export function writeScope(scopes: ReadonlySet<Scope>): string {
  return SCOPES.filter((scope) => scopes.has(scope)).join(' ');
}

/** What is known of the installation here. */
export type ResourceSettings = {
  /** Without a slash at its end. */
  readonly siteUrl: string;
  /** Whether programs can ask people to let them in. */
  readonly oauthServerEnabled: boolean;
};

/** Where the metadata of an address lies (RFC 9728, section 3.1). */
export function metadataPath({ path }: Endpoint): string {
  return `/.well-known/oauth-protected-resource${path}`;
}

/** What a program finds out by itself: who lets it in, and what it may ask for (RFC 9728, section 2). */
export function describeResource(
  endpoint: Endpoint,
  { siteUrl }: ResourceSettings,
): Readonly<Record<string, unknown>> {
  return {
    resource: `${siteUrl}${endpoint.path}`,
    authorization_servers: [`${siteUrl}/auth/v1`],
    scopes_supported: endpoint.scope.split(' '),
    bearer_methods_supported: ['header'],
    resource_name: 'Linkoteca',
  };
}

export type Challenge = {
  /** RFC 6750, section 3.1; undefined where no token came, which is no fault of its sender's. */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly scope?: string;
};

/** `WWW-Authenticate` of a refusal: RFC 6750, section 3, with the address of the metadata (RFC 9728, section 5.1). */
export function describeChallenge(
  endpoint: Endpoint,
  { siteUrl, oauthServerEnabled }: ResourceSettings,
  { error, scope = endpoint.scope }: Challenge,
): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `scope="${scope}"`,
    ...(oauthServerEnabled ? [`resource_metadata="${siteUrl}${metadataPath(endpoint)}"`] : []),
  ];
  return `Bearer ${parameters.join(', ')}`;
}

/** Whether a token is good here: for one of these addresses, the installation, or all of it. @param audience the token's claim `aud` */
export function isForMcp(audience: unknown, siteUrl: string): boolean {
  return isForThisServer(
    audience,
    siteUrl,
    ENDPOINTS.map(({ path }) => path),
  );
}
