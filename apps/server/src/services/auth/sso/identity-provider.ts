import { X509Certificate } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';

/** An organisation's identity provider, as its metadata describes it. */
export type IdentityProvider = {
  readonly entityId: string;
  /** Where people are sent (binding HTTP-Redirect). */
  readonly ssoUrl: string;
  /** Of the keys that it signs with, in base64. */
  readonly certificates: readonly string[];
  /** How it is to name people; undefined: by persistent ids. */
  readonly nameIdFormat?: string | undefined;
};

type ReadMetadata =
  | { readonly ok: true; readonly provider: IdentityProvider }
  | { readonly ok: false; readonly fault: string };

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MAX_LENGTH = 256 * 1024;

/** Reads the metadata of one identity provider (SAML 2.0 Metadata, section 2.4.3). @param now past its `validUntil` it is worth nothing */
export function readIdentityProvider(xml: string, now: Date): ReadMetadata {
  if (xml.length > MAX_LENGTH) return refuse('is too long');
  // Entities could stand for anything, without end.
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) return refuse('must not have a document type');
  const root = parse(xml)?.documentElement;
  if (root?.namespaceURI !== METADATA || root.localName !== 'EntityDescriptor')
    return refuse('is not a valid EntityDescriptor');
  const entityId = root.getAttribute('entityID')?.trim() ?? '';
  if (entityId === '' || entityId.length > 1024) return refuse('does not contain an EntityID');
  const until = Date.parse(root.getAttribute('validUntil') || '9999-12-31');
  if (!(until > now.getTime())) return refuse('is not valid any more');
  const descriptors = Array.from(root.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor'));
  const [descriptor] = descriptors;
  if (!descriptor) return refuse('does not contain any IDPSSODescriptor');
  if (descriptors.length > 1) return refuse('contains multiple IDPSSODescriptors');
  const ssoUrl = Array.from(descriptor.getElementsByTagNameNS(METADATA, 'SingleSignOnService'))
    .find((service) => service.getAttribute('Binding') === REDIRECT)
    ?.getAttribute('Location');
  if (!ssoUrl || !/^https?:$/.test(URL.parse(ssoUrl)?.protocol ?? ''))
    return refuse('does not name an address of the binding HTTP-Redirect');
  const certificates = Array.from(descriptor.getElementsByTagNameNS(METADATA, 'KeyDescriptor'))
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => Array.from(key.getElementsByTagNameNS(SIGNATURE, 'X509Certificate')))
    .map((certificate) => (certificate.textContent ?? '').replaceAll(/\s/g, ''));
  if (certificates.length === 0 || !certificates.every(isCertificate))
    return refuse('does not contain a certificate that it signs with');
  return { ok: true, provider: { entityId, ssoUrl, certificates } };
}

function refuse(fault: string): ReadMetadata {
  return { ok: false, fault: `SAML Metadata ${fault}` };
}

function parse(xml: string): Document | undefined {
  const fail = (message: string) => {
    throw new Error(message);
  };
  try {
    const errorHandler = { warning: fail, error: fail, fatalError: fail };
    return new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml');
  } catch {
    return undefined;
  }
}

function isCertificate(base64: string): boolean {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).publicKey.asymmetricKeyType !== undefined;
  } catch {
    return false;
  }
}
