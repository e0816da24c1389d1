import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { readOwnRows } from '../../../shared/lib/supabase/read-own-rows.ts';
import type { CopiedCategory, CopiedFolder, CopiedLink } from '../model/copied-rows.ts';
import { COPIED_COLUMNS } from '../model/copied-rows.ts';

interface CopiedLists {
  readonly folders: CopiedFolder;
  readonly categories: CopiedCategory;
  readonly links: CopiedLink;
}

interface PagedRead<Table extends keyof CopiedLists> {
  readonly database: DatabaseClient;
  readonly table: Table;
  readonly userId: string;
  readonly signal: AbortSignal;
  readonly pageSize?: number;
}

/** Reads what is copied of the person's rows of a table, oldest first, page after page. */
export function readRowsInPages<Table extends keyof CopiedLists>(
  read: PagedRead<Table>,
): AsyncGenerator<readonly CopiedLists[Table][]> {
  return readOwnRows<CopiedLists[Table]>({ ...read, columns: COPIED_COLUMNS[read.table] });
}
