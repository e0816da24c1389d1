import type { Database } from '@linkoteca/database-types/database';
import { BIN_PAGE_SIZE } from '@linkoteca/domain/limits';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { BinEntry } from '../model/bin-entry.ts';

type Row = Database['public']['Functions']['list_bin']['Returns'][number];

async function listBin(
  database: DatabaseClient,
  before: number | null,
  signal: AbortSignal,
): Promise<readonly BinEntry[]> {
  const { data } = await database
    .rpc('list_bin', { max: BIN_PAGE_SIZE, ...(before === null ? {} : { before }) })
    .abortSignal(signal)
    .throwOnError();
  return data.map(readRow);
}

function readRow(row: Row): BinEntry {
  const { item_type: type } = row;
  return {
    id: row.id,
    itemType: type === 'folder' || type === 'category' ? type : 'link',
    name: row.name,
    folderCount: row.folder_count,
    categoryCount: row.category_count,
    linkCount: row.link_count,
    folderName: row.folder_name,
    categoryName: row.category_name,
    deletedAt: new Date(row.deleted_at),
    purgeAfter: new Date(row.purge_after),
  };
}

/** How the bin is read, newest first: what goes by its time is not told, so it is never taken for fresh. */
export function binQuery(database: DatabaseClient, userId: string) {
  return infiniteQueryOptions({
    queryKey: ['bin', userId],
    queryFn: ({ pageParam, signal }) => listBin(database, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page: readonly BinEntry[]) =>
      page.length < BIN_PAGE_SIZE ? undefined : page.at(-1)?.id,
    staleTime: 0,
  });
}

/** What the person deleted and can restore, page after page. */
export function useBin() {
  return useInfiniteQuery(binQuery(useDatabase(), useUserId()));
}
