import { CACHE_MS } from '@linkoteca/domain/limits';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

export interface LibraryCounts {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

/** Reads the counters that the database keeps; a person without a row has nothing yet. */
async function loadLibraryCounts(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<LibraryCounts> {
  const { data } = await database
    .from('library_counts')
    .select('folder_count, category_count, link_count')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError();
  return {
    folders: data?.folder_count ?? 0,
    categories: data?.category_count ?? 0,
    links: data?.link_count ?? 0,
  };
}

function libraryCountsOptions(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: ['library-counts', userId],
    queryFn: ({ signal }) => loadLibraryCounts(database, userId, signal),
    refetchInterval: CACHE_MS.linkCountRefresh,
  });
}

/** How much the person keeps; renewed every 15 s while shown. */
export function useLibraryCounts() {
  return useQuery(libraryCountsOptions(useDatabase(), useUserId()));
}

/** Asks for the counters anew, e.g. when the account menu opens. */
export function useRefreshLibraryCounts(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ['library-counts'] });
}
