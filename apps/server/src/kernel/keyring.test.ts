import { createHmac, createPublicKey } from 'node:crypto';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createKeyring, type Keyring } from './keyring.ts';
import { parseSigningKeys } from './keys/parse-signing-keys.ts';
import { generateStandbyKey, type KeptKey } from './keys/signing-key-file.ts';

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const OLD_SECRET = 'the-previous-secret-of-enough-characters';
const NOW = new Date('2026-03-01T12:00:00Z');
const now = NOW.getTime() / 1000;
const PERSON = {
  sub: 'b5f4',
  role: 'authenticated',
  exp: now + 3600,
  iat: now,
  app_metadata: { provider: 'email' },
};

const keyring = await createKeyring({ secrets: [SECRET] });

function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function hmacToken(header: object, payload: unknown, key: string | Buffer): string {
  const input = `${encode(header)}.${encode(payload)}`;
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
}

function later(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

describe('a keyring', () => {
  it('signs access tokens that any client verifies with the published keys', async () => {
    const token = await keyring.signAccessToken(PERSON);
    const keys = createLocalJWKSet({
      keys: keyring.jwks().keys.map((key) => ({ ...key, key_ops: [...key.key_ops] })),
    });
    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: NOW });
    expect(payload).toEqual(PERSON);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: keyring.jwks().keys[0]?.kid, typ: 'JWT' });
    expect(keyring.verify(token, NOW)).toEqual({ ok: true, claims: PERSON });
  });

  it('publishes no private part', () => {
    expect(keyring.jwks().keys.map((key) => Object.keys(key).sort())).toEqual([
      ['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y'],
    ]);
    expect(JSON.stringify(keyring.jwks())).not.toContain('"d"');
  });

  it('gives every copy of the server the same keys for the same secret, and other keys for another', async () => {
    const twin = await createKeyring({ secrets: [SECRET] });
    const stranger = await createKeyring({ secrets: [OLD_SECRET] });
    expect(twin.jwks()).toEqual(keyring.jwks());
    expect(twin.anonKey).toBe(keyring.anonKey);
    expect(twin.serviceRoleKey).toBe(keyring.serviceRoleKey);
    expect(stranger.jwks()).not.toEqual(keyring.jwks());
    expect(stranger.serviceRoleKey).not.toBe(keyring.serviceRoleKey);
  });

  it('keeps verifying the tokens of the previous secret after a rotation, until that secret is dropped', async () => {
    const before = await createKeyring({ secrets: [OLD_SECRET] });
    const rotated = await createKeyring({ secrets: [SECRET, OLD_SECRET] });
    const token = await before.signAccessToken(PERSON);
    expect(rotated.verify(token, NOW).ok).toBe(true);
    expect(rotated.verify(before.anonKey, NOW).ok).toBe(true);
    expect(keyring.verify(token, NOW)).toEqual({ ok: false, reason: 'bad_signature' });
    expect(rotated.verify(await rotated.signAccessToken(PERSON), NOW).ok).toBe(true);
    expect(rotated.jwks().keys).toHaveLength(2);
    expect(rotated.jwks().keys[0]).toEqual(keyring.jwks().keys[0]);
  });

  it('accepts a secret that waits while the one before signs, and has each key once', async () => {
    const before = await createKeyring({ secrets: [OLD_SECRET] });
    const waiting = await createKeyring({ secrets: [OLD_SECRET, SECRET, OLD_SECRET] });
    expect(before.verify(await waiting.signAccessToken(PERSON), NOW).ok).toBe(true);
    expect(waiting.verify(await keyring.signAccessToken(PERSON), NOW).ok).toBe(true);
    expect(waiting.verify(keyring.anonKey, NOW).ok).toBe(true);
    expect(waiting.exchangeApiKey(keyring.apiKeys.publishable[0] ?? '')?.kind).toBe('publishable');
    const sealed = keyring.factorSecrets.seal('JBSWY3DP', 'f');
    expect(waiting.factorSecrets.unseal(sealed, 'f')?.text).toBe('JBSWY3DP');
    expect(waiting.jwks().keys).toEqual([...before.jwks().keys, ...keyring.jwks().keys]);
    for (const kind of ['publishable', 'secret'] as const)
      expect(waiting.apiKeys[kind]).toEqual([...before.apiKeys[kind], ...keyring.apiKeys[kind]]);
  });

  it('signs the two API keys with their roles', () => {
    expect(keyring.verify(keyring.anonKey, NOW)).toMatchObject({
      claims: { iss: 'linkoteca', role: 'anon' },
    });
    expect(keyring.verify(keyring.serviceRoleKey, NOW)).toMatchObject({
      claims: { iss: 'linkoteca', role: 'service_role' },
    });
  });

  it('answers the same frozen claims for the same token', async () => {
    const token = await keyring.signAccessToken(PERSON);
    const [first, second] = [keyring.verify(token, NOW), keyring.verify(token, later(10))];
    if (!first.ok || !second.ok) throw new Error('both must verify');
    expect(second.claims).toBe(first.claims);
    expect(Object.isFrozen(first.claims)).toBe(true);
    expect(Object.isFrozen(first.claims['app_metadata'])).toBe(true);
  });

  it('lets a remembered token expire to the second', async () => {
    const token = await keyring.signAccessToken(PERSON);
    expect(keyring.verify(token, later(3599)).ok).toBe(true);
    expect(keyring.verify(token, later(3600))).toEqual({ ok: false, reason: 'expired' });
  });

  it('refuses to start without a secret, or with a short one', async () => {
    await expect(createKeyring({ secrets: [] })).rejects.toThrow('at least one secret');
    for (const length of [5, 31])
      await expect(createKeyring({ secrets: [SECRET, 'x'.repeat(length)] })).rejects.toThrow(
        'at least 32 characters',
      );
    await createKeyring({ secrets: ['x'.repeat(32)] });
  });
});

type Hostile = readonly [name: string, make: (keyring: Keyring) => string | Promise<string>, reason: string];

const hostile: readonly Hostile[] = [
  ['the empty string', () => '', 'malformed'],
  [
    'two parts',
    async (ring) => (await ring.signAccessToken(PERSON)).split('.').slice(0, 2).join('.'),
    'malformed',
  ],
  ['four parts', async (ring) => `${await ring.signAccessToken(PERSON)}.x`, 'malformed'],
  [
    'an empty signature',
    async (ring) => (await ring.signAccessToken(PERSON)).replace(/[^.]*$/, ''),
    'malformed',
  ],
  ['characters outside base64url', async (ring) => `${await ring.signAccessToken(PERSON)}=`, 'malformed'],
  ['a NUL byte', async (ring) => `${await ring.signAccessToken(PERSON)}\u0000`, 'malformed'],
  ['alg none', () => `${encode({ alg: 'none' })}.${encode(PERSON)}.`, 'malformed'],
  ['alg none with a signature', () => `${encode({ alg: 'none' })}.${encode(PERSON)}.eA`, 'malformed'],
  ['alg None in another case', () => `${encode({ alg: 'nOnE' })}.${encode(PERSON)}.eA`, 'malformed'],
  ['an algorithm we do not use', () => hmacToken({ alg: 'HS512' }, PERSON, SECRET), 'malformed'],
  ['no algorithm', () => hmacToken({ typ: 'JWT' }, PERSON, SECRET), 'malformed'],
  [
    'critical extensions',
    () => hmacToken({ alg: 'HS256', crit: ['b64'], b64: false }, PERSON, SECRET),
    'malformed',
  ],
  ['a payload that is no JSON', () => hmacToken({ alg: 'HS256' }, 'no json at all', SECRET), 'malformed'],
  ['a payload that is an array', () => hmacToken({ alg: 'HS256' }, [PERSON], SECRET), 'malformed'],
  ['a payload that is null', () => hmacToken({ alg: 'HS256' }, 'null', SECRET), 'malformed'],
  ['a header that is a string', () => `${encode('"HS256"')}.${encode(PERSON)}.eA`, 'malformed'],
  [
    'an exp that is text',
    () => hmacToken({ alg: 'HS256' }, { ...PERSON, exp: '9999999999' }, SECRET),
    'malformed',
  ],
  ['an exp that is null', () => hmacToken({ alg: 'HS256' }, { ...PERSON, exp: null }, SECRET), 'malformed'],
  [
    'a huge token',
    () => hmacToken({ alg: 'HS256' }, { ...PERSON, x: 'x'.repeat(1_000_000) }, SECRET),
    'malformed',
  ],
  [
    'HS256 made with the public key as text',
    (ring) => hmacToken({ alg: 'HS256' }, PERSON, JSON.stringify(ring.jwks().keys[0])),
    'bad_signature',
  ],
  [
    'HS256 made with the public key as PEM',
    (ring) => {
      const { x = '', y = '' } = ring.jwks().keys[0] ?? {};
      const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
      return hmacToken({ alg: 'HS256' }, PERSON, key.export({ type: 'spki', format: 'pem' }));
    },
    'bad_signature',
  ],
  ['HS256 made with an empty key', () => hmacToken({ alg: 'HS256' }, PERSON, ''), 'bad_signature'],
  ['another secret', () => hmacToken({ alg: 'HS256' }, PERSON, OLD_SECRET), 'bad_signature'],
  [
    'ES256 without kid',
    async (ring) => (await ring.signAccessToken(PERSON)).replace(/^[^.]*/, encode({ alg: 'ES256' })),
    'bad_signature',
  ],
  [
    'ES256 with an unknown kid',
    async (ring) =>
      (await ring.signAccessToken(PERSON)).replace(/^[^.]*/, encode({ alg: 'ES256', kid: 'x' })),
    'bad_signature',
  ],
  [
    'ES256 of another installation',
    async () => (await createKeyring({ secrets: [OLD_SECRET] })).signAccessToken(PERSON),
    'bad_signature',
  ],
  [
    'a payload changed after signing',
    async (ring) => {
      const [header, , signature] = (await ring.signAccessToken(PERSON)).split('.');
      return `${header}.${encode({ ...PERSON, role: 'service_role' })}.${signature}`;
    },
    'bad_signature',
  ],
  [
    'a truncated signature',
    async (ring) => (await ring.signAccessToken(PERSON)).slice(0, -8),
    'bad_signature',
  ],
  [
    'an all-zero signature (CVE-2022-21449)',
    async (ring) =>
      (await ring.signAccessToken(PERSON)).replace(/[^.]*$/, Buffer.alloc(64).toString('base64url')),
    'bad_signature',
  ],
  ['a token that has expired', (ring) => ring.signAccessToken({ ...PERSON, exp: now }), 'expired'],
  [
    'an expired token of a stranger',
    () => hmacToken({ alg: 'HS256' }, { exp: 1 }, OLD_SECRET),
    'bad_signature',
  ],
  ['a token of the future', (ring) => ring.signAccessToken({ ...PERSON, nbf: now + 60 }), 'not_yet_valid'],
];

describe('a hostile token is refused', () => {
  it.each(hostile)('%s', async (_name, make, reason) => {
    const token = await make(keyring);
    expect(keyring.verify(token, NOW)).toEqual({ ok: false, reason });
    // A second look must not find it remembered.
    expect(keyring.verify(token, NOW)).toEqual({ ok: false, reason });
  });
});

/** A keyring with keys of the operator's own, the first of which signs. */
function createOwnKeyring(...[first, ...others]: readonly KeptKey[]): Promise<Keyring> {
  const parsed = parseSigningKeys(JSON.stringify([{ ...first, key_ops: ['sign', 'verify'] }, ...others]));
  if (!parsed.ok) throw new Error(parsed.faults.join());
  return createKeyring({ secrets: [SECRET], signingKeys: parsed.keys });
}

const [ES256, RS256, HS256] = (['ES256', 'RS256', 'HS256'] as const).map(generateStandbyKey) as [
  KeptKey,
  KeptKey,
  KeptKey,
];
const kidOf = (key: KeptKey) => String(key['kid']);
const REFUSED = { ok: false, reason: 'bad_signature' };

describe('keys of the operator’s own', () => {
  it.each([ES256, RS256])(
    'sign tokens that any client verifies with the published keys: $alg',
    async (key) => {
      const ring = await createOwnKeyring(key);
      const token = await ring.signAccessToken(PERSON);
      const keys = createLocalJWKSet({
        keys: ring.jwks().keys.map((jwk) => ({ ...jwk, key_ops: ['verify'] })),
      });
      const { protectedHeader } = await jwtVerify(token, keys, { currentDate: NOW });
      expect(protectedHeader).toEqual({ alg: key['alg'], kid: kidOf(key), typ: 'JWT' });
      expect(ring.verify(token, NOW)).toEqual({ ok: true, claims: PERSON });
      expect(JSON.stringify(ring.jwks())).not.toContain(String(key['d']));
      expect(keyring.verify(token, NOW)).toEqual(REFUSED);
    },
  );

  it('may be a shared secret, which is published nowhere', async () => {
    const ring = await createOwnKeyring(HS256);
    const token = await ring.signAccessToken(PERSON);
    expect(token).toBe(
      hmacToken(
        { alg: 'HS256', kid: kidOf(HS256), typ: 'JWT' },
        PERSON,
        Buffer.from(String(HS256['k']), 'base64url'),
      ),
    );
    expect(ring.verify(token, NOW).ok).toBe(true);
    expect(ring.jwks()).toEqual(keyring.jwks());
  });

  it('are rotated without a sign-out: tokens of each hold until the key is taken out', async () => {
    const before = await createOwnKeyring(ES256, RS256);
    const rotated = await createOwnKeyring(RS256, ES256);
    const after = await createOwnKeyring(RS256);
    const old = await before.signAccessToken(PERSON);
    expect(rotated.verify(old, NOW).ok).toBe(true);
    expect(rotated.jwks().keys.map(({ kid }) => kid)).toEqual([
      kidOf(RS256),
      kidOf(ES256),
      expect.any(String),
    ]);
    expect(before.verify(await rotated.signAccessToken(PERSON), NOW).ok).toBe(true);
    expect(after.verify(old, NOW)).toEqual(REFUSED);
  });

  it('leave the keys that follow from the secret good: coming to them signs nobody out', async () => {
    const ring = await createOwnKeyring(RS256);
    expect(ring.verify(await keyring.signAccessToken(PERSON), NOW).ok).toBe(true);
    expect(ring.verify(ring.serviceRoleKey, NOW).ok).toBe(true);
    expect(ring.anonKey).toBe(keyring.anonKey);
  });

  it('take in a hosted project’s secret: its tokens hold whatever key they name', async () => {
    const hosted = 'the secret of a project that moved here from elsewhere';
    const imported = { kty: 'oct', k: Buffer.from(hosted).toString('base64url') };
    const ring = await createOwnKeyring(ES256, imported);
    expect(ring.verify(hmacToken({ alg: 'HS256', kid: 'hJ5kXqVb1s0' }, PERSON, hosted), NOW).ok).toBe(true);
    expect(ring.verify(hmacToken({ alg: 'HS256' }, PERSON, hosted), NOW).ok).toBe(true);
    expect(keyring.verify(hmacToken({ alg: 'HS256' }, PERSON, hosted), NOW)).toEqual(REFUSED);
  });

  const withHeader = (token: string, header: object) => token.replace(/^[^.]*/, encode(header));
  const publicPem = (ring: Keyring) =>
    createPublicKey({ key: ring.jwks().keys[0] ?? {}, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
  const attacks: readonly [string, (ring: Keyring) => string | Promise<string>][] = [
    [
      'HS256 by the public key, under its name',
      (ring) => hmacToken({ alg: 'HS256', kid: kidOf(RS256) }, PERSON, publicPem(ring)),
    ],
    [
      'HS256 by the public key, without a name',
      (ring) => hmacToken({ alg: 'HS256' }, PERSON, publicPem(ring)),
    ],
    [
      'HS256 by our own secret, under the name of a key pair',
      () => hmacToken({ alg: 'HS256', kid: kidOf(RS256) }, PERSON, SECRET),
    ],
    [
      'an unknown name',
      async (ring) => withHeader(await ring.signAccessToken(PERSON), { alg: 'RS256', kid: 'x' }),
    ],
    ['no name', async (ring) => withHeader(await ring.signAccessToken(PERSON), { alg: 'RS256' })],
    [
      'the name of another key',
      async (ring) => withHeader(await ring.signAccessToken(PERSON), { alg: 'RS256', kid: kidOf(ES256) }),
    ],
    [
      'another algorithm than the key’s',
      async (ring) => withHeader(await ring.signAccessToken(PERSON), { alg: 'ES256', kid: kidOf(RS256) }),
    ],
    [
      'the name of the shared secret over an RS256 signature',
      async (ring) => withHeader(await ring.signAccessToken(PERSON), { alg: 'RS256', kid: kidOf(HS256) }),
    ],
    [
      'the signature of a key that waits elsewhere',
      async () => (await createOwnKeyring(generateStandbyKey('RS256'))).signAccessToken(PERSON),
    ],
  ];
  it.each(attacks)('refuse %s', async (_name, make) => {
    const ring = await createOwnKeyring(RS256, ES256, HS256);
    expect(ring.verify(await make(ring), NOW)).toEqual(REFUSED);
  });
});

describe('a token for one purpose', () => {
  const CLAIMS = { url: 'fotos/gato.png', exp: now + 60 };

  it('opens what it was made for, until it expires, after a rotation of secrets too', async () => {
    const token = await keyring.signPurposeToken('storage-download', CLAIMS);
    expect(keyring.verifyPurposeToken('storage-download', token, NOW)).toEqual({ ok: true, claims: CLAIMS });
    expect(keyring.verifyPurposeToken('storage-download', token, later(59.999)).ok).toBe(true);
    expect(keyring.verifyPurposeToken('storage-download', token, later(60))).toEqual({
      ok: false,
      reason: 'expired',
    });
    const rotated = await createKeyring({ secrets: [OLD_SECRET, SECRET] });
    expect(rotated.verifyPurposeToken('storage-download', token, NOW)).toMatchObject({ ok: true });
  });

  it('never passes for another purpose nor for a person, and no other token passes for it', async () => {
    const refused = { ok: false, reason: 'bad_signature' };
    const upload = await keyring.signPurposeToken('storage-upload', { ...CLAIMS, role: 'service_role' });
    expect(keyring.verifyPurposeToken('storage-download', upload, NOW)).toEqual(refused);
    expect(keyring.verify(upload, NOW)).toEqual(refused);
    const strangers = [
      await keyring.signAccessToken({ ...PERSON, ...CLAIMS }),
      keyring.serviceRoleKey,
      hmacToken({ alg: 'HS256' }, CLAIMS, SECRET),
      hmacToken({ alg: 'HS256' }, CLAIMS, ''),
    ];
    for (const token of strangers)
      expect(keyring.verifyPurposeToken('storage-download', token, NOW)).toEqual(refused);
    expect(
      keyring.verifyPurposeToken('storage-download', hmacToken({ alg: 'none' }, CLAIMS, SECRET), NOW),
    ).toEqual({ ok: false, reason: 'malformed' });
  });
});
