import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Found } from './ledger.ts';
import type { Writer } from './people.ts';

export type Queryable = {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
};
// biome-ignore lint/suspicious/noExplicitAny: rows of statements that stand beside their use.
type Row = any;

/** Everything the writers may have written, named as the ledger names it. */
export async function readEverything(
  database: Queryable,
  writers: readonly Writer[],
  storageFolder: string | undefined,
): Promise<Found> {
  await untilQuiet(database);
  const found = new Map<string, string[]>();
  const add = (key: string, state: string) => found.set(key, [...(found.get(key) ?? []), state]);
  const { rows } = await database.query(EVERYTHING, [writers.map(({ id }) => id)]);
  for (const { key, state } of rows) add(key, state);
  if (storageFolder !== undefined)
    for (const { key, state } of await readFiles(database, storageFolder)) add(key, state);
  return found;
}

/** Links of an import are named after it and their part; every other link, category and account has a name of its own. */
const EVERYTHING = `
  select 'link ' || l.title as key, l.url || ' in ' || l.category_id as state
  from public.links l where l.user_id = any($1::uuid[]) and l.title not like '%.%'
  union all
  select 'import ' || substring(l.title from '^(.*)\\.\\d+$'), count(*)::text
  from public.links l where l.user_id = any($1::uuid[]) and l.title like '%.%' group by 1
  union all
  select 'category ' || c.name, c.id::text
  from public.categories c where c.user_id = any($1::uuid[]) and c.name not in ('Artigos', 'Livros')
  union all
  select 'account ' || u.email,
    case when p.id is not null and n.user_id is not null then 'whole' else 'half' end
  from auth.users u
  left join public.profiles p on p.id = u.id left join public.library_counts n on n.user_id = u.id
  where u.email like 'nova-%'`;

/** @returns for each record the hash of the bytes that lie where it says. */
async function readFiles(database: Queryable, storageFolder: string) {
  const { rows } = await database.query(
    `select name, version, (metadata ->> 'size')::bigint as size from storage.objects where bucket_id = 'arquivos'`,
  );
  return Promise.all(
    rows.map(async ({ name, version, size }) => {
      const bytes = await readFile(join(storageFolder, 'arquivos', version)).catch(() => undefined);
      const state =
        bytes === undefined
          ? 'a record without bytes'
          : bytes.length === Number(size)
            ? createHash('sha256').update(bytes).digest('hex')
            : `${bytes.length} bytes instead of ${size}`;
      return { key: `file ${name}`, state };
    }),
  );
}

/** Whatever counters say that is not so. */
export async function findWrongCounters(database: Queryable): Promise<readonly string[]> {
  const { rows } = await database.query(WRONG_COUNTERS);
  return rows.map(({ user_id, what, held, real }) => `${what} of ${user_id} says ${held}, there are ${real}`);
}

const WRONG_COUNTERS = `
  with real as (
    select n.user_id, 'link_count' as what, n.link_count::bigint as held,
      (select count(*) from public.links l where l.user_id = n.user_id) as real from public.library_counts n
    union all
    select n.user_id, 'category_count', n.category_count,
      (select count(*) from public.categories c where c.user_id = n.user_id) from public.library_counts n
    union all
    select n.user_id, 'folder_count', n.folder_count,
      (select count(*) from public.folders f where f.user_id = n.user_id) from public.library_counts n
    union all
    select n.user_id, 'row_bytes', n.row_bytes, (
      select coalesce(sum(w.bytes), 0) from (
        select user_id, 49 + octet_length(name) + octet_length(array_to_string(shared_with, '')) as bytes from public.folders
        union all select user_id, 65 + octet_length(name) + coalesce(octet_length(description), 0)
          + coalesce(octet_length(name_users), 0) from public.categories
        union all select user_id, 64 + octet_length(url) + octet_length(title) + coalesce(octet_length(description), 0)
          from public.links
      ) as w where w.user_id = n.user_id) from public.library_counts n
    union all
    select c.user_id, 'category_counts of ' || c.id, coalesce(k.link_count, -1),
      (select count(*) from public.links l where l.category_id = c.id)
    from public.categories c left join public.category_counts k on k.category_id = c.id
  )
  select user_id, what, held, real from real where held is distinct from real`;

const QUIET_WITHIN_MS = 30_000;

/** Statements of clients that were cut off go on until Postgres notices: what they do belongs to what is found. */
async function untilQuiet(database: Queryable): Promise<void> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const { rows } = await database.query(
      `select count(*)::int as busy from pg_stat_activity
       where backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    if (rows[0].busy === 0) return;
    if (Date.now() > deadline) throw new Error('the database is still busy with what was cut off');
    await pause(50);
  }
}
