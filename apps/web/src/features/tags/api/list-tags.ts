import { collectPages } from '@linkoteca/domain/collect-pages';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { TAG_COLUMNS, type Tag, tagListKey } from '../model/tag-rows.ts';

/** All tags of a person, the newest first. */
function listTags(database: DatabaseClient, userId: string, signal: AbortSignal): Promise<readonly Tag[]> {
  return collectPages(async (from, to) => {
    const { data } = await database
      .from('tags')
      .select(TAG_COLUMNS)
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data;
  });
}

export function tagsQuery(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: tagListKey(userId),
    queryFn: ({ signal }) => listTags(database, userId, signal),
  });
}

/** The signed-in person's tags. */
export function useTags() {
  return useQuery(tagsQuery(useDatabase(), useUserId()));
}
