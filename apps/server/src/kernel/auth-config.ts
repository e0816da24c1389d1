import * as v from 'valibot';
import type { AuthConfig } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Table = { readonly [name: string]: unknown };

/** What is said of sign-in, and what is wrong with it: each fault begins with the name of its key. */
export type ReadAuthConfig = {
  readonly config: AuthConfig;
  /** `[auth]` `site_url` and `additional_redirect_urls`, as texts of the settings of the same meaning. */
  readonly settings: { readonly SITE_URL?: string; readonly REDIRECT_ALLOW_LIST?: string };
  readonly faults: readonly string[];
};

const DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

const flag = v.pipe(
  v.picklist(['true', 'false'], 'deve ser true ou false'),
  v.transform((text) => text === 'true'),
);
const opposite = v.pipe(
  flag,
  v.transform((value) => !value),
);

function wholeNumber(least: number, most: number) {
  const message = `deve ser um número inteiro de ${least} a ${most}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** As Go writes them: `1m0s`, `60s`. */
const duration = v.pipe(
  v.string(),
  v.check((text) => text !== '' && DURATION.test(text), 'deve ser uma duração como 60s, 5m ou 1h'),
  v.transform((text) => {
    const [, hours = '0', minutes = '0', seconds = '0'] = DURATION.exec(text) ?? [];
    return 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds);
  }),
);

/** The platform's names, and GoTrue's own for the same sets of characters. */
const PASSWORD_REQUIREMENTS: Readonly<Record<string, AuthConfig['passwordCharacters']>> = {
  '': [],
  letters_digits: ['letters', 'digits'],
  lower_upper_letters_digits: ['lower', 'upper', 'digits'],
  lower_upper_letters_digits_symbols: ['lower', 'upper', 'digits', 'symbols'],
};
const passwordRequirements = v.pipe(
  v.picklist(
    Object.keys(PASSWORD_REQUIREMENTS),
    `deve ser vazio ou um de ${Object.keys(PASSWORD_REQUIREMENTS).filter(Boolean).join(', ')}`,
  ),
  v.transform((name) => PASSWORD_REQUIREMENTS[name] ?? []),
);

function within(seconds: number) {
  return v.pipe(
    wholeNumber(1, 1_000_000),
    v.transform((points) => ({ points, seconds })),
  );
}
const inFiveMinutes = within(300);

/** Asked for, it is as fresh as this server asks for anyway. */
const passwordChangeFreshness = v.pipe(
  flag,
  v.transform((isAsked) => (isAsked ? undefined : Number.POSITIVE_INFINITY)),
);

type Key = {
  /** In `supabase/config.toml`. */
  readonly path: string;
  readonly field: keyof AuthConfig;
  readonly schema: v.GenericSchema<string, unknown>;
  /** GoTrue's variable for the same, and how it is read where it says the opposite. */
  readonly gotrue?: string;
  readonly gotrueSchema?: v.GenericSchema<string, unknown>;
};

/** Every key that this server follows. (Source: the platform's config.toml reference; GoTrue's README.) */
export const AUTH_KEYS: readonly Key[] = [
  {
    path: 'auth.jwt_expiry',
    field: 'accessTokenLifetime',
    schema: wholeNumber(30, 604_800),
    gotrue: 'GOTRUE_JWT_EXP',
  },
  {
    path: 'auth.enable_signup',
    field: 'signUpEnabled',
    schema: flag,
    gotrue: 'GOTRUE_DISABLE_SIGNUP',
    gotrueSchema: opposite,
  },
  {
    path: 'auth.enable_anonymous_sign_ins',
    field: 'anonymousSignInsEnabled',
    schema: flag,
    gotrue: 'GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED',
  },
  {
    path: 'auth.minimum_password_length',
    field: 'passwordMinLength',
    schema: wholeNumber(6, 72),
    gotrue: 'GOTRUE_PASSWORD_MIN_LENGTH',
  },
  { path: 'auth.password_requirements', field: 'passwordCharacters', schema: passwordRequirements },
  {
    path: 'auth.refresh_token_reuse_interval',
    field: 'refreshReuseInterval',
    schema: wholeNumber(0, 3600),
    gotrue: 'GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL',
  },
  {
    path: 'auth.email.enable_confirmations',
    field: 'confirmEmail',
    schema: flag,
    gotrue: 'GOTRUE_MAILER_AUTOCONFIRM',
    gotrueSchema: opposite,
  },
  {
    path: 'auth.email.double_confirm_changes',
    field: 'secureEmailChange',
    schema: flag,
    gotrue: 'GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED',
  },
  {
    path: 'auth.email.secure_password_change',
    field: 'passwordChangeFreshness',
    schema: passwordChangeFreshness,
    gotrue: 'GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION',
  },
  {
    path: 'auth.email.max_frequency',
    field: 'mailFrequency',
    schema: duration,
    gotrue: 'GOTRUE_SMTP_MAX_FREQUENCY',
  },
  {
    path: 'auth.email.otp_expiry',
    field: 'mailedTokenLifetime',
    schema: wholeNumber(60, 86_400),
    gotrue: 'GOTRUE_MAILER_OTP_EXP',
  },
  { path: 'auth.rate_limit.sign_in_sign_ups', field: 'requestsPerAddress', schema: inFiveMinutes },
  {
    path: 'auth.rate_limit.token_verifications',
    field: 'failedVerificationsPerAddress',
    schema: inFiveMinutes,
  },
  {
    path: 'auth.rate_limit.anonymous_users',
    field: 'anonymousSignInsPerAddress',
    schema: within(3600),
    gotrue: 'GOTRUE_RATE_LIMIT_ANONYMOUS_USERS',
  },
];

/** What would change who gets in, and is not followed yet: any other value than the one that is so ends the start. */
const FIXED: readonly { readonly path: string; readonly value: string }[] = [
  { path: 'auth.enabled', value: 'true' },
  { path: 'auth.enable_refresh_token_rotation', value: 'true' },
  { path: 'auth.email.enable_signup', value: 'true' },
  { path: 'auth.email.otp_length', value: '6' },
  { path: 'auth.sms.enable_signup', value: 'false' },
  { path: 'auth.sessions.timebox', value: '0' },
  { path: 'auth.sessions.inactivity_timeout', value: '0' },
  ...[
    'before_user_created',
    'custom_access_token',
    'mfa_verification_attempt',
    'password_verification_attempt',
  ].map((hook) => ({ path: `auth.hook.${hook}.enabled`, value: 'false' })),
];

/**
 * What the platform's settings say of sign-in: `supabase/config.toml` by its own names, over it GoTrue's variables, over both the
 * variables that the platform's command line has for each key (`SUPABASE_AUTH_EMAIL_OTP_LENGTH` for `auth.email.otp_length`).
 * @param file the file, parsed; `env(NAME)` in it stands for a variable.
 */
export function readAuthConfig(file: Table, environment: Environment): ReadAuthConfig {
  const faults: string[] = [];
  const config: { [field: string]: unknown } = {};
  for (const { path, field, schema, gotrue, gotrueSchema } of AUTH_KEYS) {
    const sources = [
      { name: path, text: readPath(file, path, environment), check: schema },
      { name: gotrue, text: gotrue && given(environment, gotrue), check: gotrueSchema ?? schema },
      { name: variableOf(path), text: given(environment, variableOf(path)), check: schema },
    ];
    // Each is checked, also one that another one covers.
    for (const { name, text, check } of sources) {
      if (text === undefined) continue;
      const result = v.safeParse(check, text);
      if (!result.success) faults.push(`${name} ${result.issues[0].message}`);
      else if (result.output === undefined) delete config[field];
      else config[field] = result.output;
    }
  }
  for (const { path, value } of FIXED)
    for (const [name, text] of [
      [path, readPath(file, path, environment)],
      [variableOf(path), given(environment, variableOf(path))],
    ])
      if (text !== undefined && text !== value)
        faults.push(`${name} só pode ser ${value}: este servidor ainda não tem outra escolha`);
  return { config, faults, settings: readPlaces(file, environment) };
}

function readPlaces(file: Table, environment: Environment): ReadAuthConfig['settings'] {
  const siteUrl = readPath(file, 'auth.site_url', environment);
  const redirects = readPath(file, 'auth.additional_redirect_urls', environment);
  return {
    ...(siteUrl === undefined ? {} : { SITE_URL: siteUrl }),
    ...(redirects === undefined ? {} : { REDIRECT_ALLOW_LIST: redirects }),
  };
}

/** An empty variable counts as one that is not there. */
function given(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === '' ? undefined : text;
}

/** As the platform's command line names the variable of a key. */
function variableOf(path: string): string {
  return `SUPABASE_${path.replaceAll('.', '_').toUpperCase()}`;
}

/** The text of a key, the parts of a list with commas between; undefined where it is not there or stands for a variable that is not. */
function readPath(file: Table, path: string, environment: Environment): string | undefined {
  let value: unknown = file;
  for (const name of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Table)[name] : undefined;
  if (value === undefined) return undefined;
  const texts = (Array.isArray(value) ? value : [value]).flatMap((part) => {
    const text = String(part).trim();
    const [, variable] = /^env\((\w+)\)$/.exec(text) ?? [];
    return variable === undefined ? [text] : (given(environment, variable) ?? []);
  });
  return texts.length === 0 ? undefined : texts.join(',');
}
