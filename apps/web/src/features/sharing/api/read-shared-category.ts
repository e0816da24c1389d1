import { CACHE_MS } from '@linkoteca/domain/limits';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** How the database says the caller stands to a category; `denied` and `locked` (it asks for a password) carry no word of it. */
export type Standing = 'owner' | 'public' | 'invited' | 'limited' | 'denied' | 'locked';

/** A category as its viewers see it. */
export interface ViewedCategory {
  readonly standing: Standing;
  readonly name: string;
  readonly description: string | null;
  readonly ownerName: string | null;
  readonly linkCount: number;
  /** ISO 8601. */
  readonly updatedAt: string | null;
}

const STANDINGS: readonly Standing[] = ['owner', 'public', 'invited', 'limited', 'denied', 'locked'];

/** One look at a shared category; null where there is nothing to know. */
async function readSharedCategory(
  database: DatabaseClient,
  categoryId: string,
  signal: AbortSignal,
): Promise<ViewedCategory | null> {
  const { data } = await database
    .rpc('shared_category', { category_id: categoryId })
    .abortSignal(signal)
    .throwOnError();
  const [row] = data;
  const standing = STANDINGS.find((each) => each === row?.access);
  if (row === undefined || standing === undefined) return null;
  return {
    standing,
    name: row.name ?? '',
    description: row.description,
    ownerName: row.owner_name,
    linkCount: row.link_count ?? 0,
    updatedAt: row.updated_at,
  };
}

/** Cache key of what viewers see of a category. */
export function sharedCategoryKey(categoryId: string) {
  return ['shared-category', categoryId] as const;
}

/** The category as the caller may see it, looked at again every 3 s while the page is seen (section 4). */
export function useSharedCategory(categoryId: string) {
  const database = useDatabase();
  return useQuery(
    queryOptions({
      queryKey: sharedCategoryKey(categoryId),
      queryFn: ({ signal }) => readSharedCategory(database, categoryId, signal),
      refetchInterval: CACHE_MS.accessPoll,
      refetchOnWindowFocus: 'always',
      staleTime: 0,
    }),
  );
}
