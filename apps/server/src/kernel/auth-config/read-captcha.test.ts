import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parseSettings, SettingsError } from '../parse-settings.ts';
import { readCaptcha } from './read-captcha.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readCaptcha(parse(toml), environment);
const FILE = '[auth.captcha]\nenabled = true\nprovider = "turnstile"\nsecret = "env(SEGREDO)"';
const whole = (environment: Record<string, string>) =>
  parseSettings(environment, '/srv/linkoteca', [], parse(FILE)).captcha;

describe('a captcha', () => {
  it('is said by the platform’s settings, GoTrue’s variables and those of the command line over them', () => {
    expect(read(FILE, { SEGREDO: 'um segredo' })).toEqual({
      settings: { CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SECRET: 'um segredo' },
      faults: [],
    });
    const gotrue = {
      GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
      GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'hcaptcha',
      GOTRUE_SECURITY_CAPTCHA_SECRET: 'outro',
    };
    expect(read(FILE, gotrue).settings).toEqual({ CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SECRET: 'outro' });
    expect(read('', { ...gotrue, SUPABASE_AUTH_CAPTCHA_ENABLED: 'false' })).toEqual({
      settings: {},
      faults: [],
    });
    expect(read(FILE.replace('true', 'false'))).toEqual({ settings: {}, faults: [] });
  });

  it('needs the key that our own forms show, whoever says the rest', () => {
    const given = { SEGREDO: 'um segredo', CAPTCHA_SITE_KEY: 'chave' };
    expect(whole(given)).toMatchObject({
      provider: 'turnstile',
      siteKey: 'chave',
      secret: 'um segredo',
      verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    });
    expect(whole({ ...given, CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SECRET: 'nosso' })).toMatchObject({
      provider: 'hcaptcha',
      secret: 'nosso',
    });
    expect(() => whole({ SEGREDO: 'um segredo' })).toThrow(/falta definir CAPTCHA_SITE_KEY/);
    expect(() => whole({ SEGREDO: 'um segredo' })).toThrow(SettingsError);
  });

  it.each([
    ['[auth.captcha]\nenabled = "sim"', ['auth.captcha.enabled']],
    ['[auth.captcha]\nenabled = true', ['auth.captcha.provider', 'auth.captcha.secret']],
    ['[auth.captcha]\nenabled = true\nprovider = "outro"\nsecret = "segredo"', ['auth.captcha.provider']],
  ])('that cannot be ends the start by name: %j', (toml, names) => {
    const { faults } = read(toml);
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(names);
    expect(faults.join()).not.toContain('segredo');
  });
});
