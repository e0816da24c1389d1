import { createDatabase } from './database.ts';
import type { Installation } from './session-store.ts';

/**
 * Whose library a token opens: a person has one row of counters, and sees their own alone.
 * @returns null where it opens none.
 * @throws TypeError where nobody answers, or the services are at fault.
 */
export async function findLibraryOwner(installation: Installation, token: string): Promise<string | null> {
  const database = createDatabase(installation, async () => token);
  const { data, error, status } = await database.from('library_counts').select('user_id').maybeSingle();
  if (status === 0 || status === 429 || status >= 500)
    throw new TypeError('Failed to fetch', { cause: error });
  return data?.user_id ?? null;
}
