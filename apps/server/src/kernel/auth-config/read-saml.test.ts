import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readAuthConfig } from './read-auth-config.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const derOf = (key: KeyObject, type: 'pkcs1' | 'pkcs8') =>
  key.export({ type: type as 'pkcs8', format: 'der' }).toString('base64');
const PEM = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const read = (environment: Record<string, string>) => readAuthConfig({}, environment, []);
const ON = { GOTRUE_SAML_ENABLED: 'true' };

describe('sign-in by organisations', () => {
  it.each([
    ['PKCS#1, as GoTrue has it', derOf(privateKey, 'pkcs1')],
    ['PKCS#8', derOf(privateKey, 'pkcs8')],
    ['PEM', PEM],
    ['PEM on one line', PEM.replaceAll('\n', '\\n')],
  ])('takes a key as %s', (_form, key) => {
    const { config, faults } = read({ ...ON, GOTRUE_SAML_PRIVATE_KEY: key });
    expect(faults).toEqual([]);
    expect(config.saml?.relayStateLifetime).toBe(600);
    expect(config.saml?.privateKey.equals(privateKey)).toBe(true);
  });

  it('is off until it is switched on, also with a key', () => {
    expect(read({}).config).toEqual({});
    expect(read({ GOTRUE_SAML_PRIVATE_KEY: derOf(privateKey, 'pkcs1') })).toMatchObject({
      config: {},
      faults: [],
    });
  });

  it('waits as long as it is told', () => {
    const given = { ...ON, GOTRUE_SAML_PRIVATE_KEY: PEM, GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD: '2m' };
    expect(read(given).config.saml?.relayStateLifetime).toBe(120);
  });

  it.each([
    [{ GOTRUE_SAML_ENABLED: 'sim' }, 'GOTRUE_SAML_ENABLED'],
    [ON, 'GOTRUE_SAML_PRIVATE_KEY'],
    [{ ...ON, GOTRUE_SAML_PRIVATE_KEY: 'segredo' }, 'GOTRUE_SAML_PRIVATE_KEY'],
    [
      {
        ...ON,
        GOTRUE_SAML_PRIVATE_KEY: derOf(
          generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
          'pkcs1',
        ),
      },
      'GOTRUE_SAML_PRIVATE_KEY',
    ],
    [
      {
        ...ON,
        GOTRUE_SAML_PRIVATE_KEY: derOf(
          generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
          'pkcs8',
        ),
      },
      'GOTRUE_SAML_PRIVATE_KEY',
    ],
    [
      { ...ON, GOTRUE_SAML_PRIVATE_KEY: PEM, GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD: '1s' },
      'GOTRUE_SAML_RELAY_STATE_VALIDITY_PERIOD',
    ],
  ])('names what is wrong, and repeats no secret: %#', (environment, name) => {
    const { config, faults } = read(environment);
    expect(faults).toEqual([expect.stringContaining(name)]);
    expect(faults.join()).not.toContain('segredo');
    expect(config.saml).toBeUndefined();
  });
});
