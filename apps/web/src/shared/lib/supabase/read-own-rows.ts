import type { DatabaseClient } from './create-database-client.ts';

/** What a page begins after. */
interface PagedRow {
  readonly id: string;
  readonly created_at: string;
}

interface OwnRowsRead {
  readonly database: DatabaseClient;
  readonly table: 'folders' | 'categories' | 'links' | 'favorites' | 'saved_searches' | 'tags';
  /** As the table API spells it; `id` and `created_at` among them. */
  readonly columns: string;
  readonly userId: string;
  /** Only rows of which this column has this value. */
  readonly where?: { readonly column: string; readonly value: string } | undefined;
  readonly signal: AbortSignal;
  readonly pageSize?: number | undefined;
}

/** A hosted table API gives no more at once. */
const PAGE_SIZE = 1000;

/**
 * Reads the person's rows of a table, oldest first, page after page. Each page begins after the last row of the one before, so what
 * changes meanwhile neither repeats a row nor skips one.
 */
export async function* readOwnRows<Row extends PagedRow>(read: OwnRowsRead): AsyncGenerator<readonly Row[]> {
  const { pageSize = PAGE_SIZE } = read;
  let last: PagedRow | undefined;
  for (;;) {
    const page: readonly Row[] = await readPage(read, pageSize, last);
    yield page;
    last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
  }
}

async function readPage<Row extends PagedRow>(
  { database, table, columns, userId, where, signal }: OwnRowsRead,
  pageSize: number,
  after: PagedRow | undefined,
): Promise<readonly Row[]> {
  let query = database
    .from(table as 'links')
    .select(columns as 'id')
    // Others' rows that the person was invited to are not theirs: every read names them.
    .eq('user_id', userId);
  if (where !== undefined) query = query.eq(where.column as 'category_id', where.value);
  if (after !== undefined)
    query = query
      .gte('created_at', after.created_at)
      .or(`created_at.gt."${after.created_at}",id.gt.${after.id}`);
  const { data, error } = await query.order('created_at').order('id').limit(pageSize).abortSignal(signal);
  if (error) throw error;
  return data as unknown as readonly Row[];
}
