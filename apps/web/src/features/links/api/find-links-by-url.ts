import { describeFolderOf } from '@linkoteca/domain/messages/folder-sharing-messages';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { CategoryGroup } from '../model/category-groups.ts';
import {
  findCachedPlaces,
  groupPlaces,
  joinPlaces,
  type LinkPlace,
  type LinkPlaces,
} from '../model/link-places.ts';

/** The database takes no more addresses at once. */
const URLS_PER_REQUEST = 200;

/**
 * The links that have one of these addresses: the caller's own, and those in folders that others share with them.
 * @throws the table API's error.
 */
async function findLinksByUrl(
  database: DatabaseClient,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<readonly LinkPlace[]> {
  const found: LinkPlace[] = [];
  for (let done = 0; done < urls.length; done += URLS_PER_REQUEST) {
    const { data } = await database
      .rpc('find_links_by_url', {
        urls: urls.slice(done, done + URLS_PER_REQUEST),
        in_shared_folders: true,
      })
      .abortSignal(signal)
      .throwOnError();
    for (const row of data) {
      found.push({
        linkId: row.link_id,
        url: row.url,
        title: row.title,
        categoryId: row.category_id,
        categoryName: row.category_name,
        folderName: row.is_own ? row.folder_name : describeFolderOf(row.folder_name, row.owner_name),
      });
    }
  }
  return found;
}

const NOWHERE: LinkPlaces = new Map();

/**
 * Where addresses are already: at once from what the browser holds, completed by the database.
 * @param urls complete addresses; none asks nothing.
 */
export function useLinkPlaces(urls: readonly string[], groups: readonly CategoryGroup[]): LinkPlaces {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const asked = urls.length > 0;
  const { data } = useQuery({
    queryKey: ['link-places', userId, urls],
    queryFn: ({ signal }) => findLinksByUrl(database, urls, signal),
    select: groupPlaces,
    enabled: asked,
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => (asked ? joinPlaces(findCachedPlaces(queryClient, groups, urls), data ?? NOWHERE) : NOWHERE),
    [asked, queryClient, groups, urls, data],
  );
}
