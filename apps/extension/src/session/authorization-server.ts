import * as oauth from 'oauth4webapi';
import type { Installation } from './session-store.ts';

/** All that saving, finding and changing links takes; neither who somebody is nor what they share. */
export const SCOPE = 'links:read links:write';

/** An installation's OAuth server, and how it may be asked: without encryption on a network of one's own alone. */
export interface AuthorizationServer {
  readonly metadata: oauth.AuthorizationServer;
  readonly options: { readonly [oauth.allowInsecureRequests]: boolean };
}

/** Reads what the installation's OAuth server says of itself (RFC 8414). @throws whatever does not answer, or answers otherwise. */
export async function discoverServer({ servicesUrl }: Installation): Promise<AuthorizationServer> {
  const issuer = new URL(`${servicesUrl}/auth/v1`);
  const options = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' };
  const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
  return { metadata: await oauth.processDiscoveryResponse(issuer, response), options };
}

/** Registers the extension where programs may do that themselves (RFC 7591); null where the operator does it. */
export async function registerClient(
  { metadata, options }: AuthorizationServer,
  redirectUri: string,
): Promise<string | null> {
  if (metadata.registration_endpoint === undefined) return null;
  const response = await oauth.dynamicClientRegistrationRequest(
    metadata,
    {
      client_name: 'Extensão da Linkoteca',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    options,
  );
  return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
}
