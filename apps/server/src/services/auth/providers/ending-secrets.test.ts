import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { apple } from './apple.ts';
import { listEnding, readSecretEnd, warnOfEndingSecrets } from './ending-secrets.ts';
import { google } from './google.ts';
import { openProviders } from './providers.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 3_600_000);
const makeSecret = (end: Date) =>
  new SignJWT({ exp: end.getTime() / 1000 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from('a key of Apple’s that is only used here'));

function open(clientSecret: string) {
  const settings = { issuer: 'https://example.com', clientId: 'id', clientSecret };
  return openProviders([google, apple], { google: settings, apple: settings }, () => NOW);
}

describe('a secret that ends', () => {
  it('is read where it is a JWT that says so', async () => {
    expect(readSecretEnd(await makeSecret(inDays(1)))).toEqual(inDays(1));
    for (const secret of ['GOCSPX-segredo', '', 'a.b.c']) expect(readSecretEnd(secret)).toBeUndefined();
  });

  it.each([
    [-1, ['apple']],
    [29, ['apple']],
    [31, []],
  ])('in %i days is one to be replaced: %o', async (days, names) => {
    const { open: providers } = open(await makeSecret(inDays(days)));
    expect(listEnding(providers, NOW).map(({ name }) => name)).toEqual(names);
  });

  it('is said in the log, without the secret', async () => {
    const secret = await makeSecret(inDays(3));
    const lines: unknown[][] = [];
    const logger = { warn: (...line: unknown[]) => void lines.push(line) };
    warnOfEndingSecrets({ providers: open(secret), logger: logger as never, now: () => NOW })();
    expect(lines).toEqual([
      [{ provider: 'apple', endsAt: inDays(3) }, expect.stringContaining('nobody gets in')],
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
