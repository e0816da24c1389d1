import * as v from 'valibot';
import type { AuthConfig } from '../settings.ts';
import { AUTH_KEYS } from './auth-keys.ts';
import { findUnknownKeys, listProviders } from './find-unknown-keys.ts';
import { type FixedKey, listFixedKeys } from './fixed-keys.ts';
import { readCaptcha } from './read-captcha.ts';
import { readHooks } from './read-hooks.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';
import { readNotices } from './read-notices.ts';
import { readSaml } from './read-saml.ts';
import { readSms } from './read-sms.ts';

/** What is said of sign-in, and what is wrong with it: each fault begins with the name of its key. */
export type ReadAuthConfig = {
  readonly config: AuthConfig;
  /** What has settings of the same meaning, as their texts: `site_url`, `additional_redirect_urls`, `captcha`. */
  readonly settings: {
    readonly SITE_URL?: string;
    readonly REDIRECT_ALLOW_LIST?: string;
    readonly CAPTCHA_PROVIDER?: string;
    readonly CAPTCHA_SECRET?: string;
  };
  readonly faults: readonly string[];
  /** Keys of the file that nobody knows, as a sentence may name them. */
  readonly unknown: readonly string[];
};

/**
 * What the platform's settings say of sign-in: `supabase/config.toml` by its own names, over it GoTrue's variables, over both the
 * variables that the platform's command line has for each key (`SUPABASE_AUTH_EMAIL_OTP_LENGTH` for `auth.email.otp_length`).
 * @param file the file, parsed; `env(NAME)` in it stands for a variable.
 * @param providers names of those that this server has to sign in with
 */
export function readAuthConfig(
  file: Table,
  environment: Environment,
  providers: readonly string[],
): ReadAuthConfig {
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
  const { hooks, faults: hookFaults } = readHooks(file, environment);
  if (Object.keys(hooks).length > 0) config['hooks'] = hooks;
  const sms = readSms(file, environment);
  Object.assign(config, sms.config);
  const { notices, faults: noticeFaults } = readNotices(file, environment);
  if (notices.length > 0) config['notices'] = notices;
  const saml = readSaml(environment);
  if (saml.saml) config['saml'] = saml.saml;
  const captcha = readCaptcha(file, environment);
  faults.push(...hookFaults, ...sms.faults, ...saml.faults, ...captcha.faults, ...noticeFaults);
  const { auth } = file;
  for (const key of listFixedKeys(providers, listProviders(auth)))
    faults.push(...listFixedFaults(key, file, environment));
  const unknown = findUnknownKeys(auth, providers).map(({ path, nearest }) =>
    nearest === undefined ? path : `${path} (${nearest}?)`,
  );
  return { config, faults, unknown, settings: { ...readOurs(file, environment), ...captcha.settings } };
}

function listFixedFaults(
  { path, value, gotrue, instead = [] }: FixedKey,
  file: Table,
  environment: Environment,
): readonly string[] {
  const isDecided = instead.length > 0 && instead.every((name) => given(environment, name) !== undefined);
  const sources = [
    { name: path, text: readPath(file, path, environment) },
    ...(gotrue === undefined ? [] : [{ name: gotrue, text: given(environment, gotrue) }]),
    { name: variableOf(path), text: given(environment, variableOf(path)) },
  ];
  return sources.flatMap(({ name, text }) => {
    if (text === undefined || text === value || (text === 'true' && isDecided)) return [];
    const only = value === '' ? 'não pode ser definido' : `só pode ser ${value}`;
    const why =
      instead.length > 0
        ? `aqui quem decide é ${instead.join(', ')}`
        : 'este servidor ainda não tem outra escolha';
    return [`${name} ${only}: ${why}`];
  });
}

/** Each by the name that is stronger, the platform's in the file, and GoTrue's. */
const NAMED_OTHERWISE = [
  { name: 'SITE_URL', path: 'auth.site_url', gotrue: 'GOTRUE_SITE_URL' },
  { name: 'REDIRECT_ALLOW_LIST', path: 'auth.additional_redirect_urls', gotrue: 'GOTRUE_URI_ALLOW_LIST' },
] as const;

function readOurs(file: Table, environment: Environment): ReadAuthConfig['settings'] {
  return Object.fromEntries(
    NAMED_OTHERWISE.flatMap(({ name, path, gotrue }) => {
      const text =
        given(environment, variableOf(path)) ??
        given(environment, gotrue) ??
        readPath(file, path, environment);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
