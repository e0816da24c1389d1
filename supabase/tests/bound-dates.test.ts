import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
});

const ODD = ['-infinity', 'infinity', '294276-12-31', '4713-01-01 BC', '1969-12-31T23:59:59Z', '2999-01-01'];
const OUTSIDE = `created_at < '1970-01-01' or created_at > now() + interval '1 day'
  or updated_at < '1970-01-01' or updated_at > now() + interval '1 day'`;
const TABLES = ['folders', 'categories', 'links', 'profiles'];
const countOutside = async () => {
  const { rows } = await database.admin.query<{ n: number }>(
    TABLES.map((table) => `select count(*)::int as n from public.${table} where ${OUTSIDE}`).join(
      ' union all ',
    ),
  );
  return rows.reduce((sum, { n }) => sum + n, 0);
};

test.each(['insert', 'update'])(
  'the table API lets nobody %s a date, but the moment that a trigger sets',
  async (right) => {
    const { rows } = await database.admin.query<{ name: string }>(
      `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and (data_type like 'timestamp%' or data_type = 'date')
       and (has_column_privilege('authenticated', format('public.%I', table_name), column_name, $1)
         or has_column_privilege('anon', format('public.%I', table_name), column_name, $1))
     order by 1`,
      [right],
    );
    const touched =
      right === 'insert'
        ? []
        : ['categories.updated_at', 'folders.updated_at', 'links.updated_at', 'profiles.updated_at'];
    expect(rows.map(({ name }) => name)).toEqual(touched);
  },
);

test.each(ODD)('a date of %s through the table API is refused, or replaced', async (moment) => {
  for (const table of TABLES) {
    expect(await readOutcome(database, mine.owner, `update ${table} set created_at = $1`, [moment])).toEqual({
      code: '42501',
    });
    expect(await readOutcome(database, mine.owner, `update ${table} set updated_at = $1`, [moment])).toEqual({
      rows: 1,
    });
  }
  expect(
    await readOutcome(
      database,
      mine.owner,
      `insert into links (url, title, category_id, created_at) values ('https://a.br', 'A', $1, $2)`,
      [mine.categoryId, moment],
    ),
  ).toEqual({ code: '42501' });
  expect(await countOutside()).toBe(0);
});

test.each(ODD)('a date of %s by the service role is brought inside', async (moment) => {
  for (const [table, columns, values] of [
    ['folders', 'name, user_id', `'F', $2`],
    ['categories', 'name, user_id, folder_id', `'C', $2, $3`],
    ['links', 'title, user_id, category_id, url', `'L', $2, $3, 'https://a.br'`],
  ] as const) {
    const parent = { folders: [], categories: [mine.folderId], links: [mine.categoryId] }[table];
    const outcome = await readOutcome(
      database,
      'service_role',
      `insert into ${table} (created_at, updated_at, ${columns}) values ($1, $1, ${values})`,
      [moment, mine.owner.id, ...parent],
    );
    expect(outcome).toEqual({ rows: 1 });
  }
  expect(await countOutside()).toBe(0);
});

describe('an import', () => {
  const importLinks = (moments: readonly string[]) =>
    queryAs(database, mine.owner, `select import_library($1, 0, $2)`, [
      randomUUID(),
      JSON.stringify({
        places: [{ n: 0, folder: 'Trabalho', category: 'Leituras' }],
        links: moments.map((created_at, n) => ({
          n,
          place: 0,
          url: `https://b.br/${n}`,
          title: 'L',
          created_at,
        })),
      }),
    ]);

  test('takes what is dated before 1970 or after today for undated, each at a moment of its own', async () => {
    await importLinks(ODD);
    expect(await countOutside()).toBe(0);
    const { rows } = await database.admin.query<{ age: number; title: string }>(
      `select distinct extract(epoch from now() - created_at)::int as age, created_at from links
       where user_id = $1 and url like 'https://b.br/%'`,
      [mine.owner.id],
    );
    expect(rows).toHaveLength(ODD.length);
    for (const { age } of rows) expect(age).toBeLessThan(60);
  });

  test('keeps the dates of files, from the first one on', async () => {
    await importLinks(['1970-01-01T00:00:00Z', '2019-05-11T12:00:00Z']);
    const { rows } = await queryAs<{ day: string }>(
      database,
      mine.owner,
      `select created_at::date::text as day from links where url like 'https://b.br/%' order by created_at`,
    );
    expect(rows.map(({ day }) => day)).toEqual(['1970-01-01', '2019-05-11']);
  });
});

test.each(ODD)('a page of a shared category before %s is a page', async (before) => {
  await queryAs(database, mine.owner, `update categories set is_public = true where id = $1`, [
    mine.categoryId,
  ]);
  const { rows } = await queryAs(database, 'anon', `select id from shared_links($1, 50, $2)`, [
    mine.categoryId,
    before,
  ]);
  expect(rows.length).toBeLessThanOrEqual(1);
});
