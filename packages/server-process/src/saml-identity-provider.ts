// What the certificate library is built with asks for it, before that library is loaded.
import 'reflect-metadata';
import { KeyObject, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { X509CertificateGenerator } from '@peculiar/x509';
import { SignedXml } from 'xml-crypto';
import { encrypt } from 'xml-encryption';

const EMAIL = 'urn:oid:0.9.2342.19200300.100.1.3';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

/** Whom the assertions are for: a service provider's entity id, and the address that answers are posted to. */
export type ServedProvider = { readonly entityId: string; readonly acsUrl: string };

/** What an assertion says; a test changes what it attacks. */
export type SamlWords = {
  readonly requestId: string;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly email: string;
  /** Further attributes. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
  readonly method: string;
  /** Minutes from now. */
  readonly notBefore: number;
  readonly notOnOrAfter: number;
};

/** An identity provider in memory: it signs with a key of its own. (SAML 2.0 Core, section 2.) */
export class SamlIdentityProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly #served: ServedProvider;
  readonly #key: KeyObject;
  readonly #certificate: string;

  private constructor(served: ServedProvider, entityId: string, { key, certificate }: SigningKey) {
    this.#served = served;
    this.entityId = entityId;
    this.ssoUrl = `${entityId}/sso`;
    this.#key = key;
    this.#certificate = certificate;
  }

  /** @param entityId of one whose key is replaced, or that has an address */
  static async create(
    served: ServedProvider,
    entityId = `https://idp.test/${randomUUID()}`,
  ): Promise<SamlIdentityProvider> {
    return new SamlIdentityProvider(served, entityId, await createSigningKey());
  }

  /** @param certificate another one than its own */
  metadata({ certificate = this.#certificate, inside = '', validUntil = '' } = {}): string {
    const until = validUntil === '' ? '' : ` validUntil="${validUntil}"`;
    return `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}"${until}>
      <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
        <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
          <ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${this.ssoUrl}"/>
      </md:IDPSSODescriptor>${inside}
    </md:EntityDescriptor>`;
  }

  /** An assertion, not signed. */
  assertion(words: Partial<SamlWords> & Pick<SamlWords, 'requestId'>): string {
    const {
      requestId,
      nameId,
      nameIdFormat,
      email,
      attributes,
      issuer,
      audience,
      recipient,
      method,
      ...times
    } = {
      nameId: 'pessoa-1',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      email: 'ana@empresa.test',
      attributes: {},
      issuer: this.entityId,
      audience: this.#served.entityId,
      recipient: this.#served.acsUrl,
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      notBefore: -5,
      notOnOrAfter: 5,
      ...words,
    };
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const [from, until] = [at(times.notBefore), at(times.notOnOrAfter)];
    const told = Object.entries({ ...(email === '' ? {} : { [EMAIL]: email }), ...attributes })
      .map(
        ([name, value]) =>
          `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
      )
      .join('');
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData InResponseTo="${requestId}" Recipient="${recipient}" NotOnOrAfter="${until}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${at(0)}"/><saml:AttributeStatement>${told}</saml:AttributeStatement></saml:Assertion>`;
  }

  /** Signs the first element of that name. */
  sign(xml: string, name: 'Assertion' | 'Response' = 'Assertion'): string {
    const signature = new SignedXml({
      privateKey: this.#key.export({ type: 'pkcs8', format: 'pem' }),
      signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
    });
    signature.addReference({
      xpath: `//*[local-name(.)='${name}']`,
      digestAlgorithm: SHA256,
      transforms: [
        'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
        'http://www.w3.org/2001/10/xml-exc-c14n#',
      ],
    });
    const reference = `//*[local-name(.)='${name}']/*[local-name(.)='Issuer']`;
    signature.computeSignature(xml, { location: { reference, action: 'after' } });
    return signature.getSignedXml();
  }

  /** An answer around what an assertion says. */
  response(assertion: string, requestId: string): string {
    return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${this.#served.acsUrl}" InResponseTo="${requestId}"><saml:Issuer>${this.entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${assertion}</samlp:Response>`;
  }

  /** A right answer, but for what a test says otherwise. */
  answer(words: Partial<SamlWords> & Pick<SamlWords, 'requestId'>): string {
    return this.response(this.sign(this.assertion(words)), words.requestId);
  }

  /** The same, which only we can read. @param certificate ours, of our metadata */
  async encryptedAnswer(
    words: Partial<SamlWords> & Pick<SamlWords, 'requestId'>,
    certificate: string,
  ): Promise<string> {
    const pem = `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----`;
    const encrypted = await promisify(encrypt)(this.sign(this.assertion(words)), {
      rsa_pub: pem,
      pem,
      encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      keyEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    });
    const wrapped = `<saml:EncryptedAssertion>${encrypted}</saml:EncryptedAssertion>`;
    return this.response(wrapped, words.requestId);
  }
}

/** What an address that leads to an identity provider asks. */
export function readSamlRequest(address: string) {
  const { searchParams } = new URL(address);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  return {
    xml,
    requestId: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
    relayState: searchParams.get('RelayState') ?? '',
    isSigned: searchParams.has('Signature'),
  };
}

type SigningKey = {
  readonly key: KeyObject /** In base64, as metadata have it. */;
  readonly certificate: string;
};

async function createSigningKey(): Promise<SigningKey> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    { serialNumber: '01', name: 'CN=idp.test', signingAlgorithm: algorithm, keys },
    crypto,
  );
  return {
    key: KeyObject.from(keys.privateKey),
    certificate: certificate.toString('base64').replaceAll(/\s/g, ''),
  };
}
