import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import type { AuthSettings } from '../auth-settings.ts';
import { createCertificate } from './create-certificate.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** This installation towards identity providers (SAML 2.0, a service provider). */
export type ServiceProvider = {
  readonly entityId: string;
  /** Where their answers are posted to. */
  readonly acsUrl: string;
  /** What an identity provider has to know of us. */
  readonly metadata: string;
  /** The address that asks an identity provider who somebody is. @param requestId what the answer has to name */
  buildRequestUrl(
    to: IdentityProvider,
    asked: { readonly requestId: string; readonly relayState: string },
  ): Promise<URL>;
  /** Verifies signature, time and audience of an answer. @throws Error for one that does not hold */
  verify(by: IdentityProvider, samlResponse: string): ReturnType<SAML['validatePostResponseAsync']>;
};

/** How far an identity provider's clock may be from ours. */
const CLOCK_SKEW_MS = 60_000;

/** Persistent ids: what an identity provider calls somebody must not change from one sign-in to the next. */
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** @returns undefined where the operator has not switched it on */
export async function createServiceProvider({
  saml,
  siteUrl,
}: Pick<AuthSettings, 'saml' | 'siteUrl'>): Promise<ServiceProvider | undefined> {
  if (!saml) return undefined;
  const entityId = `${siteUrl}/auth/v1/sso/saml/metadata`;
  const acsUrl = `${siteUrl}/auth/v1/sso/saml/acs`;
  const privateKey = String(saml.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const certificate = await createCertificate(saml.privateKey, new URL(siteUrl).hostname);
  const shared = {
    issuer: entityId,
    callbackUrl: acsUrl,
    privateKey,
    decryptionPvk: privateKey,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    identifierFormat: PERSISTENT,
  } as const;
  const open = (idp: IdentityProvider, requestId = '_') =>
    new SAML({
      ...shared,
      entryPoint: idp.ssoUrl,
      idpCert: [...idp.certificates],
      idpIssuer: idp.entityId,
      audience: entityId,
      identifierFormat: idp.nameIdFormat ?? PERSISTENT,
      wantAuthnResponseSigned: false,
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: CLOCK_SKEW_MS,
      // Asked of what is signed, in `readAssertion`: the library asks the envelope.
      validateInResponseTo: ValidateInResponseTo.never,
      generateUniqueId: () => requestId,
    });
  return {
    entityId,
    acsUrl,
    metadata: generateServiceProviderMetadata({
      ...shared,
      publicCerts: certificate,
      decryptionCert: certificate,
      generateUniqueId: () => '_linkoteca',
    }),
    buildRequestUrl: async (idp, { requestId, relayState }) =>
      new URL(await open(idp, requestId).getAuthorizeUrlAsync(relayState, undefined, {})),
    verify: (idp, samlResponse) => open(idp).validatePostResponseAsync({ SAMLResponse: samlResponse }),
  };
}
