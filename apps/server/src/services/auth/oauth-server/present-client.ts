import type { OAuthClient } from './client-store.ts';

/** A program as registrations and the operator's list show it (GoTrue's shape; RFC 7591, section 3.2.1). */
export function presentClient(client: OAuthClient, secret?: string): Readonly<Record<string, unknown>> {
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_type: client.authMethod === 'none' ? 'public' : 'confidential',
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: client.grantTypes,
    response_types: ['code'],
    ...(client.name === '' ? {} : { client_name: client.name }),
    ...(client.uri === '' ? {} : { client_uri: client.uri }),
    ...(client.logoUri === '' ? {} : { logo_uri: client.logoUri }),
    registration_type: client.registrationType,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

type Described = Pick<OAuthClient, 'id' | 'name' | 'uri' | 'logoUri'>;

/** A program as the person is shown it, who decides about it. */
export function describeClient({ id, name, uri, logoUri }: Described): Readonly<Record<string, string>> {
  return { id, name, uri, logo_uri: logoUri };
}
