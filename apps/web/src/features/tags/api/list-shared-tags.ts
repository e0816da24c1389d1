import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/** A hosted table API gives no more rows at once. */
const LINKS_PER_REQUEST = 1_000;

/** Names, by the ids of links. */
export type SharedTags = ReadonlyMap<string, readonly string[]>;

const NONE: SharedTags = new Map();

/** The names of the tags of links that others share, by the ids of those that have some. @throws the table API's error. */
async function listSharedTags(
  database: DatabaseClient,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<SharedTags> {
  const names = new Map<string, readonly string[]>();
  for (let done = 0; done < ids.length; done += LINKS_PER_REQUEST) {
    const { data } = await database
      .rpc('shared_tags', { link_ids: ids.slice(done, done + LINKS_PER_REQUEST) })
      .abortSignal(signal)
      .throwOnError();
    for (const row of data) names.set(row.link_id, row.names);
  }
  return names;
}

/** @param readAt when the links were read, milliseconds since 1970: with them their tags are read again. */
export function useSharedTags(categoryId: string, ids: readonly string[], readAt: number): SharedTags {
  const database = useDatabase();
  const { data } = useQuery({
    queryKey: ['shared-tags', categoryId, ids.length, readAt],
    queryFn: ({ signal }) => listSharedTags(database, ids, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return data ?? NONE;
}
