import { collectPages } from '@linkoteca/domain/collect-pages';
import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type Favorite, favoriteListKey } from '../model/favorite-rows.ts';

/** All favourites of a person, the newest star first. */
function listFavorites(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<readonly Favorite[]> {
  return collectPages(async (from, to) => {
    const { data } = await database
      .from('favorites')
      .select('id,link_id,category_id,created_at,links(id,title,url,category_id)')
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data;
  });
}

/** The signed-in person's favourites. */
export function useFavorites() {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: favoriteListKey(userId),
    queryFn: ({ signal }) => listFavorites(database, userId, signal),
  });
}
