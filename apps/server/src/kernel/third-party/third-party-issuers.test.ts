import { createHmac } from 'node:crypto';
import { startTokenIssuer, type TokenIssuer } from '@linkoteca/server-process/start-token-issuer';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createKeyring, type Keyring } from '../keyring.ts';
import { createThirdPartyIssuers } from './third-party-issuers.ts';

let issuer: TokenIssuer;
let stranger: TokenIssuer;
let warnings: object[];
let ahead: number;
beforeEach(async () => {
  [issuer, stranger] = await Promise.all([startTokenIssuer(), startTokenIssuer()]);
  warnings = [];
  ahead = 0;
});
afterEach(() => Promise.all([issuer.stop(), stranger.stop()]));

const SECRET = 'a-secret-of-enough-characters-for-hs256';
const now = () => new Date(Date.now() + ahead * 1000);
const ANA = { sub: 'ana-of-elsewhere', role: 'authenticated' };
const REFUSED = { ok: false, reason: 'bad_signature' };

function createRing(audience?: string, address = issuer.issuer): Promise<Keyring> {
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const issuers = [{ issuer: address, ...(audience === undefined ? {} : { audience }) }];
  return createKeyring({
    secrets: [SECRET],
    thirdParties: createThirdPartyIssuers({ issuers, now, logger: logger as never }),
  });
}

async function verify(ring: Keyring, token: string) {
  await ring.prepare(token);
  return ring.verify(token, now());
}

describe('a token of a third party', () => {
  it('is verified with the keys that it publishes, which are asked for once', async () => {
    const ring = await createRing();
    const token = issuer.signToken(ANA);
    expect(ring.verify(token, now())).toEqual(REFUSED);
    const first = await verify(ring, token);
    expect(first).toMatchObject({ ok: true, isForeign: true, claims: ANA });
    expect(ring.prepare(token)).toBeUndefined();
    const second = ring.verify(token, now());
    expect(second.ok && first.ok && second.claims === first.claims).toBe(true);
    expect((await verify(ring, issuer.signToken({ sub: 'bia' }))).ok).toBe(true);
    expect(issuer.keysAsked()).toBe(1);
  });

  it('needs nothing fetched where it is our own, or names nobody', async () => {
    const ring = await createRing();
    for (const token of [await ring.signAccessToken(ANA), ring.anonKey, 'x', stranger.signToken(ANA)])
      expect(ring.prepare(token)).toBeUndefined();
    expect(issuer.keysAsked()).toBe(0);
  });

  it('needs nothing fetched where no published key can have signed it', async () => {
    const ring = await createRing();
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ ...ANA, iss: issuer.issuer, exp: 9_999_999_999 });
    const shared = `${part({ alg: 'HS256', kid: 'x' })}.${claims}.AAAA`;
    for (const token of [shared, issuer.signToken(ANA, { kid: undefined })])
      expect(ring.prepare(token)).toBeUndefined();
    expect(issuer.keysAsked()).toBe(0);
  });

  it('may name an issuer with a slash at the end, as the issuer itself does', async () => {
    issuer.describe({ issuer: `${issuer.issuer}/` });
    const ring = await createRing(undefined, `${issuer.issuer}/`);
    expect((await verify(ring, issuer.signToken({ ...ANA, iss: `${issuer.issuer}/` }))).ok).toBe(true);
    expect(await verify(ring, issuer.signToken(ANA))).toEqual(REFUSED);
  });

  it('is for us where the issuer’s keys sign for others as well', async () => {
    const ring = await createRing('nosso-projeto');
    expect((await verify(ring, issuer.signToken({ ...ANA, aud: 'nosso-projeto' }))).ok).toBe(true);
    expect((await verify(ring, issuer.signToken({ ...ANA, aud: ['x', 'nosso-projeto'] }))).ok).toBe(true);
    expect(await verify(ring, issuer.signToken({ ...ANA, aud: 'outro-projeto' }))).toEqual(REFUSED);
    expect(await verify(ring, issuer.signToken(ANA))).toEqual(REFUSED);
  });

  it('ends when it says, and one that never ends is refused', async () => {
    const ring = await createRing();
    const end = Math.floor(now().getTime() / 1000) + 60;
    const token = issuer.signToken({ ...ANA, exp: end });
    expect((await verify(ring, token)).ok).toBe(true);
    ahead = 61;
    expect(ring.verify(token, now())).toEqual({ ok: false, reason: 'expired' });
    expect(await verify(ring, issuer.signToken({ ...ANA, exp: undefined }))).toEqual(REFUSED);
  });

  it('of a key that the issuer took back is refused from ten minutes later on, though it was good before', async () => {
    // The library that keeps the keys reads the real clock.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ring = await createRing();
    const token = issuer.signToken(ANA);
    expect((await verify(ring, token)).ok).toBe(true);
    issuer.rotate();
    vi.setSystemTime(Date.now() + 599_000);
    expect((await verify(ring, token)).ok).toBe(true);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await verify(ring, token)).toEqual(REFUSED);
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
  });

  it('of a key that the issuer took back is refused once the clock is set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ring = await createRing();
    const token = issuer.signToken(ANA);
    expect((await verify(ring, token)).ok).toBe(true);
    issuer.rotate();
    vi.setSystemTime(Date.now() - 6 * 3_600_000);
    expect(await verify(ring, token)).toEqual(REFUSED);
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
  });

  it('of a new key is verified once the clock is set back, though nobody comes with the old one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ring = await createRing();
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
    issuer.rotate();
    vi.setSystemTime(Date.now() - 6 * 3_600_000);
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
  });

  const hostile: readonly [string, () => string | Promise<string>][] = [
    ['signed by somebody else in its name', () => stranger.signToken({ ...ANA, iss: issuer.issuer })],
    ['of an unknown key', () => issuer.signToken(ANA, { kid: 'x' })],
    ['without a key', () => issuer.signToken(ANA, { kid: undefined })],
    ['of another algorithm', () => issuer.signToken(ANA, { alg: 'ES256' })],
    [
      'signed with our own secret in its name',
      () => {
        const input = [{ alg: 'HS256' }, { ...ANA, iss: issuer.issuer, exp: 9_999_999_999 }]
          .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
          .join('.');
        return `${input}.${createHmac('sha256', SECRET).update(input).digest('base64url')}`;
      },
    ],
    ['of an issuer that nobody named', () => stranger.signToken(ANA)],
    [
      'with a changed payload',
      () => issuer.signToken(ANA).replace(/\.[^.]*\./, `.${issuer.signToken({ sub: 'x' }).split('.')[1]}.`),
    ],
  ];
  it.each(hostile)('is refused %s', async (_name, make) => {
    const ring = await createRing();
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
    expect(await verify(ring, await make())).toEqual(REFUSED);
  });

  it('of unknown keys by the hundred asks for the keys no more than twice', async () => {
    const ring = await createRing();
    for (let at = 0; at < 100; at += 1)
      expect(await verify(ring, issuer.signToken(ANA, { kid: `x${at}` }))).toEqual(REFUSED);
    expect(issuer.keysAsked()).toBeLessThanOrEqual(2);
  });
});

describe('an issuer that does not answer as it should lets nobody in', () => {
  const huge = JSON.stringify({ keys: [], padding: 'x'.repeat(1_000_000) });
  it.each<[string, () => void]>([
    ['fails', () => issuer.answerKeys((response) => response.writeHead(500).end())],
    [
      'leads elsewhere',
      () =>
        issuer.answerKeys((response) =>
          response.writeHead(302, { location: `${stranger.issuer}/keys` }).end(),
        ),
    ],
    ['answers no JSON', () => issuer.answerKeys((response) => response.end('<html>'))],
    ['answers without end', () => issuer.answerKeys((response) => response.end(huge))],
    ['says that it is another', () => issuer.describe({ issuer: stranger.issuer })],
    ['has its keys at an address of another kind', () => issuer.describe({ jwks_uri: 'file:///etc/passwd' })],
    ['publishes none', () => issuer.describe({ jwks_uri: undefined })],
  ])('where it %s', async (_name, break_) => {
    break_();
    const ring = await createRing();
    expect(await verify(ring, issuer.signToken(ANA))).toEqual(REFUSED);
    expect(warnings).toHaveLength(1);
    // Whoever sends more tokens does not make us ask more.
    expect(ring.prepare(issuer.signToken(ANA))).toBeUndefined();
  });

  it.each(['file:///etc/passwd', 'data:application/json,{"keys":[]}', undefined])(
    'and %s is no address to ask for keys',
    async (keys) => {
      issuer.describe({ jwks_uri: keys });
      await verify(await createRing(), issuer.signToken(ANA));
      const err = expect.objectContaining({ message: 'the issuer publishes no keys that can be fetched' });
      expect(warnings).toEqual([{ err, issuer: issuer.issuer }]);
    },
  );

  it('and is asked again a little later', async () => {
    const ring = await createRing();
    issuer.answerKeys((response) => response.writeHead(503).end());
    expect(await verify(ring, issuer.signToken(ANA))).toEqual(REFUSED);
    issuer.answerKeys(undefined);
    ahead = 5;
    expect((await verify(ring, issuer.signToken(ANA))).ok).toBe(true);
  });

  it('but whoever was in stays for an hour, and not longer', async () => {
    const ring = await createRing();
    const token = issuer.signToken({ ...ANA, exp: Math.floor(Date.now() / 1000) + 10_000 });
    expect((await verify(ring, token)).ok).toBe(true);
    await issuer.stop();
    ahead = 3_590;
    expect(ring.verify(token, now()).ok).toBe(true);
    ahead = 3_600;
    expect(ring.verify(token, now())).toEqual(REFUSED);
  });
});
