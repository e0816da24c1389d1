import { openIdProvider } from './openid.ts';

/**
 * Any OpenID Connect provider at the operator's address: a realm of Keycloak, from which the platform has the name, or another one that
 * publishes `/.well-known/openid-configuration`, such as gov.br.
 */
export const keycloak = openIdProvider({ name: 'keycloak', issuer: '', hasPlatformNamesOnly: true });
