import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../services/auth/providers/providers.ts';
import { parseSettings } from './parse-settings.ts';
import { SETTING_SCHEMA } from './setting-schema.ts';
import { signInSettingSchema } from './sign-in-settings.ts';

const parse = (environment: Record<string, string>) =>
  parseSettings(environment, '/srv/linkoteca', PROVIDERS);

const GIVEN_AWAY = { ALLOW_PAYMENT_EMULATOR: 'true', ALLOW_MAIL_FILES: 'true' };

describe('settings', () => {
  it('are complete without a single variable', () => {
    expect(parse({})).toMatchObject({
      port: 3000,
      host: 'localhost',
      siteUrl: 'http://localhost:3000',
      filesUrl: undefined,
      dataFolder: '/srv/linkoteca/data',
      databaseUrl: undefined,
      jwtSecrets: [],
      smtpUrl: undefined,
      mailFrom: 'Linkoteca <nao-responda@localhost>',
      supportEmail: 'suporte@localhost',
      mailDomain: undefined,
      trustProxy: false,
      metricsAccess: 'loopback',
      logLevel: 'warn',
      functionsFolder: '/srv/linkoteca/supabase/functions',
      functionsReload: false,
      signInProviders: { google: undefined },
      stripe: undefined,
      captcha: undefined,
      s3: undefined,
    });
  });

  it('are named after each provider to sign in with', () => {
    const acme = [{ name: 'acme', issuer: 'https://acme.example' }];
    const given = { ACME_CLIENT_ID: 'id', ACME_CLIENT_SECRET: 'secret' };
    expect(parseSettings(given, '/srv/linkoteca', acme).signInProviders).toEqual({
      acme: { issuer: 'https://acme.example', clientId: 'id', clientSecret: 'secret' },
    });
    expect(parseSettings({}, '/srv/linkoteca', acme).signInProviders).toEqual({ acme: undefined });
    expect(catchMessage(() => parseSettings({ ACME_CLIENT_ID: 'id' }, '/srv/linkoteca', acme))).toContain(
      'falta definir ACME_CLIENT_SECRET',
    );
  });

  it('know the browser extension’s program by its id', () => {
    const id = 'b1f1c8ce-3a55-4c1e-9b0e-5b5b0a5f2a11';
    expect(parse({ EXTENSION_CLIENT_ID: id }).extensionClientId).toBe(id);
    expect(parse({}).extensionClientId).toBeUndefined();
    expect(catchMessage(() => parse({ EXTENSION_CLIENT_ID: 'extensao' }))).toContain('EXTENSION_CLIENT_ID');
  });

  it('count an empty variable as absent', () => {
    expect(parse({ PORT: '', DATABASE_URL: ' ' })).toEqual(parse({}));
  });

  it('receive mails at the domain that is set, and name every fault of it without its secret', () => {
    expect(parse({ MAIL_IN_URL: 'postmark://segredo-de-exemplo@Entrada.exemplo.com.br' }).mailDomain).toBe(
      'entrada.exemplo.com.br',
    );
    const message = catchMessage(() => parse({ MAIL_IN_URL: 'smtp://segredo-curto@servidor:25' }));
    for (const fault of [
      'MAIL_IN_URL deve começar com',
      'MAIL_IN_URL deve ter antes do @',
      'MAIL_IN_URL não deve ter',
    ])
      expect(message).toContain(fault);
    expect(message).not.toContain('segredo-curto');
  });

  it('take the port into the address that people open', () => {
    expect(parse({ PORT: '8080' }).siteUrl).toBe('http://localhost:8080');
    expect(parse({ ...GIVEN_AWAY, PORT: '8080', SITE_URL: 'https://links.example.com/' }).siteUrl).toBe(
      'https://links.example.com',
    );
  });

  it('give files an origin of their own, which cannot be the site’s', () => {
    expect(parse({ FILES_URL: 'https://arquivos.example.net/' }).filesUrl).toBe(
      'https://arquivos.example.net',
    );
    for (const shared of [
      { FILES_URL: 'http://localhost:3000' },
      { SITE_URL: 'https://links.example.com', FILES_URL: 'http://links.example.com:443' },
      { SITE_URL: 'https://links.example.com', FILES_URL: 'https://LINKS.example.com' },
    ])
      expect(catchMessage(() => parse(shared))).toContain('FILES_URL');
  });

  it('archive the log of the embedded database only', () => {
    expect(parse({ WAL_ARCHIVE_DIR: 'wal' }).walArchive).toEqual({ folder: '/srv/linkoteca/wal', days: 7 });
    expect(
      catchMessage(() => parse({ WAL_ARCHIVE_DIR: '/wal', DATABASE_URL: 'postgres://u@h/d' })),
    ).toContain('WAL_ARCHIVE_DIR só funciona sem DATABASE_URL');
  });

  it('back up before a migration, and otherwise when they say so', () => {
    expect(parse({}).backup).toEqual({
      to: '/srv/linkoteca/data/backups',
      everyMs: undefined,
      keep: 7,
      passphrase: undefined,
      beforeMigration: true,
    });
    const s3 = {
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'i',
      S3_SECRET_ACCESS_KEY: 's',
    };
    const given = {
      BACKUP_TO: 's3:diario',
      BACKUP_EVERY: '30m',
      BACKUP_KEEP: '3',
      BACKUP_PASSPHRASE: 'uma senha boa',
      BACKUP_BEFORE_MIGRATION: 'false',
    };
    expect(parse({ ...s3, ...given }).backup).toEqual({
      to: 's3:diario',
      everyMs: 1_800_000,
      keep: 3,
      passphrase: 'uma senha boa',
      beforeMigration: false,
    });
    expect(parse({ BACKUP_EVERY: '7d', BACKUP_TO: 'longe', DATA_DIR: '/d' }).backup).toMatchObject({
      to: '/srv/linkoteca/longe',
      everyMs: 604_800_000,
    });
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
    ['MAIL_IN_URL', 'ses://segredo-de-exemplo@entrada.exemplo.com.br'],
    ['MAIL_IN_URL', 'postmark://curto@entrada.exemplo.com.br'],
    ['ANONYMOUS_USERS_DAYS', '8'],
    ['POOL_SIZE', '1'],
    ['DRAIN_SECONDS', '121'],
    ['METRICS_ACCESS', 'nobody'],
    ['WAIT_FOR_DATA_DIR', 'um pouco'],
    ['BACKUP_EVERY', '24'],
    ['BACKUP_EVERY', '0h'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_PASSPHRASE', 'onze letras'],
    ['BACKUP_BEFORE_MIGRATION', 'no'],
    ['BACKUP_TO', 's3:diario'],
    ['CAPTCHA_PROVIDER', 'other'],
    ['GOOGLE_ISSUER', 'http://accounts.evil.example'],
    ['CAPTCHA_VERIFY_URL', 'javascript:alert(1)'],
  ])('refuse %s=%s', (name, value) => {
    expect(catchMessage(() => parse({ [name]: value }))).toMatch(
      new RegExp(`^Configuração inválida: .*${name} `),
    );
  });

  it.each([
    ['', 0],
    ['false', 0],
    ['30', 30_000],
    ['true', Number.POSITIVE_INFINITY],
  ])('wait for a data folder in use: WAIT_FOR_DATA_DIR=%s', (value, milliseconds) => {
    expect(parse({ WAIT_FOR_DATA_DIR: value }).dataFolderPatienceMs).toBe(milliseconds);
  });

  const STRIPE = {
    STRIPE_SECRET_KEY: 'sk_live_um_segredo',
    STRIPE_WEBHOOK_SECRET: 'whsec_um,whsec_dois',
    STRIPE_PRICE_PLUS_MONTHLY: 'price_1',
    STRIPE_PRICE_PLUS_YEARLY: 'price_2',
    STRIPE_PRICE_PRO_MONTHLY: 'price_3',
    STRIPE_PRICE_PRO_YEARLY: 'price_4',
  };

  it('take payments whole, each price with an id of its own', () => {
    const prices = {
      plusMonthly: 'price_1',
      plusYearly: 'price_2',
      proMonthly: 'price_3',
      proYearly: 'price_4',
    };
    const keys = { secretKey: 'sk_live_um_segredo', webhookSecret: 'whsec_um,whsec_dois' };
    expect(parse(STRIPE).stripe).toEqual({ ...keys, prices, apiUrl: undefined });

    const { STRIPE_SECRET_KEY: _key, ...keyless } = STRIPE;
    const faults = catchMessage(() =>
      parse({ ...keyless, STRIPE_PRICE_PRO_YEARLY: 'price_2', STRIPE_API_URL: 'https://stripe.example.com' }),
    );
    expect(faults).toContain('falta definir STRIPE_SECRET_KEY (');
    expect(faults).toContain('STRIPE_PRICE_PRO_YEARLY não pode repetir STRIPE_PRICE_PLUS_YEARLY');
    expect(faults).toContain('STRIPE_API_URL só funciona com STRIPE_SECRET_KEY');
    const earlier = { ...STRIPE, STRIPE_PRICE_PRO_YEARLY: 'price_4, price_2' };
    expect(catchMessage(() => parse(earlier))).toContain('STRIPE_PRICE_PRO_YEARLY não pode repetir');
    expect(faults).not.toMatch(/whsec|price_2|example/);
  });

  it('let nobody give plans and mails away to the world by forgetting a setting', () => {
    const site = { SITE_URL: 'https://links.example.com' };
    const fault = catchMessage(() => parse(site));
    expect(fault).toMatch(/falta definir STRIPE_SECRET_KEY, .*ALLOW_PAYMENT_EMULATOR=true/);
    expect(fault).toMatch(/falta definir SMTP_URL, .*ALLOW_MAIL_FILES=true/);
    expect(fault).not.toContain('\n');
    for (const SITE_URL of ['http://192.168.0.2:3000', 'http://localhost.example.com', 'http://0.0.0.0:3000'])
      expect(catchMessage(() => parse({ SITE_URL }))).toContain('STRIPE_SECRET_KEY');
    const mails = { SMTP_URL: 'smtp://mail.example.com' };
    expect(catchMessage(() => parse({ ...site, ...mails }))).not.toContain('SMTP_URL');
    expect(catchMessage(() => parse({ ...site, ...STRIPE }))).not.toContain('STRIPE_SECRET_KEY');
    expect(parse({ ...site, ...mails, ...STRIPE }).siteUrl).toBe(site.SITE_URL);
    expect(parse({ ...site, ...GIVEN_AWAY }).siteUrl).toBe(site.SITE_URL);
    for (const SITE_URL of ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
      expect(parse({ SITE_URL, TRUST_PROXY: 'true' }).siteUrl).toBe(SITE_URL);
  });

  it('let nobody text codes into files by forgetting who sends them', () => {
    const phones = { SUPABASE_AUTH_SMS_ENABLE_SIGNUP: 'true' };
    expect(parse(phones).auth.phoneEnabled).toBe(true);
    const site = { SITE_URL: 'https://links.example.com', ALLOW_PAYMENT_EMULATOR: 'true', ...phones };
    const sent = { ...site, SMTP_URL: 'smtp://mail.example.com' };
    expect(catchMessage(() => parse(sent))).toMatch(/auth\.sms\.twilio ou auth\.hook\.send_sms/);
    expect(parse({ ...sent, ALLOW_MAIL_FILES: 'true' }).auth.phoneEnabled).toBe(true);
    const hook = {
      GOTRUE_HOOK_SEND_SMS_ENABLED: 'true',
      GOTRUE_HOOK_SEND_SMS_URI: 'pg-functions://postgres/public/enviar',
    };
    expect(parse({ ...sent, ...hook }).auth.hooks?.send_sms).toMatchObject({ name: 'enviar' });
  });

  it('count the mails of the installation where a mail server sends them', () => {
    const limit = { GOTRUE_RATE_LIMIT_EMAIL_SENT: '40' };
    expect(parse(limit).auth.mailsSent).toBeUndefined();
    const sent = parse({ ...limit, SMTP_URL: 'smtp://mail.example.com' }).auth.mailsSent;
    expect(sent).toEqual({ points: 40, seconds: 3600 });
  });

  it('open the S3 protocol to sessions, with a key to the operator, or to nobody', () => {
    expect(parse({}).s3Protocol).toEqual({ keys: undefined });
    const secret = 'um segredo com trinta e dois sinais';
    const keys = { S3_PROTOCOL_ACCESS_KEY_ID: 'operador', S3_PROTOCOL_ACCESS_KEY_SECRET: secret };
    expect(parse(keys).s3Protocol).toEqual({ keys: { accessKeyId: 'operador', secretAccessKey: secret } });
    expect(parse({ S3_PROTOCOL_ENABLED: 'false' }).s3Protocol).toBeUndefined();
    const off = { storage: { s3_protocol: { enabled: false } } };
    expect(parseSettings({}, '/srv/linkoteca', PROVIDERS, off).s3Protocol).toBeUndefined();
    expect(parse({ SUPABASE_STORAGE_S3_PROTOCOL_ENABLED: 'false' }).s3Protocol).toBeUndefined();
    expect(
      parseSettings({ S3_PROTOCOL_ENABLED: 'true' }, '/srv/linkoteca', PROVIDERS, off).s3Protocol,
    ).toBeDefined();
    const fault = catchMessage(() => parse({ ...keys, S3_PROTOCOL_ACCESS_KEY_SECRET: 'curto' }));
    expect(fault).toContain('S3_PROTOCOL_ACCESS_KEY_SECRET deve ter ao menos 32 caracteres');
    expect(fault).not.toContain('curto.');
    expect(catchMessage(() => parse({ S3_PROTOCOL_ACCESS_KEY_ID: 'operador' }))).toContain(
      'falta definir S3_PROTOCOL_ACCESS_KEY_SECRET',
    );
  });

  it('refuse the publishable key, which pays nothing', () => {
    const fault = catchMessage(() => parse({ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_abacate' }));
    expect(fault).toContain('STRIPE_SECRET_KEY deve ser a chave secreta');
    expect(fault).not.toContain('abacate');
  });

  it('let the secret key go out encrypted, or to this very machine', () => {
    const open = (url: string) => () => parse({ ...STRIPE, STRIPE_API_URL: url });
    expect(open('https://stripe.example.com/')().stripe?.apiUrl).toBe('https://stripe.example.com');
    expect(open('http://[::1]:12111/mock')().stripe?.apiUrl).toBe('http://[::1]:12111/mock');
    for (const url of ['http://stripe.example.com', 'http://localhost.example.com', 'file:///etc', 'nada'])
      expect(catchMessage(open(url))).toContain('STRIPE_API_URL deve ser um endereço https://');
  });

  it('take a group only whole', () => {
    const captcha = { CAPTCHA_PROVIDER: 'turnstile', CAPTCHA_SITE_KEY: 'k', CAPTCHA_SECRET: 's' };
    expect(parse(captcha).captcha).toEqual({
      provider: 'turnstile',
      siteKey: 'k',
      secret: 's',
      verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    });
    expect(catchMessage(() => parse({ CAPTCHA_PROVIDER: 'turnstile' }))).toContain(
      'CAPTCHA_SITE_KEY, CAPTCHA_SECRET',
    );
  });
});

const operations = listDocumented('docs/operations.md');
const known = [SETTING_SCHEMA, signInSettingSchema(PROVIDERS)].flatMap(({ entries }) => Object.keys(entries));

it('have a row each in docs/operations.md, and nothing else has one', () => {
  expect(operations.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !operations.includes(name))).toEqual([]);
});

/** The names in the first column of a document's table of settings. */
function listDocumented(document: string): readonly string[] {
  const text = readFileSync(new URL(`../../../../${document}`, import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('\n## Settings\n')).split(/\n## (?!Settings\n)/)[0] ?? '';
  const rows = section.matchAll(/^\| (`[A-Z][A-Z0-9_]+`(?:, `[A-Z][A-Z0-9_]+`)*) \|/gm);
  return [...rows].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
}

function catchMessage(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}
