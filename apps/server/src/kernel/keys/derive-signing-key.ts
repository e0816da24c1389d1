import { createECDH, createPrivateKey, createPublicKey, hkdfSync } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { describePair, type SigningKey } from './signing-key.ts';

/** Order of the P-256 group (FIPS 186-5, NIST SP 800-186 section 3.2.1.3). */
const P256_ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** 128 bits more than the order, so that reducing leaves no measurable bias (FIPS 186-5, A.2.1). */
const EXTRA_RANDOM_LENGTH = 48;
const DERIVATION_INFO = 'linkoteca/access-token/es256/v1';

/**
 * Derives the ES256 key pair that belongs to a secret: the same secret gives the same key on every copy of the server,
 * so no key file has to be shared. `kid` is the RFC 7638 thumbprint of the public key.
 */
export async function deriveSigningKey(secret: string): Promise<SigningKey> {
  const material = hkdfSync('sha256', secret, '', DERIVATION_INFO, EXTRA_RANDOM_LENGTH);
  const scalar = (BigInt(`0x${Buffer.from(material).toString('hex')}`) % (P256_ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');

  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  // Uncompressed point: 0x04, then x and y of 32 bytes each (SEC 1, section 2.3.3).
  const point = curve.getPublicKey();
  const coordinates = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  } as const;

  return describePair({
    kid: await calculateJwkThumbprint(coordinates),
    algorithm: 'ES256',
    signsWith: createPrivateKey({ key: { ...coordinates, d: d.toString('base64url') }, format: 'jwk' }),
    verifiesWith: createPublicKey({ key: coordinates, format: 'jwk' }),
  });
}
