import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Tags of ASN.1 (ITU-T X.690). */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  bytes: 0x04,
  oid: 0x06,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;

const OID = {
  commonName: [0x55, 0x04, 0x03],
  alternativeName: [0x55, 0x1d, 0x11],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
} as const;

/** A certificate that a host signs for itself (RFC 5280), good for this century. PEM. */
export function createCertificate(host: string): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = writeBody(host, publicKey);
  const signature = sign('sha256', body, privateKey);
  const certificate = put(TAG.sequence, body, algorithm(), put(TAG.bits, Buffer.of(0), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function writeBody(host: string, publicKey: KeyObject): Buffer {
  const commonName = put(TAG.sequence, oid('commonName'), put(TAG.text, Buffer.from(host)));
  const name = put(TAG.sequence, put(TAG.set, commonName));
  const validity = put(
    TAG.sequence,
    put(TAG.time, Buffer.from('240101000000Z')),
    put(TAG.time, Buffer.from('491231235959Z')),
  );
  const alternatives = put(TAG.sequence, put(TAG.dnsName, Buffer.from(host)));
  const extension = put(TAG.sequence, oid('alternativeName'), put(TAG.bytes, alternatives));
  return put(
    TAG.sequence,
    put(TAG.version, put(TAG.integer, Buffer.of(2))),
    put(TAG.integer, Buffer.of(1), randomBytes(8)),
    algorithm(),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    put(TAG.extensions, put(TAG.sequence, extension)),
  );
}

function algorithm(): Buffer {
  return put(TAG.sequence, oid('ecdsaWithSha256'));
}

function oid(name: keyof typeof OID): Buffer {
  return put(TAG.oid, Buffer.from(OID[name]));
}

function put(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
