import leven from 'leven';
import { AUTH_KEYS } from './auth-keys.ts';
import { listFixedKeys } from './fixed-keys.ts';
import { HOOK_NAMES } from './read-hooks.ts';
import { NOTICE_KINDS } from './read-notices.ts';
import { THIRD_PARTY_KEYS } from './read-third-parties.ts';

/** Keys that the platform has and that change nothing here, or stand beside a switch that is off; `*` is any name. */
const LEFT_ALONE = [
  'auth.site_url',
  'auth.additional_redirect_urls',
  'auth.signing_keys_path',
  'auth.publishable_key',
  'auth.secret_key',
  'auth.rate_limit.web3',
  'auth.captcha.enabled',
  'auth.captcha.provider',
  'auth.captcha.secret',
  'auth.email.smtp.*',
  'auth.email.template.*.subject',
  'auth.email.template.*.content_path',
  ...NOTICE_KINDS.flatMap((name) =>
    ['enabled', 'subject', 'content_path'].map((key) => `auth.email.notification.${name}.${key}`),
  ),
  'auth.sms.test_otp.*',
  'auth.sms.*.*',
  'auth.external.*.enabled',
  'auth.external.*.skip_nonce_check',
  'auth.external.*.client_id',
  'auth.external.*.secret',
  'auth.external.*.redirect_uri',
  'auth.external.*.url',
  'auth.hook.*.uri',
  'auth.hook.*.secrets',
];

/** So many letters may be wrong for a key to count as a misspelling of another. */
const MAX_DISTANCE = 3;

export type UnknownKey = {
  readonly path: string;
  /** The known key that was probably meant. */
  readonly nearest: string | undefined;
};

/**
 * Keys of `[auth]` that neither this server nor the platform has.
 * @param auth the table, parsed
 * @param offered names of the providers that this server has
 */
export function findUnknownKeys(auth: unknown, offered: readonly string[]): readonly UnknownKey[] {
  const paths = listPaths('auth', auth);
  const named = listProviders(auth);
  const known = [
    ...AUTH_KEYS.map(({ path }) => path),
    ...listFixedKeys(offered, named).map(({ path }) => path),
    ...HOOK_NAMES.map((name) => `auth.hook.${name}.enabled`),
    ...THIRD_PARTY_KEYS,
    ...LEFT_ALONE,
  ];
  const exact = new Set(known);
  const patterns = LEFT_ALONE.filter((path) => path.includes('*')).map((path) => path.split('.'));
  return paths
    .filter((path) => !exact.has(path) && !patterns.some((pattern) => matches(path.split('.'), pattern)))
    .map((path) => ({ path, nearest: findNearest(path, known) }));
}

/** Names of providers that a file speaks of. */
export function listProviders(auth: unknown): readonly string[] {
  const { external } = isTable(auth) ? auth : {};
  return isTable(external) ? Object.keys(external) : [];
}

function findNearest(path: string, known: readonly string[]): string | undefined {
  const candidates = known.filter((other) => !other.includes('*'));
  const [nearest] = candidates
    .map((other) => ({ other, distance: leven(path, other) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((a, b) => a.distance - b.distance);
  // Right by its name, and in the wrong table.
  return (
    nearest?.other ?? candidates.find((other) => lastOf(other) === lastOf(path) && lastOf(path) !== 'enabled')
  );
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function matches(path: readonly string[], pattern: readonly string[]): boolean {
  return path.length === pattern.length && pattern.every((part, at) => part === '*' || part === path[at]);
}

function listPaths(path: string, value: unknown): string[] {
  if (!isTable(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => listPaths(`${path}.${name}`, inner));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
