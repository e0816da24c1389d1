import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readExternal } from './read-external.ts';

const OFFERED = [
  { name: 'google', issuer: 'https://accounts.google.com' },
  { name: 'keycloak', issuer: '' },
];
const read = (toml: string, environment: Record<string, string> = {}, ownNames: readonly string[] = []) =>
  readExternal(parse(toml), environment, OFFERED, ownNames);
const REGISTERED = 'enabled = true\nclient_id = "id"\nsecret = "segredo"';
const google = (lines: string) => `[auth.external.google]\n${REGISTERED}\n${lines}`;

describe('a provider by the platform’s settings', () => {
  it('is on with an id and a secret, at its public address or another one', () => {
    expect(read(google(''))).toEqual({
      providers: {
        google: { issuer: 'https://accounts.google.com', clientId: 'id', clientSecret: 'segredo' },
      },
      faults: [],
    });
    expect(
      read(`[auth.external.keycloak]\n${REGISTERED}\nurl = "https://sso.loja.br/realms/loja"`).providers,
    ).toMatchObject({ keycloak: { issuer: 'https://sso.loja.br/realms/loja' } });
  });

  it('may have further ids, another way back, and ID tokens without our nonce', () => {
    const lines = 'redirect_uri = "https://api.loja.br/auth/v1/callback"\nskip_nonce_check = true';
    const { providers } = read(google(lines).replace('"id"', '"id, phone,tablet"'));
    expect(providers['google']).toMatchObject({
      clientId: 'id',
      otherClientIds: ['phone', 'tablet'],
      redirectUri: 'https://api.loja.br/auth/v1/callback',
      skipNonceCheck: true,
    });
  });

  it('is said by variables as well, GoTrue’s over the file and those of the command line over both', () => {
    const gotrue = { GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'dois', GOTRUE_EXTERNAL_GOOGLE_SECRET: 'outro' };
    expect(read(google(''), gotrue).providers['google']).toMatchObject({
      clientId: 'dois',
      clientSecret: 'outro',
    });
    const own = { ...gotrue, SUPABASE_AUTH_EXTERNAL_GOOGLE_CLIENT_ID: 'três' };
    expect(read(google(''), own).providers['google']).toMatchObject({
      clientId: 'três',
      clientSecret: 'outro',
    });
    expect(read(google(''), { SUPABASE_AUTH_EXTERNAL_GOOGLE_ENABLED: 'false' }).providers).toEqual({});
    expect(
      read('[auth.external.google]\nsecret = "env(KEPT)"', {
        KEPT: 'guardado',
        GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
        GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'id',
      }).providers['google'],
    ).toMatchObject({ clientSecret: 'guardado' });
  });

  it('that is off, or that this server’s own variables set, may say what it likes', () => {
    expect(read('[auth.external.google]\nenabled = false\nurl = "/"')).toEqual({ providers: {}, faults: [] });
    expect(read('[auth.external.google]\nenabled = true', {}, ['google'])).toEqual({
      providers: {},
      faults: [],
    });
  });

  it.each([
    ['[auth.external.google]\nenabled = true', ['client_id', 'secret']],
    [google('').replace('"id"', '"id,"'), ['client_id']],
    [`[auth.external.keycloak]\n${REGISTERED}`, ['url']],
    [google('url = "http://evil.example"'), ['url']],
    [google('url = "https://user@evil.example"'), ['url']],
    [google('redirect_uri = "javascript:alert(1)"'), ['redirect_uri']],
    [google('skip_nonce_check = "talvez"'), ['skip_nonce_check']],
    ['[auth.external.google]\nenabled = "talvez"', ['enabled']],
  ])('is refused by the names of its keys, and no secret is repeated: %j', (toml, keys) => {
    const { providers, faults } = read(toml);
    expect(providers).toEqual({});
    expect(faults.map((fault) => fault.split(' ')[0]?.split('.').at(-1))).toEqual(keys);
    expect(faults.join()).not.toContain('segredo');
  });
});
