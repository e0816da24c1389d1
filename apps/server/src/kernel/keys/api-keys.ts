import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CallerRole } from '../caller-context.ts';

/** The platform's opaque keys: a publishable one may be read by anybody, a secret one steps over row-level security. */
export type ApiKeyKind = 'publishable' | 'secret';

/** The keys of an installation by kind. All are accepted; the first is the one that is told. */
export type ApiKeys = Readonly<Record<ApiKeyKind, readonly string[]>>;

export const API_KEY_KINDS: readonly ApiKeyKind[] = ['publishable', 'secret'];
export const ROLE_OF_KIND = { publishable: 'anon', secret: 'service_role' } as const satisfies Record<
  ApiKeyKind,
  CallerRole
>;

const RANDOM_LENGTH = 22;
const CHECKSUM_LENGTH = 8;
/** Of what the platform's programs make: 22 random characters, and 8 by which programs find leaked keys. */
const BODY = /^[A-Za-z0-9_-]{31,120}$/;

/** Whether a text has the form of a key of this kind. */
export function isApiKey(text: string, kind: ApiKeyKind): boolean {
  const prefix = prefixOf(kind);
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length));
}

/** Whether a text says of itself that it is such a key, right or wrong. */
export function claimsToBeApiKey(text: string): boolean {
  return API_KEY_KINDS.some((kind) => text.startsWith(prefixOf(kind)));
}

/** Makes a key by chance. */
export function generateApiKey(kind: ApiKeyKind): string {
  return composeApiKey(kind, randomBytes(RANDOM_LENGTH));
}

/** The key that belongs to a secret of the installation: the same on every copy of the server, gone when the secret is. */
export function deriveApiKey(kind: ApiKeyKind, secret: string): string {
  return composeApiKey(
    kind,
    Buffer.from(hkdfSync('sha256', secret, '', `linkoteca/${kind}-key/v1`, RANDOM_LENGTH)),
  );
}

/** The operator's own keys; of a kind without any, those that belong to the secrets. */
export function chooseApiKeys(own: ApiKeys | undefined, secrets: readonly string[]): ApiKeys {
  const choose = (kind: ApiKeyKind) =>
    own !== undefined && own[kind].length > 0
      ? own[kind]
      : secrets.map((secret) => deriveApiKey(kind, secret));
  return { publishable: choose('publishable'), secret: choose('secret') };
}

function composeApiKey(kind: ApiKeyKind, random: Buffer): string {
  const start = `${prefixOf(kind)}${random.toString('base64url').slice(0, RANDOM_LENGTH)}`;
  const checksum = createHash('sha256').update(`linkoteca|${start}`).digest('base64url');
  return `${start}_${checksum.slice(0, CHECKSUM_LENGTH)}`;
}

function prefixOf(kind: ApiKeyKind): string {
  return `sb_${kind}_`;
}

/**
 * Tells of which kind a key is, in a time that says nothing of how much of it is right.
 * @returns a function that answers undefined for what is no key of the installation.
 */
export function createApiKeyReader(keys: ApiKeys): (key: string) => ApiKeyKind | undefined {
  const known = API_KEY_KINDS.flatMap((kind) => keys[kind].map((key) => ({ kind, digest: digestOf(key) })));
  return (key) => {
    const given = digestOf(key);
    return known.filter(({ digest }) => timingSafeEqual(digest, given))[0]?.kind;
  };
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** How every browser has named itself since 1993. A page can change it; what the platform catches is the key that somebody put there by mistake. */
const BROWSER = /\bMozilla\/\d/;

/** Whether a request says that a browser sends it: no place for a secret key. */
export function isFromBrowser(headers: { readonly 'user-agent'?: string | undefined }): boolean {
  return BROWSER.test(headers['user-agent'] ?? '');
}
