import { parseMailInUrl } from '@linkoteca/domain/mail-in-url';
import * as v from 'valibot';

/** A secret shorter than the hash it keys is weaker than the hash (RFC 7518, section 3.2). */
const MIN_SECRET_LENGTH = 32;

const text = v.pipe(v.string(), v.trim());
export const required = v.pipe(text, v.nonEmpty('não pode ser vazio'));

/** An address with one of the given schemes. */
function url(schemes: readonly string[], what: string) {
  return v.pipe(
    text,
    v.check((value) => schemes.includes(URL.parse(value)?.protocol ?? ''), `deve ser ${what}`),
  );
}

function list(item: string) {
  return item
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function wholeNumber(least: number, most: number) {
  const message = `deve ser um número inteiro de ${least} a ${most}`;
  return v.pipe(
    text,
    v.regex(/^\d+$/, message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** Seconds, or for ever. */
const patience = v.pipe(
  text,
  v.regex(/^(true|false|\d{1,5})$/, 'deve ser true, false ou um número de segundos, de 0 a 99999'),
  v.transform((value) =>
    value === 'true' ? Number.POSITIVE_INFINITY : 1000 * (value === 'false' ? 0 : Number(value)),
  ),
);

const boolean = v.pipe(
  v.picklist(['true', 'false'], 'deve ser true ou false'),
  v.transform((value) => value === 'true'),
);
const flag = v.optional(boolean, 'false');

const origin = v.pipe(
  url(['http:', 'https:'], 'um endereço http:// ou https://'),
  v.check((value) => {
    const parsed = URL.parse(value);
    // What is no address at all was named by the check before; a pipe runs all its checks.
    if (parsed === null) return true;
    const { pathname, search, hash, username } = parsed;
    return pathname === '/' && search === '' && hash === '' && username === '';
  }, 'deve ser só a origem, sem caminho (https://links.exemplo.com)'),
  v.transform((value) => new URL(value).origin),
);

/** Secrets travel there: unencrypted only as far as this machine. */
export const outsideUrl = v.pipe(
  text,
  v.check((value) => {
    const { protocol, hostname } = URL.parse(value) ?? {};
    return (
      protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname ?? ''))
    );
  }, 'deve ser um endereço https:// (http:// só neste computador)'),
);

const jwtSecrets = v.pipe(
  text,
  v.transform(list),
  v.check(
    (secrets) => secrets.length > 0 && secrets.every((secret) => secret.length >= MIN_SECRET_LENGTH),
    `cada segredo deve ter ao menos ${MIN_SECRET_LENGTH} caracteres (vários se separam por vírgula; o primeiro assina)`,
  ),
);

const HOUR_MS = 3_600_000;
const SPAN_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: 24 * HOUR_MS };
const SPAN = /^([1-9]\d{0,3})([mhd])$/;

/** Minutes, hours or days. */
const span = v.pipe(
  text,
  v.regex(SPAN, 'deve ser um intervalo como 30m, 24h ou 7d'),
  v.transform((value) => {
    const [, count = '', unit = ''] = SPAN.exec(value) ?? [];
    return Number(count) * (SPAN_MS[unit] ?? 0);
  }),
);

/** Whoever has the file may guess for years. */
const MIN_PASSPHRASE_LENGTH = 12;

/** The secret key travels with each request: never in the clear through a network. */
const stripeUrl = v.pipe(
  url(['http:', 'https:'], 'um endereço https://, ou http:// desta máquina'),
  v.check((value) => {
    const { protocol, hostname } = URL.parse(value) ?? {};
    return protocol !== 'http:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname ?? '');
  }, 'deve ser um endereço https://, ou http:// desta máquina'),
  v.transform((value) => value.replace(/\/+$/, '')),
);

const mailInUrl = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const read = parseMailInUrl(dataset.value);
    if (read.ok) return read.mailIn;
    for (const message of read.faults) addIssue({ message });
    return NEVER;
  }),
);

/**
 * Each setting by the name of its environment variable: how its text is checked and what it becomes.
 * Messages continue the name: "PORT deve ser …".
 */
export const SETTING_SCHEMA = v.object({
  PORT: v.optional(wholeNumber(1, 65_535), '3000'),
  HOST: v.optional(required, 'localhost'),
  SITE_URL: v.optional(origin),
  FILES_URL: v.optional(origin),
  DATA_DIR: v.optional(required, 'data'),
  WAIT_FOR_DATA_DIR: v.optional(patience, 'false'),
  // Not read as an address of the web: libpq's may leave the host out and name a socket's folder.
  DATABASE_URL: v.optional(
    v.pipe(
      text,
      v.regex(/^postgres(?:ql)?:\/\/./, 'deve ser um endereço postgres://usuário:senha@servidor/banco'),
    ),
  ),
  WAL_ARCHIVE_DIR: v.optional(required),
  WAL_ARCHIVE_DAYS: v.optional(wholeNumber(1, 366), '7'),
  POOL_SIZE: v.optional(wholeNumber(2, 100), '8'),
  DRAIN_SECONDS: v.optional(wholeNumber(0, 120), '0'),
  JWT_SECRET: v.optional(jwtSecrets),
  ADMIN_USER_ID: v.optional(v.pipe(text, v.uuid('deve ser o id (uuid) de um usuário'))),
  // The function account-upkeep reads it. An access token lives for a week at most, and a link in a mail for a day: whoever has one is seen before.
  ANONYMOUS_USERS_DAYS: v.optional(wholeNumber(9, 3650), '30'),
  SMTP_URL: v.optional(url(['smtp:', 'smtps:'], 'um endereço smtp:// ou smtps://')),
  MAIL_FROM: v.optional(
    v.pipe(
      text,
      v.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'deve ser um remetente como "Linkoteca <nome@exemplo.com>"'),
    ),
  ),
  // The function mail-in reads it as well.
  MAIL_IN_URL: v.optional(mailInUrl),
  SUPPORT_EMAIL: v.optional(
    v.pipe(text, v.regex(/^[^\s@<>"'&]+@[^\s@<>"'&]+$/, 'deve ser um endereço como "ajuda@exemplo.com"')),
  ),
  REDIRECT_ALLOW_LIST: v.optional(v.pipe(text, v.transform(list)), ''),
  TRUST_PROXY: flag,
  METRICS_ACCESS: v.optional(
    v.picklist(['loopback', 'everyone'], 'deve ser loopback ou everyone'),
    'loopback',
  ),
  LINK_CHECKS: v.optional(boolean, 'true'),
  WEBHOOKS: v.optional(boolean, 'true'),
  EXTENSION_CLIENT_ID: v.optional(v.pipe(text, v.uuid('deve ser o id (uuid) de um programa'))),
  ALLOW_PAYMENT_EMULATOR: flag,
  ALLOW_MAIL_FILES: flag,
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'deve ser fatal, error, warn, info, debug, trace ou silent',
    ),
    'warn',
  ),
  BACKUP_TO: v.optional(required),
  BACKUP_EVERY: v.optional(span),
  BACKUP_KEEP: v.optional(wholeNumber(1, 1000), '7'),
  BACKUP_PASSPHRASE: v.optional(
    v.pipe(text, v.minLength(MIN_PASSPHRASE_LENGTH, `deve ter ao menos ${MIN_PASSPHRASE_LENGTH} caracteres`)),
  ),
  BACKUP_BEFORE_MIGRATION: v.optional(boolean, 'true'),
  FUNCTIONS_DIR: v.optional(required, 'supabase/functions'),
  FUNCTIONS_RELOAD: flag,
  STRIPE_SECRET_KEY: v.optional(
    v.pipe(
      required,
      v.check((key) => !key.startsWith('pk_'), 'deve ser a chave secreta (sk_… ou rk_…), não a publicável'),
    ),
  ),
  STRIPE_WEBHOOK_SECRET: v.optional(required),
  STRIPE_API_URL: v.optional(stripeUrl),
  STRIPE_PRICE_PLUS_MONTHLY: v.optional(required),
  STRIPE_PRICE_PLUS_YEARLY: v.optional(required),
  STRIPE_PRICE_PRO_MONTHLY: v.optional(required),
  STRIPE_PRICE_PRO_YEARLY: v.optional(required),
  CAPTCHA_PROVIDER: v.optional(v.picklist(['hcaptcha', 'turnstile'], 'deve ser hcaptcha ou turnstile')),
  CAPTCHA_SITE_KEY: v.optional(required),
  CAPTCHA_SECRET: v.optional(required),
  CAPTCHA_VERIFY_URL: v.optional(outsideUrl),
  S3_ENDPOINT: v.optional(url(['http:', 'https:'], 'um endereço http:// ou https://')),
  S3_REGION: v.optional(required, 'us-east-1'),
  S3_BUCKET: v.optional(required),
  S3_ACCESS_KEY_ID: v.optional(required),
  S3_SECRET_ACCESS_KEY: v.optional(required),
  S3_PROTOCOL_ENABLED: v.optional(boolean, 'true'),
  S3_PROTOCOL_ACCESS_KEY_ID: v.optional(
    v.pipe(text, v.regex(/^[\w.-]{4,128}$/, 'deve ter de 4 a 128 letras, números, pontos e traços')),
  ),
  S3_PROTOCOL_ACCESS_KEY_SECRET: v.optional(
    v.pipe(text, v.minLength(MIN_SECRET_LENGTH, `deve ter ao menos ${MIN_SECRET_LENGTH} caracteres`)),
  ),
});

/** Settings that mean something only beside another one. */
export const SETTING_COMPANIONS = { STRIPE_API_URL: 'STRIPE_SECRET_KEY' } as const satisfies Partial<
  Record<keyof RawSettings, keyof RawSettings>
>;

/** What an installation that others reach has to have, and the setting by which its operator says that they do without. */
export const PUBLIC_NEEDS = [
  ['STRIPE_SECRET_KEY', 'ALLOW_PAYMENT_EMULATOR', 'os planos sairiam de graça'],
  ['SMTP_URL', 'ALLOW_MAIL_FILES', 'os e-mails ficariam em arquivos e não chegariam a ninguém'],
] as const satisfies readonly (readonly [keyof RawSettings, keyof RawSettings, string])[];

/** Settings that must differ from each other: what is bought is told by them. */
export const DISTINCT_SETTINGS = [
  'STRIPE_PRICE_PLUS_MONTHLY',
  'STRIPE_PRICE_PLUS_YEARLY',
  'STRIPE_PRICE_PRO_MONTHLY',
  'STRIPE_PRICE_PRO_YEARLY',
] as const satisfies readonly (keyof RawSettings)[];

/** Settings that mean something only together: one without the others is a fault. */
export const SETTING_GROUPS = [
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', ...DISTINCT_SETTINGS],
  ['CAPTCHA_PROVIDER', 'CAPTCHA_SITE_KEY', 'CAPTCHA_SECRET'],
  ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
  ['S3_PROTOCOL_ACCESS_KEY_ID', 'S3_PROTOCOL_ACCESS_KEY_SECRET'],
] as const satisfies readonly (readonly (keyof RawSettings)[])[];

export type RawSettings = v.InferOutput<typeof SETTING_SCHEMA>;
