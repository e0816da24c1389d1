import { readFileSync } from 'node:fs';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** The statement of each migration that concerns the publication, wherever it comes from. */
const MIGRATION = [
  '20261123001100_publish_changes.sql',
  '20261123003000_create_favorites.sql',
  '20261124001000_create_folder_looks.sql',
  '20261124020000_create_manual_order.sql',
  '20261125030000_create_saved_searches.sql',
  '20261125020000_create_tags.sql',
  '20261129000000_share_folders.sql',
]
  .map((file) => readFileSync(new URL(`../migrations/${file}`, import.meta.url), 'utf8'))
  .map((text) => /^do \$\$.*?^\$\$;/ms.exec(text)?.[0] ?? '')
  .join('\n');
/** What open screens listen to. Everything else stays unsaid: who is told of it would have to be decided first. */
const PUBLISHED = [
  'categories',
  'favorites',
  'folder_looks',
  'folder_members',
  'folders',
  'links',
  'manual_order',
  'saved_searches',
  'shared_with',
  'subscribers',
  'tags',
];

let database: ThrowawayDatabase;
// There is one publication a database: each test has one of its own.
beforeEach(async () => {
  database = await createThrowawayDatabase();
});
afterEach(() => database.drop());

async function listPublished(): Promise<string[]> {
  const { rows } = await database.admin.query<{ name: string }>(
    `select case schemaname when 'public' then tablename else schemaname || '.' || tablename end as name
     from pg_publication_tables where pubname = 'supabase_realtime' order by 1`,
  );
  return rows.map(({ name }) => name);
}

describe('changes are published', () => {
  test('of the tables that screens listen to, and of no other', async () => {
    expect(await listPublished()).toEqual(PUBLISHED);
  });

  test('with every kind of change and every column', async () => {
    const { rows } = await database.admin.query(
      `select pubinsert, pubupdate, pubdelete, pubtruncate, count(prattrs)::int as "partialTables", count(prqual)::int as filtered
       from pg_publication p join pg_publication_rel r on r.prpubid = p.oid
       where pubname = 'supabase_realtime' group by 1, 2, 3, 4`,
    );
    expect(rows).toEqual([
      {
        pubinsert: true,
        pubupdate: true,
        pubdelete: true,
        pubtruncate: true,
        partialTables: 0,
        filtered: 0,
      },
    ]);
  });

  test('with the whole old row, without which a deletion could be told to nobody', async () => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and relreplident = 'f' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(PUBLISHED);
  });
});

describe('the migration', () => {
  test('takes a publication that is there and lacks some of the tables', async () => {
    await database.admin.query('create table public.elsewhere (id int primary key)');
    await database.admin.query(
      'alter publication supabase_realtime set table public.links, public.elsewhere',
    );
    await database.admin.query(MIGRATION);
    expect(await listPublished()).toEqual([...PUBLISHED, 'elsewhere'].toSorted());
  });

  test('leaves a publication of all tables as it is', async () => {
    await database.admin.query('drop publication supabase_realtime');
    await database.admin.query('create publication supabase_realtime for all tables');
    await database.admin.query(MIGRATION);
    expect(await listPublished()).toEqual(expect.arrayContaining(PUBLISHED));
  });

  test('makes the publication where there is none', async () => {
    await database.admin.query('drop publication supabase_realtime');
    await database.admin.query(MIGRATION);
    expect(await listPublished()).toEqual(PUBLISHED);
  });
});
