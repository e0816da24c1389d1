import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ParsedSigningKeys, parseSigningKeys } from './parse-signing-keys.ts';
import { generateStandbyKey, type KeptKey } from './signing-key-file.ts';

const es256 = { ...generateStandbyKey('ES256'), key_ops: ['sign', 'verify'] } as KeptKey;
const rs256 = generateStandbyKey('RS256');
const hs256 = generateStandbyKey('HS256');
const toPublic = ({ d: _d, p, q, dp, dq, qi, ...rest }: KeptKey) => rest;

const faultsOf = (parsed: ParsedSigningKeys) => (parsed.ok ? [] : parsed.faults);
const parse = (...jwks: readonly unknown[]) => parseSigningKeys(JSON.stringify(jwks));

describe('signing keys', () => {
  it('are a list or a set, the one that signs in front', () => {
    const parsed = parse(rs256, es256, hs256);
    if (!parsed.ok) throw new Error(parsed.faults.join());
    expect(parsed.keys.map(({ kid, algorithm }) => [kid, algorithm])).toEqual([
      [es256['kid'], 'ES256'],
      [rs256['kid'], 'RS256'],
      [hs256['kid'], 'HS256'],
    ]);
    expect(parseSigningKeys(JSON.stringify({ keys: [es256] })).ok).toBe(true);
  });

  it('publish their public parts alone, and nothing of a shared secret', () => {
    const parsed = parse(es256, rs256, hs256);
    if (!parsed.ok) throw new Error(parsed.faults.join());
    const published = parsed.keys.map(({ publicJwk }) => publicJwk && Object.keys(publicJwk).sort());
    expect(published).toEqual([
      ['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y'],
      ['alg', 'e', 'key_ops', 'kid', 'kty', 'n', 'use'],
      undefined,
    ]);
    expect(parsed.keys[0]?.publicJwk).toMatchObject({ key_ops: ['verify'], use: 'sig' });
  });

  it('may be public where they do not sign, and a shared secret needs no name', () => {
    expect(parse(es256, toPublic(rs256), { kty: 'oct', k: hs256['k'] }).ok).toBe(true);
  });

  const other = generateStandbyKey('ES256');
  const shortRsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });

  it.each<[string, readonly unknown[], string]>([
    ['none', [], 'deve ser uma lista de JWKs em JSON'],
    ['no object', ['segredo'], 'deve ser uma lista de JWKs em JSON'],
    ['none that signs', [rs256], 'deve ter uma só chave com sign em key_ops: a que assina'],
    [
      'two that sign',
      [es256, { ...rs256, key_ops: ['sign'] }],
      'deve ter uma só chave com sign em key_ops: a que assina',
    ],
    ['one name twice', [es256, { ...rs256, kid: es256['kid'] }], 'não pode repetir um kid'],
    ['a public one that signs', [toPublic(es256)], 'deve ter a parte privada da chave que assina'],
    ['no name', [es256, { ...rs256, kid: undefined }], '(chave 2) deve ter um kid'],
    ['a name that is none', [{ ...es256, kid: 7 }], '(chave 1) deve ter um texto como kid'],
    ['another algorithm than its kind', [{ ...es256, alg: 'HS256' }], '(chave 1) deve ter alg ES256'],
    ['another use', [{ ...es256, use: 'enc' }], '(chave 1) deve ter use sig'],
    [
      'another curve',
      [es256, { ...p384, kid: 'p384' }],
      '(chave 2) deve ser EC com a curva P-256, RSA ou oct (kty, crv)',
    ],
    [
      'another kind',
      [es256, { kty: 'OKP', kid: 'ed' }],
      '(chave 2) deve ser EC com a curva P-256, RSA ou oct (kty, crv)',
    ],
    ['a short RSA key', [es256, { ...shortRsa, kid: 'short' }], '(chave 2) deve ter ao menos 2048 bits'],
    [
      'a short secret',
      [es256, { kty: 'oct', k: 'c2VncmVkbw' }],
      '(chave 2) deve ter em k ao menos 32 bytes, em base64url',
    ],
    ['a point off the curve', [{ ...es256, y: es256['x'] }], '(chave 1) tem partes que não formam uma chave'],
    [
      'the private part of another key',
      [{ ...es256, d: other['d'] }],
      '(chave 1) tem uma parte privada que não é da pública',
    ],
  ])('are refused with %s, and nothing of them is repeated', (_name, jwks, fault) => {
    const faults = faultsOf(parse(...jwks));
    expect(faults).toEqual([fault]);
  });

  it('that are no JSON are refused without a word of them', () => {
    expect(faultsOf(parseSigningKeys('segredo'))).toEqual(['deve ser uma lista de JWKs em JSON']);
  });

  it('name every fault at once', () => {
    expect(faultsOf(parse({ kty: 'x' }, { kty: 'y' }))).toHaveLength(2);
  });

  it('are those of the private part: the public key of a parsed pair verifies what it signs', () => {
    const parsed = parse(es256);
    const [key] = parsed.ok ? parsed.keys : [];
    const own = key?.signsWith && createPublicKey(key.signsWith).export({ format: 'jwk' });
    expect(key?.publicJwk).toMatchObject({ ...own });
  });
});
