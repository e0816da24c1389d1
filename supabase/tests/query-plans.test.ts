import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let mine: Library;

/** One large library among many small ones: the mixture in which a planner goes wrong. */
beforeAll(async () => {
  database = await createThrowawayDatabase();
  mine = await createLibrary(database, { plan: 'pro' });
  await database.admin.query(`
    insert into auth.users (id, email) select gen_random_uuid(), 'u' || n || '@a.br' from generate_series(1, 300) n;
    insert into subscribers (user_id, plan, subscription_status) select id, 'pro', 'active' from auth.users on conflict do nothing;
    insert into folders (name, user_id) select 'P', id from auth.users;
    insert into categories (name, folder_id, user_id) select 'C' || n, id, user_id from folders, generate_series(1, 5) n;
    insert into links (url, title, category_id, user_id) select 'https://a.br/' || n, 'Link ' || n, id, user_id
      from categories, generate_series(1, 4) n`);
  await database.admin.query(
    `insert into links (url, title, category_id, user_id) select 'https://a.br/' || n, 'Link ' || n, id, user_id
     from categories, generate_series(1, 1000) n where user_id = $1`,
    [mine.owner.id],
  );
  await database.admin.query('vacuum analyze');
}, 60_000);
afterAll(() => database.drop());

/** The screens' own reads. Row-level security must not cost any of them its index. */
const READS: readonly { name: string; text: string; index: RegExp }[] = [
  {
    name: 'the newest fifty of a category',
    text: `select * from links where category_id = :category order by created_at desc limit 50`,
    index: /Index Scan Backward using links_newest_of_category/,
  },
  {
    name: 'the newest fifty of a category, with ties broken',
    text: `select * from links where category_id = :category order by created_at desc, id desc limit 50`,
    index: /Index Scan Backward using links_newest_of_category/,
  },
  {
    name: 'a page of a user',
    text: `select * from links where user_id = :user order by created_at desc limit 50 offset 100`,
    index: /Index Scan Backward using links_newest_of_user/,
  },
  { name: 'one link', text: `select * from links where id = :link`, index: /Index Scan using links_pkey/ },
  {
    name: 'the six newest categories',
    text: `select * from categories where user_id = :user order by created_at desc limit 6`,
    index: /categories_newest_of_user/,
  },
  {
    name: 'counts',
    text: `select * from category_counts where user_id = :user`,
    index: /category_counts_of_user/,
  },
];

test.each(READS)('$name', async ({ text, index }) => {
  const bound = text
    .replace(':category', `'${mine.categoryId}'`)
    .replace(':user', `'${mine.owner.id}'`)
    .replace(':link', `'${mine.linkId}'`);
  const { rows } = await queryAs<{ 'QUERY PLAN': string }>(
    database,
    mine.owner,
    `explain (analyze, costs off) ${bound}`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(index);
  expect(plan).not.toMatch(/Seq Scan on/);
  // An owner never pays for the question who was invited: that branch is not even run.
  if (/from links where (category_id|user_id)/.test(text)) {
    expect(plan).not.toMatch(/Sort/);
    expect(plan).toMatch(/InitPlan 2[\s\S]*never executed/);
  }
});
