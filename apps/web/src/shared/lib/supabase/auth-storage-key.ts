/** The storage key supabase-js would use: `sb-<first label of the host>-auth-token`. */
export function authStorageKey(supabaseUrl: string): string {
  return `sb-${new URL(supabaseUrl).hostname.split('.')[0]}-auth-token`;
}

/** True for every key that a saved sign-in may use: prefix `sb-`, or containing `-auth-token`. */
export function isAuthStorageKey(key: string): boolean {
  return key.startsWith('sb-') || key.includes('-auth-token');
}

/** The saved sign-in's keys that exist now. */
export function findAuthStorageKeys(storage: object): readonly string[] {
  return Object.keys(storage).filter(isAuthStorageKey);
}
