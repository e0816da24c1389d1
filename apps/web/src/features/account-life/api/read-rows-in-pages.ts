import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
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

/** A hosted table API gives no more at once. */
const PAGE_SIZE = 1000;

/**
 * Reads the person's rows of a table, oldest first, page after page. Each page begins after the last row of the one before, so what
 * changes meanwhile neither repeats a row nor skips one.
 */
export async function* readRowsInPages<Table extends keyof CopiedLists>(
  read: PagedRead<Table>,
): AsyncGenerator<readonly CopiedLists[Table][]> {
  const { pageSize = PAGE_SIZE } = read;
  let last: { readonly id: string; readonly created_at: string } | undefined;
  for (;;) {
    const page = await readPage(read, pageSize, last);
    yield page;
    last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
  }
}

async function readPage<Table extends keyof CopiedLists>(
  { database, table, userId, signal }: PagedRead<Table>,
  pageSize: number,
  after: { readonly id: string; readonly created_at: string } | undefined,
): Promise<readonly CopiedLists[Table][]> {
  let query = database
    // Others' rows that the person was invited to are not theirs: every read names them.
    .from(table as 'links')
    .select(COPIED_COLUMNS[table] as (typeof COPIED_COLUMNS)['links'])
    .eq('user_id', userId);
  if (after !== undefined)
    query = query
      .gte('created_at', after.created_at)
      .or(`created_at.gt."${after.created_at}",id.gt.${after.id}`);
  const { data, error } = await query.order('created_at').order('id').limit(pageSize).abortSignal(signal);
  if (error) throw error;
  return data as unknown as readonly CopiedLists[Table][];
}
