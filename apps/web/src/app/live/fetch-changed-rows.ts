import { CATEGORY_COLUMNS } from '../../features/categories/api/list-categories.ts';
import { FOLDER_COLUMNS } from '../../features/folders/api/list-folders.ts';
import { LINK_COLUMNS } from '../../features/links/api/list-links.ts';
import type { ChangedRow } from '../../shared/lib/realtime/table-change.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';

const COLUMNS = { folders: FOLDER_COLUMNS, categories: CATEGORY_COLUMNS, links: LINK_COLUMNS } as const;

/** The tables whose rows tabs tell each other of. */
export type SyncedTable = keyof typeof COLUMNS;

export function isSyncedTable(table: string): table is SyncedTable {
  return table in COLUMNS;
}

/**
 * Reads rows by their ids; those that are gone by now are not among them.
 * @throws the table API's error.
 */
export async function fetchChangedRows(
  database: DatabaseClient,
  table: SyncedTable,
  ids: readonly string[],
): Promise<readonly ChangedRow[]> {
  const { data } = await database
    .from(table)
    .select<string, ChangedRow>(COLUMNS[table])
    .in('id', [...ids])
    .throwOnError();
  return data;
}
