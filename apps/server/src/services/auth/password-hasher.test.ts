import { hash as hashArgon2 } from '@node-rs/argon2';
import { hash as hashBcrypt } from '@node-rs/bcrypt';
import { describe, expect, it } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { createPasswordHasher, isReadableHash } from './password-hasher.ts';

const { passwordHashing } = DEFAULT_AUTH_SETTINGS;
const hasher = await createPasswordHasher({ ...passwordHashing, atOnce: 2, waiting: 2 });

describe('a password hasher', () => {
  it('hashes with argon2id, every time with another salt', async () => {
    const [one, two] = [await hasher.hash('senha 🔑'), await hasher.hash('senha 🔑')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await hasher.check('senha 🔑', one)).toEqual({ matches: true, outdated: false });
    expect(await hasher.check('senha', one)).toEqual({ matches: false, outdated: false });
  });

  it('checks the hashes other systems made, and calls them outdated', async () => {
    const bcrypt = await hashBcrypt('senha', { cost: 4 });
    const weaker = await hashArgon2('senha', { algorithm: 1, memoryCost: 4096, timeCost: 3 });
    for (const imported of [bcrypt, weaker]) {
      expect(isReadableHash(imported)).toBe(true);
      expect(await hasher.check('senha', imported)).toEqual({ matches: true, outdated: true });
      expect((await hasher.check('outra', imported)).matches).toBe(false);
    }
  });

  it('matches nothing when there is no hash, or one of an unknown kind', async () => {
    for (const none of [undefined, null, '', 'senha', 'md5:0cc175b9c0f1b6a831c399e269772661']) {
      expect(await hasher.check('senha', none)).toEqual({ matches: false, outdated: false });
      expect(await hasher.check('', none)).toEqual({ matches: false, outdated: false });
    }
  });

  it('refuses a flood instead of taking memory for all of it', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => hasher.hash('senha')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'over_request_rate_limit', status: 429 });
    expect((await hasher.check('senha', await hasher.hash('senha'))).matches).toBe(true);
  });
});
