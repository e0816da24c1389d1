import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse-settings.ts';

const parse = (environment: Record<string, string>) => parseSettings(environment, '/srv/linkoteca');

describe('settings', () => {
  it('are complete without a single variable', () => {
    expect(parse({})).toMatchObject({
      port: 3000,
      host: 'localhost',
      siteUrl: 'http://localhost:3000',
      dataFolder: '/srv/linkoteca/data',
      databaseUrl: undefined,
      jwtSecrets: [],
      smtpUrl: undefined,
      mailFrom: 'Linkoteca <nao-responda@localhost>',
      trustProxy: false,
      metricsAccess: 'loopback',
      logLevel: 'warn',
      functionsFolder: '/srv/linkoteca/supabase/functions',
      functionsReload: false,
      google: undefined,
      stripe: undefined,
      captcha: undefined,
      s3: undefined,
    });
  });

  it('count an empty variable as absent', () => {
    expect(parse({ PORT: '', DATABASE_URL: ' ' })).toEqual(parse({}));
  });

  it('take the port into the address that people open', () => {
    expect(parse({ PORT: '8080' }).siteUrl).toBe('http://localhost:8080');
    expect(parse({ PORT: '8080', SITE_URL: 'https://links.example.com/' }).siteUrl).toBe(
      'https://links.example.com',
    );
  });

  it('read several secrets, the signing one first', () => {
    const [newer, older] = ['n'.repeat(32), 'o'.repeat(40)];
    expect(parse({ JWT_SECRET: `${newer}, ${older}` }).jwtSecrets).toEqual([newer, older]);
  });

  it('name every fault at once, and repeat no value', () => {
    const wrong = {
      PORT: 'abacate',
      SITE_URL: 'nada',
      SMTP_URL: 'http://mail',
      DATABASE_URL: 'mysql://root:abacaxi@db/x',
      JWT_SECRET: 'abacaxi',
      ADMIN_USER_ID: 'abacate',
      LOG_LEVEL: 'abacaxi',
      TRUST_PROXY: 'maybe',
      GOOGLE_CLIENT_ID: 'google-id',
      S3_BUCKET: 'balde',
    };
    const fault = catchMessage(() => parse(wrong));
    const named = [
      'PORT',
      'SITE_URL',
      'SMTP_URL',
      'DATABASE_URL',
      'JWT_SECRET',
      'ADMIN_USER_ID',
      'LOG_LEVEL',
      'TRUST_PROXY',
    ];
    for (const name of [...named, 'GOOGLE_CLIENT_SECRET', 'S3_ENDPOINT']) expect(fault).toContain(name);
    expect(fault).not.toMatch(/abaca|google-id|balde|\n/);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '-1'],
    ['SITE_URL', 'https://links.example.com/app'],
    ['SITE_URL', 'ftp://links.example.com'],
    ['SITE_URL', 'https://ana:senha@links.example.com'],
    ['MAIL_FROM', 'no address'],
    ['MAIL_FROM', 'a@b.c\r\nBcc: d@e.f'],
    ['POOL_SIZE', '1'],
    ['METRICS_ACCESS', 'nobody'],
    ['CAPTCHA_PROVIDER', 'other'],
  ])('refuse %s=%s', (name, value) => {
    expect(catchMessage(() => parse({ [name]: value }))).toMatch(
      new RegExp(`^Configuração inválida: .*${name} `),
    );
  });

  it('take a group only whole', () => {
    const captcha = { CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SITE_KEY: 'k', CAPTCHA_SECRET: 's' };
    expect(parse(captcha).captcha).toEqual({ provider: 'turnstile', siteKey: 'k', secret: 's' });
    expect(catchMessage(() => parse({ CAPTCHA_PROVIDER: 'turnstile' }))).toContain(
      'CAPTCHA_SITE_KEY, CAPTCHA_SECRET',
    );
  });
});

function catchMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}
