import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { AUTH_KEYS, readAuthConfig } from './auth-config.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readAuthConfig(parse(toml), environment);

describe('what the platform’s settings say of sign-in', () => {
  it.each<[string, string, object]>([
    ['[auth]', 'jwt_expiry = 60', { accessTokenLifetime: 60 }],
    ['[auth]', 'enable_signup = false', { signUpEnabled: false }],
    ['[auth]', 'minimum_password_length = 10', { passwordMinLength: 10 }],
    ['[auth]', 'password_requirements = ""', { passwordCharacters: [] }],
    ['[auth]', 'password_requirements = "letters_digits"', { passwordCharacters: ['letters', 'digits'] }],
    [
      '[auth]',
      'password_requirements = "lower_upper_letters_digits"',
      { passwordCharacters: ['lower', 'upper', 'digits'] },
    ],
    [
      '[auth]',
      'password_requirements = "lower_upper_letters_digits_symbols"',
      { passwordCharacters: ['lower', 'upper', 'digits', 'symbols'] },
    ],
    ['[auth]', 'refresh_token_reuse_interval = 0', { refreshReuseInterval: 0 }],
    ['[auth.email]', 'enable_confirmations = false', { confirmEmail: false }],
    ['[auth.email]', 'double_confirm_changes = false', { secureEmailChange: false }],
    ['[auth.email]', 'secure_password_change = false', { passwordChangeFreshness: Number.POSITIVE_INFINITY }],
    ['[auth.email]', 'secure_password_change = true', {}],
    ['[auth.email]', 'max_frequency = "1m30s"', { mailFrequency: 90 }],
    ['[auth.email]', 'max_frequency = " 2h1s "', { mailFrequency: 7201 }],
    ['[auth.email]', 'otp_expiry = 900', { mailedTokenLifetime: 900 }],
    ['[auth.rate_limit]', 'sign_in_sign_ups = 30', { requestsPerAddress: { points: 30, seconds: 300 } }],
    [
      '[auth.rate_limit]',
      'token_verifications = 5',
      { failedVerificationsPerAddress: { points: 5, seconds: 300 } },
    ],
  ])('%s %s', (table, line, config) => {
    expect(read(`${table}\n${line}`)).toEqual({ config, settings: {}, faults: [] });
  });

  it.each([
    ['[auth]', 'jwt_expiry', 30, 604_800],
    ['[auth]', 'minimum_password_length', 6, 72],
    ['[auth]', 'refresh_token_reuse_interval', 0, 3600],
    ['[auth.email]', 'otp_expiry', 60, 86_400],
    ['[auth.rate_limit]', 'sign_in_sign_ups', 1, 1_000_000],
    ['[auth.rate_limit]', 'token_verifications', 1, 1_000_000],
  ])('%s %s may be from %i to %i', (table, key, least, most) => {
    const faultsOf = (value: number) => read(`${table}\n${key} = ${value}`).faults;
    expect([faultsOf(least), faultsOf(most)]).toEqual([[], []]);
    const fault = `${table.slice(1, -1)}.${key} deve ser um número inteiro de ${least} a ${most}`;
    expect([faultsOf(least - 1), faultsOf(most + 1)]).toEqual([[fault], [fault]]);
  });

  it('is said by variables as well, GoTrue’s over the file and those of the command line over both', () => {
    const file = '[auth]\nenable_signup = true\njwt_expiry = 100\n[auth.email]\nenable_confirmations = true';
    const gotrue = {
      GOTRUE_DISABLE_SIGNUP: 'true',
      GOTRUE_JWT_EXP: '200',
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
    };
    expect(read(file, gotrue).config).toEqual({
      signUpEnabled: false,
      accessTokenLifetime: 200,
      confirmEmail: false,
    });
    const own = {
      SUPABASE_AUTH_ENABLE_SIGNUP: 'true',
      SUPABASE_AUTH_JWT_EXPIRY: '300',
      SUPABASE_AUTH_EMAIL_SECURE_PASSWORD_CHANGE: 'true',
      SUPABASE_AUTH_EMAIL_OTP_EXPIRY: ' ',
    };
    const asked = { ...gotrue, GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'false', ...own };
    expect(read(file, asked)).toEqual({
      config: { signUpEnabled: true, accessTokenLifetime: 300, confirmEmail: false },
      settings: {},
      faults: [],
    });
  });

  it('may stand in a variable that the file names; without that variable it is not said', () => {
    const file = `[auth]\nsite_url = "env(HERE)"\njwt_expiry = "env(LIFE)"\nadditional_redirect_urls = ["https://a.br/**", "env(THERE)"]`;
    expect(read(file)).toEqual({
      config: {},
      settings: { REDIRECT_ALLOW_LIST: 'https://a.br/**' },
      faults: [],
    });
    expect(read(file, { HERE: 'https://b.br', LIFE: '90', THERE: 'https://c.br' })).toEqual({
      config: { accessTokenLifetime: 90 },
      settings: { SITE_URL: 'https://b.br', REDIRECT_ALLOW_LIST: 'https://a.br/**,https://c.br' },
      faults: [],
    });
  });

  it('is refused by name where it is nothing that can be', () => {
    const { config, faults } = read(
      `[auth]\njwt_expiry = 1\nenable_signup = "sim"\nminimum_password_length = 3\npassword_requirements = "muitas"\n[auth.email]\nmax_frequency = "logo"`,
      { SUPABASE_AUTH_REFRESH_TOKEN_REUSE_INTERVAL: '-1', GOTRUE_MAILER_AUTOCONFIRM: '1' },
    );
    expect(config).toEqual({});
    expect(faults).toContain(
      'auth.password_requirements deve ser vazio ou um de ' +
        'letters_digits, lower_upper_letters_digits, lower_upper_letters_digits_symbols',
    );
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'auth.jwt_expiry',
      'auth.enable_signup',
      'auth.minimum_password_length',
      'auth.password_requirements',
      'SUPABASE_AUTH_REFRESH_TOKEN_REUSE_INTERVAL',
      'GOTRUE_MAILER_AUTOCONFIRM',
      'auth.email.max_frequency',
    ]);
  });

  it.each([
    '[auth]\nenable_anonymous_sign_ins = true',
    '[auth]\nenable_refresh_token_rotation = false',
    '[auth.email]\nenable_signup = false',
    '[auth.email]\notp_length = 8',
    '[auth.sms]\nenable_signup = true',
    '[auth.sessions]\ntimebox = "24h"',
    '[auth.hook.before_user_created]\nenabled = true',
  ])('is not passed over in silence where it would change who gets in: %j', (toml) => {
    expect(read(toml).faults).toEqual([expect.stringContaining('só pode ser')]);
  });

  it('changes nothing in what this product’s own file says', () => {
    const toml = readFileSync(new URL('../../../../supabase/config.toml', import.meta.url), 'utf8');
    expect(read(toml)).toEqual({
      config: {
        accessTokenLifetime: 3600,
        signUpEnabled: true,
        passwordMinLength: 6,
        refreshReuseInterval: 10,
        confirmEmail: true,
        secureEmailChange: true,
        mailFrequency: 60,
        mailedTokenLifetime: 3600,
      },
      settings: {},
      faults: [],
    });
  });

  it('has a line in the operator’s book for each key', () => {
    const book = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
    for (const { path, gotrue } of AUTH_KEYS)
      expect(book).toContain(`\`${path}\`${gotrue ? ` | \`${gotrue}\`` : ''}`);
  });
});
