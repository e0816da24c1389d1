import type { Row, Transaction } from '../../../kernel/database.ts';
import type { StoredObject } from './objects.ts';

export const SORT_COLUMNS = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const;

export type Sorting = {
  readonly column: (typeof SORT_COLUMNS)[number];
  readonly order: 'asc' | 'desc';
};

/** A file, or the folder in which files are: a folder is nothing but the names of its files. */
export type Entry = Row &
  (
    | Pick<StoredObject, 'name' | 'id' | 'updated_at' | 'created_at' | 'last_accessed_at' | 'metadata'>
    | { name: string; id: null; updated_at: null; created_at: null; last_accessed_at: null; metadata: null }
  );

export type EntriesWish = Sorting & {
  readonly bucket: string;
  /** Whole folders: '' or something that ends with a slash. Case counts. */
  readonly folder: string;
  /** With what an entry's own name begins, in any case; every character stands for itself. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
};

/** Behind a prefix it is above every name that begins with it: the last character there is. */
export const HIGHEST = String.fromCodePoint(0x10ffff);

const FILE = 'id, updated_at, created_at, last_accessed_at, metadata';

/**
 * The CTE `walk`: one level of bucket $1 below prefix $2, before $3 and from $4 on, by name in the order of bytes. Each step looks for the next name behind the entry before, so a folder costs
 * one look into the index, however much is in it.
 */
export function renderWalk(order: 'asc' | 'desc'): string {
  const step = (bound: string) => `
    select o.name as full_name, split_part(substr(o.name, length($2) + 1), '/', 1) as entry,
      strpos(substr(o.name, length($2) + 1), '/') > 0 as is_folder, o.id, o.updated_at, o.created_at,
      o.last_accessed_at, o.metadata
    from storage.objects o
    where o.bucket_id = $1 and o.name collate "C" >= $2 and o.name collate "C" < $3
      and o.name collate "C" ${order === 'asc' ? '>=' : '<'} ${bound}
    order by o.name collate "C" ${order} limit 1`;
  // Behind a folder comes what is behind its slash ('0' is the next character); behind a file, anything longer.
  const next =
    order === 'asc'
      ? `case when w.is_folder then $2 || w.entry || '0' else w.full_name || chr(1) end`
      : `case when w.is_folder then $2 || w.entry || '/' else w.full_name end`;
  return `with recursive walk as (
    (${step('$4')})
    union all
    select n.* from walk w cross join lateral (${step(next)}) as n
  )`;
}

/**
 * To be awaited before a walk: a plan that was made while there were few files would read and sort all of them at each step, and a
 * connection keeps its plans.
 */
export async function planWalk(tx: Transaction): Promise<void> {
  await tx.query({
    name: 'storage_plan_walk',
    text: `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('enable_sort', 'off', true)`,
  });
}

const ENTRY = `case when is_folder then null else id end as id,
  case when not is_folder then updated_at end as updated_at, case when not is_folder then created_at end as created_at,
  case when not is_folder then last_accessed_at end as last_accessed_at,
  case when not is_folder then metadata end as metadata`;

/** One level of a bucket as the transaction's role sees it. By times, folders come first. */
export async function listEntries(tx: Transaction, wish: EntriesWish): Promise<readonly Entry[]> {
  const { bucket, folder, search, column, order, limit, offset } = wish;
  const text =
    column === 'name'
      ? `${renderWalk(order)} select entry as name, ${ENTRY} from walk
         where starts_with(lower(entry), lower($5)) limit $6 offset $7`
      : `with level as (
           select split_part(substr(name, length($2) + 1), '/', 1) as entry,
             strpos(substr(name, length($2) + 1), '/') > 0 as is_folder, ${FILE}
           from storage.objects
           where bucket_id = $1 and name collate "C" >= $2 and name collate "C" < $3 and $4::text is not null
         ), entries as (
           select distinct entry as name, true as is_folder, null::uuid as id, null::timestamptz as updated_at,
             null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
           from level where is_folder
           union all select entry, false, ${FILE} from level where not is_folder
         )
         select name, ${FILE} from entries where starts_with(lower(name), lower($5))
         order by is_folder desc, ${column} ${order}, name collate "C" ${order} limit $6 offset $7`;
  if (column === 'name') await planWalk(tx);
  const { rows } = await tx.query<Entry>({
    name: `storage_list_${column}_${order}`,
    text,
    values: [
      bucket,
      folder,
      folder + HIGHEST,
      order === 'asc' ? folder : folder + HIGHEST,
      search,
      limit,
      offset,
    ],
  });
  return rows;
}
