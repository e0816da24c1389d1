import { SamlIdentityProvider } from '@linkoteca/server-process/saml-identity-provider';
import { SITE_URL } from './start-auth-service.ts';

export const OUR_ENTITY = `${SITE_URL}/auth/v1/sso/saml/metadata`;
export const OUR_ACS = `${SITE_URL}/auth/v1/sso/saml/acs`;

/** An organisation's identity provider, whose assertions are for the service of the tests. @param entityId of one whose key is replaced */
export function createIdentityProvider(entityId?: string): Promise<SamlIdentityProvider> {
  return SamlIdentityProvider.create({ entityId: OUR_ENTITY, acsUrl: OUR_ACS }, entityId);
}
