import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { readApiKeys } from './auth-config/read-api-keys.ts';
import { readAuthConfig } from './auth-config/read-auth-config.ts';
import { readExternal } from './auth-config/read-external.ts';
import { given as findGiven, readPath, variableOf } from './auth-config/read-key.ts';
import { readThirdParties } from './auth-config/read-third-parties.ts';
import type { SigningKey } from './keys/signing-key.ts';
import { isLoopbackHost } from './networks.ts';
import { readRestConfig } from './rest-config/read-rest-config.ts';
import {
  DISTINCT_SETTINGS,
  PUBLIC_NEEDS,
  type RawSettings,
  SETTING_COMPANIONS,
  SETTING_GROUPS,
  SETTING_SCHEMA,
} from './setting-schema.ts';
import type { AuthConfig, MailOverride, Settings } from './settings.ts';
import {
  arrangeSignInSettings,
  listSetByVariables,
  listSignInGroups,
  type SignInProviderNames,
  signInSettingSchema,
} from './sign-in-settings.ts';
import { keepsTexts } from './text-messages.ts';

/** The settings are wrong. `message` is one line in Portuguese that names every fault, and repeats no value: some are secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** As the providers' documentation names them. */
const CAPTCHA_VERIFY_URLS = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
} as const;

/** Mails by the platform's names, and what is wrong with them. */
export type ReadMailOverrides = {
  readonly overrides: Readonly<Record<string, MailOverride>>;
  readonly faults: readonly string[];
};

/** Keys of the operator's own for tokens, and what is wrong with them. */
export type ReadSigningKeys = { readonly keys: readonly SigningKey[]; readonly faults: readonly string[] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every setting at once. An empty variable counts as one that is not there.
 * @param projectFolder relative folders start here.
 * @param signInProviders each has settings of its own.
 * @param file `supabase/config.toml`, parsed: what it says of sign-in and of the table API holds where no variable says otherwise.
 * @param mails what the operator wrote in place of mails.
 * @param signingKeys what the operator's tokens are signed and verified with.
 * @throws SettingsError
 */
export function parseSettings(
  environment: Environment,
  projectFolder: string,
  signInProviders: readonly SignInProviderNames[],
  file: Readonly<Record<string, unknown>> = {},
  mails: ReadMailOverrides = { overrides: {}, faults: [] },
  signingKeys: ReadSigningKeys = { keys: [], faults: [] },
): Settings {
  const auth = readAuthConfig(
    file,
    environment,
    signInProviders.map(({ name }) => name),
  );
  const rest = readRestConfig(file, environment);
  const thirdParties = readThirdParties(file, environment);
  const { apiKeys, faults: apiKeyFaults } = readApiKeys(file, environment);
  const signInSchema = signInSettingSchema(signInProviders);
  const variables = Object.fromEntries(
    [...Object.keys(SETTING_SCHEMA.entries), ...Object.keys(signInSchema.entries)].flatMap((name) => {
      const value = environment[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value]];
    }),
  );
  const given: Environment = { ...readS3Protocol(file, environment), ...auth.settings, ...variables };
  const setByVariables = listSetByVariables(signInProviders, given);
  const external = readExternal(file, environment, signInProviders, setByVariables);
  const result = v.safeParse(SETTING_SCHEMA, given);
  const signIn = v.safeParse(signInSchema, given);
  const faults = [...(result.issues ?? []), ...(signIn.issues ?? [])].map(
    (issue) => `${v.getDotPath(issue)} ${issue.message}`,
  );
  faults.push(
    ...auth.faults,
    ...rest.faults,
    ...mails.faults,
    ...signingKeys.faults,
    ...apiKeyFaults,
    ...thirdParties.faults,
    ...external.faults,
  );
  const groups = [...listSignInGroups(signInProviders), ...SETTING_GROUPS];
  faults.push(
    ...listHalfGroups(given, groups),
    ...listLonely(given),
    ...listTwins(given),
    ...listPublicNeeds(given),
    ...listUnsentTexts(given, auth.config),
  );
  if (result.success)
    faults.push(
      ...listSharedHosts(result.output),
      ...listArchiveFaults(result.output),
      ...listMissingStorage(result.output),
    );
  if (!result.success || !signIn.success || faults.length > 0)
    throw new SettingsError(`Configuração inválida: ${faults.join('; ')}.`);
  return {
    ...arrange(result.output, projectFolder),
    auth: {
      ...withoutUnsent(auth.config, result.output.SMTP_URL),
      ...(Object.keys(mails.overrides).length > 0 ? { mailOverrides: mails.overrides } : {}),
    },
    unknownAuthKeys: auth.unknown,
    signingKeys: signingKeys.keys,
    apiKeys,
    thirdParties: thirdParties.issuers,
    rest: rest.sources,
    signInProviders: arrangeSignInSettings(signInProviders, signIn.output, external.providers),
  };
}

/** Mails that stay on this computer cost nobody anything: the platform, too, counts those that an SMTP server sends. */
function withoutUnsent({ mailsSent, ...others }: AuthConfig, smtpUrl: string | undefined): AuthConfig {
  return { ...others, ...(mailsSent && smtpUrl !== undefined ? { mailsSent } : {}) };
}

/** The platform's key for the same, in the file or by the variable of its command line. */
function readS3Protocol(file: Readonly<Record<string, unknown>>, environment: Environment): Environment {
  const path = 'storage.s3_protocol.enabled';
  const text = findGiven(environment, variableOf(path)) ?? readPath(file, path, environment);
  return text === undefined ? {} : { S3_PROTOCOL_ENABLED: text };
}

function listHalfGroups(given: Environment, groups: readonly (readonly string[])[]): string[] {
  return groups.flatMap((group) => {
    const missing = group.filter((name) => given[name] === undefined);
    if (missing.length === 0 || missing.length === group.length) return [];
    const present = group.find((name) => given[name] !== undefined);
    return [`falta definir ${missing.join(', ')} (${present} só funciona com o grupo inteiro)`];
  });
}

function listLonely(given: Environment): string[] {
  return Object.entries(SETTING_COMPANIONS).flatMap(([name, companion]) =>
    given[name] !== undefined && given[companion] === undefined
      ? [`${name} só funciona com ${companion}`]
      : [],
  );
}

function listTwins(given: Environment): string[] {
  const seen = new Map<string, string>();
  return DISTINCT_SETTINGS.flatMap((name) =>
    listParts(given[name]).flatMap((value) => {
      const earlier = seen.get(value);
      seen.set(value, name);
      return earlier === undefined ? [] : [`${name} não pode repetir ${earlier}`];
    }),
  );
}

/** Nobody offers free plans, or mails that reach nobody, to the world by forgetting a setting. */
function listPublicNeeds(given: Environment): string[] {
  const site = URL.parse(given['SITE_URL'] ?? '');
  if (site === null || isLoopbackHost(site.hostname)) return [];
  return PUBLIC_NEEDS.filter(([name, allowed]) => given[name] === undefined && given[allowed] !== 'true').map(
    ([name, allowed, consequence]) =>
      `falta definir ${name}, pois SITE_URL não é deste computador e ${consequence} (${allowed}=true aceita isso)`,
  );
}

/** As mails: a code that reaches nobody lets nobody in. */
function listUnsentTexts(given: Environment, auth: AuthConfig): string[] {
  const site = URL.parse(given['SITE_URL'] ?? '');
  if (site === null || isLoopbackHost(site.hostname)) return [];
  return keepsTexts(auth) && given['ALLOW_MAIL_FILES'] !== 'true'
    ? [
        'falta quem envie as mensagens de auth.sms e auth.mfa.phone (auth.sms.twilio ou auth.hook.send_sms), pois SITE_URL não é deste computador e elas ficariam em arquivos (ALLOW_MAIL_FILES=true aceita isso)',
      ]
    : [];
}

/** A price's setting lists the one that is sold and those before it. */
function listParts(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Browsers share more than an origin between the ports of one host: cookies, for one. */
function listSharedHosts(raw: RawSettings): string[] {
  if (raw.FILES_URL === undefined) return [];
  const isShared = new URL(raw.FILES_URL).hostname === new URL(findSiteUrl(raw)).hostname;
  return isShared ? ['FILES_URL deve ter outro domínio que SITE_URL'] : [];
}

function listMissingStorage({ BACKUP_TO = '', S3_ENDPOINT }: RawSettings): string[] {
  const isMissing = BACKUP_TO.startsWith('s3:') && S3_ENDPOINT === undefined;
  return isMissing ? ['BACKUP_TO fica em armazenamento de objetos: falta definir S3_ENDPOINT'] : [];
}

/** Another server's log is its own affair. */
function listArchiveFaults({ WAL_ARCHIVE_DIR, DATABASE_URL }: RawSettings): string[] {
  return WAL_ARCHIVE_DIR !== undefined && DATABASE_URL !== undefined
    ? ['WAL_ARCHIVE_DIR só funciona sem DATABASE_URL, pois o banco externo tem o seu próprio arquivo']
    : [];
}

function findSiteUrl({ SITE_URL, PORT }: RawSettings): string {
  return SITE_URL ?? `http://localhost:${PORT}`;
}

function arrange(
  raw: RawSettings,
  projectFolder: string,
): Omit<
  Settings,
  'auth' | 'rest' | 'unknownAuthKeys' | 'signingKeys' | 'apiKeys' | 'thirdParties' | 'signInProviders'
> {
  const siteUrl = findSiteUrl(raw);
  return {
    port: raw.PORT,
    host: raw.HOST,
    siteUrl,
    filesUrl: raw.FILES_URL,
    dataFolder: resolve(projectFolder, raw.DATA_DIR),
    dataFolderPatienceMs: raw.WAIT_FOR_DATA_DIR,
    databaseUrl: raw.DATABASE_URL,
    walArchive: raw.WAL_ARCHIVE_DIR
      ? { folder: resolve(projectFolder, raw.WAL_ARCHIVE_DIR), days: raw.WAL_ARCHIVE_DAYS }
      : undefined,
    poolSize: raw.POOL_SIZE,
    drainSeconds: raw.DRAIN_SECONDS,
    jwtSecrets: raw.JWT_SECRET ?? [],
    adminUserId: raw.ADMIN_USER_ID,
    smtpUrl: raw.SMTP_URL,
    mailFrom: raw.MAIL_FROM ?? `Linkoteca <nao-responda@${new URL(siteUrl).hostname}>`,
    mailDomain: raw.MAIL_IN_URL?.domain,
    supportEmail: raw.SUPPORT_EMAIL ?? `suporte@${new URL(siteUrl).hostname}`,
    redirectAllowList: raw.REDIRECT_ALLOW_LIST,
    trustProxy: raw.TRUST_PROXY,
    linkChecks: raw.LINK_CHECKS,
    webhooks: raw.WEBHOOKS,
    extensionClientId: raw.EXTENSION_CLIENT_ID,
    metricsAccess: raw.METRICS_ACCESS,
    logLevel: raw.LOG_LEVEL,
    functionsFolder: resolve(projectFolder, raw.FUNCTIONS_DIR),
    functionsReload: raw.FUNCTIONS_RELOAD,
    backup: arrangeBackup(raw, projectFolder),
    ...arrangeGroups(raw),
  };
}

function arrangeBackup(raw: RawSettings, projectFolder: string): Settings['backup'] {
  const to = raw.BACKUP_TO ?? join(raw.DATA_DIR, 'backups');
  return {
    to: to.startsWith('s3:') ? to : resolve(projectFolder, to),
    everyMs: raw.BACKUP_EVERY,
    keep: raw.BACKUP_KEEP,
    passphrase: raw.BACKUP_PASSPHRASE,
    beforeMigration: raw.BACKUP_BEFORE_MIGRATION,
  };
}

/** A group is whole or absent by now, so its first member speaks for it and no default is ever used. */
function arrangeGroups(raw: RawSettings): Pick<Settings, 'stripe' | 'captcha' | 's3' | 's3Protocol'> {
  const { STRIPE_SECRET_KEY, CAPTCHA_PROVIDER, S3_ENDPOINT, S3_PROTOCOL_ACCESS_KEY_ID } = raw;
  return {
    stripe: STRIPE_SECRET_KEY
      ? {
          secretKey: STRIPE_SECRET_KEY,
          webhookSecret: raw.STRIPE_WEBHOOK_SECRET ?? '',
          apiUrl: raw.STRIPE_API_URL,
          prices: {
            plusMonthly: raw.STRIPE_PRICE_PLUS_MONTHLY ?? '',
            plusYearly: raw.STRIPE_PRICE_PLUS_YEARLY ?? '',
            proMonthly: raw.STRIPE_PRICE_PRO_MONTHLY ?? '',
            proYearly: raw.STRIPE_PRICE_PRO_YEARLY ?? '',
          },
        }
      : undefined,
    captcha: CAPTCHA_PROVIDER
      ? {
          provider: CAPTCHA_PROVIDER,
          siteKey: raw.CAPTCHA_SITE_KEY ?? '',
          secret: raw.CAPTCHA_SECRET ?? '',
          verifyUrl: raw.CAPTCHA_VERIFY_URL ?? CAPTCHA_VERIFY_URLS[CAPTCHA_PROVIDER],
        }
      : undefined,
    s3: S3_ENDPOINT
      ? {
          endpoint: S3_ENDPOINT,
          region: raw.S3_REGION,
          bucket: raw.S3_BUCKET ?? '',
          accessKeyId: raw.S3_ACCESS_KEY_ID ?? '',
          secretAccessKey: raw.S3_SECRET_ACCESS_KEY ?? '',
        }
      : undefined,
    s3Protocol: raw.S3_PROTOCOL_ENABLED
      ? {
          keys: S3_PROTOCOL_ACCESS_KEY_ID
            ? {
                accessKeyId: S3_PROTOCOL_ACCESS_KEY_ID,
                secretAccessKey: raw.S3_PROTOCOL_ACCESS_KEY_SECRET ?? '',
              }
            : undefined,
        }
      : undefined,
  };
}
