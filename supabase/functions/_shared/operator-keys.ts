import { digest } from './digest.ts';

/**
 * The keys that open what only the installation itself may call: the service key, and the project's secret keys as well
 * (`sb_secret_…`, in a dictionary by their names).
 * @param read a setting's text, empty when it is not set.
 */
export function readOperatorKeys(read: (name: string) => string): readonly string[] {
  const named: unknown = JSON.parse(read('SUPABASE_SECRET_KEYS') || '{}');
  const secretKeys = typeof named === 'object' && named !== null ? Object.values(named) : [];
  return [read('SUPABASE_SERVICE_ROLE_KEY'), ...secretKeys].filter(
    (key): key is string => typeof key === 'string' && key !== '',
  );
}

/**
 * Whether the caller presents one of these keys, as bearer token or as `apikey`. The key itself is compared, and no token is read: the
 * gateway cannot verify a secret key, so it lets every caller of such a function through.
 */
export async function isOperator(headers: Headers, keys: readonly string[]): Promise<boolean> {
  const bearer = /^bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const presented = await Promise.all([bearer, headers.get('apikey')].map((key) => digest(key ?? '')));
  const accepted = await Promise.all(keys.map(digest));
  // Digests, so that the time it takes says nothing of how much of a key is right.
  return accepted.some((key) => presented.includes(key));
}
