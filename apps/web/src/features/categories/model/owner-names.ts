import { CACHE_MS } from '@linkoteca/domain/limits';
import type { QueryClient } from '@tanstack/react-query';

const KEY = 'owner-name';

/**
 * The name of whoever shares a category. Where its row carries none (any more), the one that was last read of it counts
 * for 24 hours; no other category of the same person lends theirs.
 */
export function recallOwnerName(
  queryClient: QueryClient,
  categoryId: string,
  name: string | null,
): string | null {
  const key = [KEY, categoryId];
  if (name?.trim()) {
    queryClient.setQueryDefaults([KEY], { gcTime: CACHE_MS.ownerName });
    queryClient.setQueryData(key, name);
    return name;
  }
  const known = queryClient.getQueryState<string>(key);
  const fresh = known !== undefined && Date.now() - known.dataUpdatedAt < CACHE_MS.ownerName;
  return fresh ? (known.data ?? null) : null;
}
