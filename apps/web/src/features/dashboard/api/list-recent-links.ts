import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** A link as the dashboard lists it. */
export type RecentLink = Pick<Link, 'id' | 'title' | 'url' | 'category_id' | 'created_at'>;

/** How many fit under the categories; the rest of the list is the search page without a term. */
export const RECENT_LINKS = 10;

/** Cache key of a user's newest links; the first part alone stands for everybody's. */
export const recentLinksKey = 'recent-links';

/** The newest links of a user in all categories. The index on owner and date answers it at any size of library. */
async function listRecentLinks(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<readonly RecentLink[]> {
  const { data } = await database
    .from('links')
    .select('id,title,url,category_id,created_at')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(RECENT_LINKS)
    .abortSignal(signal)
    .throwOnError();
  return data;
}

function recentLinksQuery(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: [recentLinksKey, userId],
    queryFn: ({ signal }) => listRecentLinks(database, userId, signal),
  });
}

/** The signed-in person's newest links. */
export function useRecentLinks() {
  return useQuery(recentLinksQuery(useDatabase(), useUserId()));
}
