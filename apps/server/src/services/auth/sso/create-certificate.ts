// What the certificate library is built with asks for it, before that library is loaded.
import 'reflect-metadata';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';

const SIGNING = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

/**
 * An RSA key in the form that SAML metadata have it: a certificate that it has signed itself, in base64. Nobody checks who signed it: it is told to
 * the other side. Always the same for a key, so that each copy of the server says the same.
 */
export async function createCertificate(key: KeyObject, host: string): Promise<string> {
  const importKey = (format: 'pkcs8' | 'spki', der: Buffer, use: 'sign' | 'verify') =>
    crypto.subtle.importKey(format, Uint8Array.from(der), SIGNING, true, [use]);
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: '01',
      name: [{ CN: [host] }],
      notBefore: new Date('2020-01-01T00:00:00Z'),
      notAfter: new Date('2099-12-31T00:00:00Z'),
      signingAlgorithm: SIGNING,
      keys: {
        privateKey: await importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), 'sign'),
        publicKey: await importKey('spki', publicDer, 'verify'),
      },
    },
    crypto,
  );
  return certificate.toString('base64').replaceAll(/\s/g, '');
}
