import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readThirdParties } from './read-third-parties.ts';

const read = (name: string, lines: string, environment: Record<string, string> = {}) =>
  readThirdParties(parse(`[auth.third_party.${name}]\nenabled = true\n${lines}`), environment);

describe('a third party', () => {
  it.each([
    [
      'firebase',
      'project_id = "loja-1"',
      { issuer: 'https://securetoken.google.com/loja-1', audience: 'loja-1' },
    ],
    ['auth0', 'tenant = "loja"', { issuer: 'https://loja.auth0.com/' }],
    ['auth0', 'tenant = "loja"\ntenant_region = "us"', { issuer: 'https://loja.us.auth0.com/' }],
    [
      'aws_cognito',
      'user_pool_id = "sa-east-1_AbC123"\nuser_pool_region = "sa-east-1"',
      { issuer: 'https://cognito-idp.sa-east-1.amazonaws.com/sa-east-1_AbC123' },
    ],
    ['clerk', 'domain = "clerk.loja.com.br"', { issuer: 'https://clerk.loja.com.br' }],
    ['clerk', 'domain = "loja-1.clerk.accounts.dev"', { issuer: 'https://loja-1.clerk.accounts.dev' }],
    [
      'workos',
      'issuer_url = "https://api.workos.com/user_management/client_1"',
      { issuer: 'https://api.workos.com/user_management/client_1' },
    ],
    ['workos', 'issuer_url = "http://127.0.0.1:9"', { issuer: 'http://127.0.0.1:9' }],
  ])('%s has the issuer that the platform derives: %s', (name, lines, issuer) => {
    expect(read(name, lines)).toEqual({ issuers: [issuer], faults: [] });
  });

  it('may be said by variables, of which an empty one is none', () => {
    const environment = {
      SUPABASE_AUTH_THIRD_PARTY_CLERK_ENABLED: 'true',
      SUPABASE_AUTH_THIRD_PARTY_CLERK_DOMAIN: 'clerk.loja.com.br',
      SUPABASE_AUTH_THIRD_PARTY_WORKOS_ENABLED: '',
    };
    expect(readThirdParties({}, environment).issuers).toEqual([{ issuer: 'https://clerk.loja.com.br' }]);
    expect(
      read('firebase', 'project_id = "a"', { SUPABASE_AUTH_THIRD_PARTY_FIREBASE_PROJECT_ID: 'b' }).issuers,
    ).toMatchObject([{ audience: 'b' }]);
  });

  it('that is off may say what it likes', () => {
    expect(readThirdParties(parse('[auth.third_party.clerk]\nenabled = false\ndomain = "/"'), {})).toEqual({
      issuers: [],
      faults: [],
    });
  });

  it.each([
    ['firebase', '', 'project_id'],
    ['firebase', 'project_id = "a/../b"', 'project_id'],
    ['auth0', 'tenant = "evil.com/"', 'tenant'],
    ['auth0', 'tenant = "loja"\ntenant_region = "evil.com/x"', 'tenant_region'],
    ['aws_cognito', 'user_pool_id = "x"\nuser_pool_region = "us-east-1"', 'user_pool_id'],
    ['aws_cognito', 'user_pool_id = "us-east-1_A"\nuser_pool_region = "a.evil.com/"', 'user_pool_region'],
    ['clerk', 'domain = "loja.com"', 'domain'],
    ['clerk', 'domain = "https://clerk.loja.com"', 'domain'],
    ['workos', 'issuer_url = "http://api.workos.com"', 'issuer_url'],
    ['workos', 'issuer_url = "https://a.br?x"', 'issuer_url'],
    ['workos', 'enabled_ = 1', 'issuer_url'],
  ])('%s is refused by the name of its key: %j', (name, lines, key) => {
    const { issuers, faults } = read(name, lines);
    expect(issuers).toEqual([]);
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`^auth\\.third_party\\.${name}\\.${key} deve ser `)),
    ]);
  });

  it('is on or off', () => {
    expect(readThirdParties(parse('[auth.third_party.clerk]\nenabled = "talvez"'), {}).faults).toEqual([
      'auth.third_party.clerk.enabled deve ser true ou false',
    ]);
  });
});
