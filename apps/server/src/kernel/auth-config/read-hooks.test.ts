import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readHooks } from './read-hooks.ts';

const read = (toml: string, environment: Record<string, string> = {}) => readHooks(parse(toml), environment);
const KEY = Buffer.from('uma chave de trinta e dois bytes');
const SECRET = `v1,whsec_${KEY.toString('base64')}`;
const hook = (lines: string) => `[auth.hook.custom_access_token]\nenabled = true\n${lines}`;

describe('a hook', () => {
  it('is a function of the database', () => {
    expect(read(hook('uri = "pg-functions://postgres/auth/before-user-created-hook"'))).toEqual({
      hooks: { custom_access_token: { kind: 'function', schema: 'auth', name: 'before-user-created-hook' } },
      faults: [],
    });
  });

  it('is an address with one secret or several', () => {
    expect(read(hook(`uri = "https://a.br/hook"\nsecrets = "${SECRET}|${SECRET}"`))).toEqual({
      hooks: { custom_access_token: { kind: 'http', url: 'https://a.br/hook', secrets: [KEY, KEY] } },
      faults: [],
    });
    expect(read(hook(`uri = "http://127.0.0.1:9/hook"\nsecrets = "${SECRET}"`)).faults).toEqual([]);
  });

  it('is said by variables as well, each key for itself', () => {
    const file = hook('uri = "pg-functions://postgres/public/um"');
    const two = { GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI: 'pg-functions://postgres/public/dois' };
    expect(read(file, two).hooks).toMatchObject({ custom_access_token: { name: 'dois' } });
    const off = { ...two, SUPABASE_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: 'false' };
    expect(read(file, off)).toEqual({ hooks: {}, faults: [] });
    const on = {
      GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED: 'true',
      GOTRUE_HOOK_BEFORE_USER_CREATED_URI: 'https://a.br',
      MY_SECRET: SECRET,
    };
    expect(read('[auth.hook.before_user_created]\nsecrets = "env(MY_SECRET)"', on).hooks).toMatchObject({
      before_user_created: { kind: 'http', secrets: [KEY] },
    });
  });

  it('that is off may say what it likes', () => {
    expect(read('[auth.hook.custom_access_token]\nenabled = false\nuri = "nada"')).toEqual({
      hooks: {},
      faults: [],
    });
  });

  it.each([
    ['', 'uri'],
    ['uri = "pg-functions://postgres/public"', 'uri'],
    ['uri = "pg-functions://postgres/public/f(); drop table x"', 'uri'],
    ['uri = "ftp://a.br"', 'uri'],
    [`uri = "http://a.br"\nsecrets = "${SECRET}"`, 'uri'],
    ['uri = "https://a.br"', 'secrets'],
    ['uri = "https://a.br"\nsecrets = "segredo"', 'secrets'],
    ['uri = "https://a.br"\nsecrets = "v1,whsec_Y3VydG8="', 'secrets'],
    [`uri = "https://a.br"\nsecrets = "${SECRET}|segredo"`, 'secrets'],
  ])('is refused by the name of its key, and no value is repeated: %j', (lines, key) => {
    const { hooks, faults } = read(hook(lines));
    expect(hooks).toEqual({});
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`^auth\\.hook\\.custom_access_token\\.${key} deve ser`)),
    ]);
    expect(faults.join()).not.toMatch(/segredo|drop table/);
  });

  it('is on or off', () => {
    expect(read('[auth.hook.custom_access_token]\nenabled = "talvez"').faults).toHaveLength(1);
  });
});
