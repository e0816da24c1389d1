import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { AUTH_KEYS } from './auth-keys.ts';
import { readAuthConfig } from './read-auth-config.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readAuthConfig(parse(toml), environment, ['google']);

describe('what the platform’s settings say of sign-in', () => {
  it.each<[string, string, object]>([
    ['[auth]', 'jwt_expiry = 60', { accessTokenLifetime: 60 }],
    ['[auth]', 'enable_signup = false', { signUpEnabled: false }],
    ['[auth]', 'enable_anonymous_sign_ins = true', { anonymousSignInsEnabled: true }],
    ['[auth]', 'enable_manual_linking = false', { manualLinkingEnabled: false }],
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
    ['[auth.email]', 'otp_length = 8', { codeLength: 8 }],
    ['[auth.email.notification.password_changed]', 'enabled = true', { notices: ['password_changed'] }],
    [
      '[auth.hook.send_email]',
      'enabled = true\nuri = "pg-functions://postgres/public/mail"',
      { hooks: { send_email: { kind: 'function', schema: 'public', name: 'mail' } } },
    ],
    ['[auth.sms]', 'enable_signup = true', { phoneEnabled: true }],
    ['[auth.sms]', 'enable_confirmations = false', { confirmPhone: false }],
    ['[auth.sms]', 'max_frequency = "5s"', { smsFrequency: 5 }],
    ['[auth.rate_limit]', 'sms_sent = 90', { smsSent: { points: 90, seconds: 3600 } }],
    ['[auth.rate_limit]', 'email_sent = 40', { mailsSent: { points: 40, seconds: 3600 } }],
    ['[auth.rate_limit]', 'token_refresh = 150', { refreshesPerAddress: { points: 150, seconds: 300 } }],
    ['[auth.sessions]', 'timebox = "24h"', { sessionTimebox: 86_400 }],
    ['[auth.sessions]', 'timebox = "87840h"', { sessionTimebox: 316_224_000 }],
    ['[auth.sessions]', 'inactivity_timeout = "1h30m"', { sessionInactivityTimeout: 5400 }],
    ['[auth.mfa]', 'max_enrolled_factors = 3', { maxEnrolledFactors: 3 }],
    ['[auth.mfa.totp]', 'enroll_enabled = false', { totpEnrollEnabled: false }],
    ['[auth.mfa.totp]', 'verify_enabled = false', { totpVerifyEnabled: false }],
    ['[auth.passkey]', 'enabled = false', { passkeysEnabled: false }],
    ['[auth.webauthn]', 'rp_id = "links.exemplo.com"', { webAuthnRpId: 'links.exemplo.com' }],
    ['[auth.webauthn]', 'rp_display_name = "Os links"', { webAuthnRpName: 'Os links' }],
    [
      '[auth.webauthn]',
      'rp_origins = ["https://a.exemplo.com", "http://localhost:5173"]',
      { webAuthnOrigins: ['https://a.exemplo.com', 'http://localhost:5173'] },
    ],
    ['[auth.mfa.phone]', 'enroll_enabled = true', { phoneFactorEnrollEnabled: true }],
    ['[auth.mfa.phone]', 'verify_enabled = true', { phoneFactorVerifyEnabled: true }],
    ['[auth.mfa.phone]', 'otp_length = 8', { phoneFactorCodeLength: 8 }],
    ['[auth.mfa.phone]', 'max_frequency = "5s"', { phoneFactorFrequency: 5 }],
    ['[auth.rate_limit]', 'sign_in_sign_ups = 30', { requestsPerAddress: { points: 30, seconds: 300 } }],
    [
      '[auth.rate_limit]',
      'anonymous_users = 7',
      { anonymousSignInsPerAddress: { points: 7, seconds: 3600 } },
    ],
    [
      '[auth.rate_limit]',
      'token_verifications = 5',
      { failedVerificationsPerAddress: { points: 5, seconds: 300 } },
    ],
  ])('%s %s', (table, line, config) => {
    expect(read(`${table}\n${line}`)).toEqual({ config, settings: {}, faults: [], unknown: [] });
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
      unknown: [],
    });
  });

  it('may stand in a variable that the file names; without that variable it is not said', () => {
    const file = `[auth]\nsite_url = "env(HERE)"\njwt_expiry = "env(LIFE)"\nadditional_redirect_urls = ["https://a.br/**", "env(THERE)"]`;
    expect(read(file)).toEqual({
      config: {},
      settings: { REDIRECT_ALLOW_LIST: 'https://a.br/**' },
      faults: [],
      unknown: [],
    });
    expect(read(file, { HERE: 'https://b.br', LIFE: '90', THERE: 'https://c.br' })).toEqual({
      config: { accessTokenLifetime: 90 },
      settings: { SITE_URL: 'https://b.br', REDIRECT_ALLOW_LIST: 'https://a.br/**,https://c.br' },
      faults: [],
      unknown: [],
    });
  });

  it('names the site and where mails may lead by GoTrue’s variables, over the file and under the command line’s', () => {
    const file = `[auth]\nsite_url = "https://a.br"\nadditional_redirect_urls = ["https://b.br"]`;
    const gotrue = { GOTRUE_SITE_URL: 'https://c.br', GOTRUE_URI_ALLOW_LIST: 'https://d.br,https://e.br' };
    expect(read(file, gotrue).settings).toEqual({
      SITE_URL: 'https://c.br',
      REDIRECT_ALLOW_LIST: 'https://d.br,https://e.br',
    });
    expect(read(file, { ...gotrue, SUPABASE_AUTH_SITE_URL: 'https://f.br' }).settings).toMatchObject({
      SITE_URL: 'https://f.br',
    });
  });

  it.each([
    ['rp_id', '"https://links.exemplo.com"'],
    ['rp_id', '"exemplo..com"'],
    ['rp_display_name', `"${'n'.repeat(101)}"`],
    ['rp_origins', '["https://a.br/login"]'],
    ['rp_origins', '["http://a.br"]'],
    ['rp_origins', '["https://a.br", "a.br"]'],
    ['rp_origins', '["android:apk-key-hash:"]'],
  ])('lets passkeys be for a host and its pages alone: %s = %s', (key, value) => {
    const { config, faults } = read(`[auth.webauthn]\n${key} = ${value}`);
    expect([config, faults]).toEqual([{}, [expect.stringMatching(`^auth.webauthn.${key} deve`)]]);
  });

  it('is refused by name where it is nothing that can be', () => {
    const { config, faults } = read(
      `[auth]\njwt_expiry = 1\nenable_signup = "sim"\nminimum_password_length = 3\npassword_requirements = "muitas"\n[auth.email]\nmax_frequency = "logo"\notp_length = 5`,
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
      'auth.email.otp_length',
    ]);
  });

  it.each([
    ['[auth]\nenable_refresh_token_rotation = false', 'auth.enable_refresh_token_rotation'],
    ['[auth]\njwt_secret = "segredo"', 'auth.jwt_secret'],
    ['[auth.email]\nenable_signup = false', 'auth.email.enable_signup'],
    ['[auth.email.smtp]\nenabled = true', 'auth.email.smtp.enabled'],
    ['[auth.sms.vonage]\nenabled = true', 'auth.sms.vonage.enabled'],
    ['[auth.web3.solana]\nenabled = true', 'auth.web3.solana.enabled'],
    ['[auth.external.apple]\nenabled = true', 'auth.external.apple.enabled'],
    ['[auth.external.um_outro]\nenabled = true', 'auth.external.um_outro.enabled'],
    ['[auth.external.google]\nemail_optional = true', 'auth.external.google.email_optional'],
  ])('is refused in one sentence that names the key where it is not offered here: %j', (toml, path) => {
    const { faults, unknown } = read(toml);
    expect(faults).toEqual([expect.stringMatching(/ (só pode ser|não pode ser definido)/)]);
    expect(faults[0]?.split(' ')[0]).toBe(path);
    expect(unknown).toEqual([]);
    expect(faults.join()).not.toMatch(/segredo|chaves/);
    const variable = `SUPABASE_${path.replaceAll('.', '_').toUpperCase()}`;
    if (!path.includes('um_outro'))
      expect(read('', { [variable]: 'sim' }).faults).toEqual([expect.stringContaining(variable)]);
  });

  it.each(['GOTRUE_EXTERNAL_APPLE_ENABLED', 'GOTRUE_SESSIONS_SINGLE_PER_USER'])(
    'is refused in GoTrue’s own words as well: %s',
    (name) => {
      expect(read('', { [name]: 'true' }).faults).toEqual([expect.stringContaining(name)]);
      expect(read('', { [name]: 'false' }).faults).toEqual([]);
    },
  );

  it('may be switched on where this server’s own variables do so, and off where nothing is', () => {
    const file = '[auth.captcha]\nenabled = true\n[auth.email.smtp]\nenabled = true';
    expect(
      read(file, {
        CAPTCHA_PROVIDER: 'turnstile',
        CAPTCHA_SITE_KEY: 'k',
        CAPTCHA_SECRET: 's',
        SMTP_URL: 'smtp://mail',
      }).faults,
    ).toEqual([]);
    expect(read(file).faults.join()).toMatch(/SMTP_URL/);
    expect(read(file.replaceAll('true', 'false')).faults).toEqual([]);
  });

  it.each(['//mau.test/x', 'https://mau.test/x', 'oauth', '', '/a?b', '/a b'])(
    'names a page of the site for the answer to programs: not %j',
    (path) => {
      const { faults } = read(`[auth.oauth_server]\nauthorization_url_path = ${JSON.stringify(path)}`);
      expect(faults).toEqual([expect.stringContaining('auth.oauth_server.authorization_url_path')]);
    },
  );

  it('is named where nobody knows it, with the key that was probably meant', () => {
    const file = `[auth]
enable_singup = false
nada_disso = 1
enable_confirmations = true
[auth.email]
otp_lenght = 6
max_frequency = "1m"
[auth.email.template.invite]
subject = "Oi"
[auth.external.apple]
enabled = false
client_id = ""
cor = "azul"
[auth.sms.test_otp]
4152127777 = "123456"
[auth.sesions]
timebox = "24h"
[auth.hook.send_email]
enabled = false
uri = "pg-functions://postgres/public/enviar"
[auth.hook.custom_access_token]
enabled = false
secrets = ""`;
    expect(read(file)).toMatchObject({
      faults: [],
      unknown: [
        'auth.enable_singup (auth.enable_signup?)',
        'auth.nada_disso',
        'auth.enable_confirmations (auth.email.enable_confirmations?)',
        'auth.email.otp_lenght (auth.email.otp_length?)',
        'auth.external.apple.cor',
        'auth.sesions.timebox (auth.sessions.timebox?)',
      ],
    });
  });

  it('mails about changes by GoTrue’s variables as well, and by nothing else than yes and no', () => {
    const name = 'GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED';
    const file = '[auth.email.notification.email_changed]\nenabled = true';
    expect(read(file, { [name]: 'false' }).config).toEqual({});
    expect(read('', { [name]: 'true' }).config).toEqual({ notices: ['email_changed'] });
    expect(read(file, { [name]: 'sim' }).faults).toEqual([`${name} deve ser true ou false`]);
    expect(read('[auth.email.notification.nada]\nenabled = true').unknown).toHaveLength(1);
  });

  it('may say what the platform’s own example says', () => {
    const toml = readFileSync(new URL('platform-example.toml', import.meta.url), 'utf8');
    expect(read(toml)).toMatchObject({ faults: [], unknown: [] });
  });

  it('changes nothing in what this product’s own file says', () => {
    const toml = readFileSync(new URL('../../../../../supabase/config.toml', import.meta.url), 'utf8');
    expect(read(toml)).toEqual({
      config: {
        accessTokenLifetime: 3600,
        signUpEnabled: true,
        anonymousSignInsEnabled: false,
        maxEnrolledFactors: 10,
        passwordMinLength: 6,
        totpEnrollEnabled: true,
        totpVerifyEnabled: true,
        refreshReuseInterval: 10,
        confirmEmail: true,
        secureEmailChange: true,
        mailFrequency: 60,
        mailedTokenLifetime: 3600,
        codeLength: 6,
        oauthServerEnabled: true,
        oauthDynamicRegistration: false,
        oauthConsentPath: '/oauth/consent',
        webAuthnEnrollEnabled: true,
        webAuthnVerifyEnabled: true,
      },
      settings: {},
      faults: [],
      unknown: [],
    });
  });

  it('has a line in the operator’s book for each key', () => {
    const book = readFileSync(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8');
    for (const { path, gotrue } of AUTH_KEYS)
      expect(book).toContain(`\`${path}\`${gotrue ? ` | \`${gotrue}\`` : ''}`);
  });
});
