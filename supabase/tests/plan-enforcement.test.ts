import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { type Outcome, readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const ADD_LINKS = `insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, $2::int)`;

function addLinks({ owner, categoryId }: Library, count: number): Promise<Outcome> {
  return readOutcome(database, owner, ADD_LINKS, [categoryId, count]);
}

async function countLinks({ owner }: Library): Promise<number> {
  const { rows } = await queryAs(database, owner, `select count(*)::int as n from links`);
  return rows[0]?.['n'] as number;
}

const FULL = { code: 'P0001', hint: 'plan_limit_links' };

describe('links', () => {
  test('the twentieth of the free plan is taken, the twenty-first refused in words the screen shows', async () => {
    const library = await createLibrary(database);
    expect(await addLinks(library, 19)).toEqual({ rows: 19 });
    const refusal = await queryAs(database, library.owner, ADD_LINKS, [library.categoryId, 1]).catch(
      (error) => error,
    );
    expect(refusal).toBeInstanceOf(pg.DatabaseError);
    expect(refusal).toMatchObject({
      code: 'P0001',
      message: 'Limite de 20 links atingido',
      hint: 'plan_limit_links',
    });
    expect(JSON.parse(refusal.detail)).toEqual({ max: 20, plan: 'free' });
    expect(await countLinks(library)).toBe(20);
  });

  test('a bulk insert over the limit adds nothing at all', async () => {
    const library = await createLibrary(database);
    expect(await addLinks(library, 20)).toMatchObject(FULL);
    expect(await countLinks(library)).toBe(1);
    expect(await addLinks(library, 19)).toEqual({ rows: 19 });
  });

  test('of fifty inserts racing at 19 of 20 exactly one wins', async () => {
    const library = await createLibrary(database);
    await addLinks(library, 18);
    const outcomes = await race(50, library, ADD_LINKS, [library.categoryId, 1]);
    expect(outcomes.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => 'hint' in outcome && outcome.hint === 'plan_limit_links'),
    ).toHaveLength(49);
    expect(await countLinks(library)).toBe(20);
  });

  test('a deleted link frees its place, and only one', async () => {
    const library = await createLibrary(database);
    await addLinks(library, 19);
    expect(
      await readOutcome(database, library.owner, `delete from links where id = $1`, [library.linkId]),
    ).toEqual({ rows: 1 });
    expect(await addLinks(library, 2)).toMatchObject(FULL);
    expect(await addLinks(library, 1)).toEqual({ rows: 1 });
  });

  test('at the limit an upsert still edits, and cannot smuggle a new row in', async () => {
    const library = await createLibrary(database);
    await addLinks(library, 19);
    const upsert = `insert into links (id, url, title, category_id) select id, 'https://b.br', 'B', $2 from unnest($1::uuid[]) as id
      on conflict (id) do update set title = excluded.title`;
    const fresh = '00000000-0000-4000-8000-0000000000aa';
    expect(
      await readOutcome(database, library.owner, upsert, [[library.linkId], library.categoryId]),
    ).toEqual({ rows: 1 });
    expect(
      await readOutcome(database, library.owner, upsert, [[library.linkId, fresh], library.categoryId]),
    ).toMatchObject(FULL);
    expect(
      await readOutcome(database, library.owner, upsert.replace(/do update.*/s, 'do nothing'), [
        [library.linkId, fresh],
        library.categoryId,
      ]),
    ).toMatchObject(FULL);
    expect(await countLinks(library)).toBe(20);
  });

  test('a delete and an insert in one statement do not fool the counter', async () => {
    const library = await createLibrary(database);
    await addLinks(library, 19);
    await readOutcome(
      database,
      library.owner,
      `with gone as (delete from links where id = $1)
       insert into links (url, title, category_id) select 'https://a.br', 'A', $2 from generate_series(1, 3)`,
      [library.linkId, library.categoryId],
    );
    expect(await countLinks(library)).toBeLessThanOrEqual(20);
  });

  test('the server itself is held to the limit', async () => {
    const library = await createLibrary(database);
    const text = `insert into links (url, title, category_id, user_id) select 'https://a.br', 'A', $1, $2 from generate_series(1, 20)`;
    expect(
      await readOutcome(database, 'service_role', text, [library.categoryId, library.owner.id]),
    ).toMatchObject(FULL);
  });

  test.each([
    { plan: 'plus' as const, fits: 499, total: 500 },
    { plan: 'pro' as const, fits: 1500, total: null },
  ])('$plan', async ({ plan, fits, total }) => {
    const library = await createLibrary(database, { plan });
    expect(await addLinks(library, fits)).toEqual({ rows: fits });
    expect(await addLinks(library, 1)).toMatchObject(total === null ? { rows: 1 } : FULL);
  });
});

describe('categories', () => {
  const ADD = `insert into categories (name, folder_id) select 'C', $1 from generate_series(1, $2::int)`;
  const FULL_CATEGORIES = { code: 'P0001', hint: 'plan_limit_categories' };

  test('of fifty inserts racing at 4 of 5 exactly one wins', async () => {
    const library = await createLibrary(database);
    expect(await readOutcome(database, library.owner, ADD, [library.folderId, 3])).toEqual({ rows: 3 });
    const outcomes = await race(50, library, ADD, [library.folderId, 1]);
    expect(outcomes.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => 'hint' in outcome && outcome.hint === 'plan_limit_categories'),
    ).toHaveLength(49);
  });

  test('a bulk insert over the limit adds nothing; a deleted category frees its place', async () => {
    const library = await createLibrary(database);
    expect(await readOutcome(database, library.owner, ADD, [library.folderId, 5])).toMatchObject(
      FULL_CATEGORIES,
    );
    expect(await readOutcome(database, library.owner, ADD, [library.folderId, 4])).toEqual({ rows: 4 });
    await readOutcome(database, library.owner, `delete from categories where id = $1`, [library.categoryId]);
    expect(await readOutcome(database, library.owner, ADD, [library.folderId, 1])).toEqual({ rows: 1 });
    expect(await readOutcome(database, library.owner, ADD, [library.folderId, 1])).toMatchObject(
      FULL_CATEGORIES,
    );
  });

  test.each([
    { plan: 'free' as const, total: 5 },
    { plan: 'plus' as const, total: 20 },
  ])('$plan: one statement takes what is left and not one more', async ({ plan, total }) => {
    const library = await createLibrary(database, { plan });
    const add = (count: number) => readOutcome(database, library.owner, ADD, [library.folderId, count]);
    const count = async () =>
      (await queryAs(database, library.owner, 'select category_count from library_counts')).rows;
    expect(await add(total)).toEqual(FULL_CATEGORIES);
    expect(await count()).toEqual([{ category_count: 1 }]);
    expect(await add(total - 1)).toEqual({ rows: total - 1 });
    expect(await add(1)).toEqual(FULL_CATEGORIES);
    expect(await count()).toEqual([{ category_count: total }]);
  });

  test('the server itself is held to the limit', async () => {
    const library = await createLibrary(database);
    const text = `insert into categories (name, folder_id, user_id) select 'C', $1, $2 from generate_series(1, $3::int)`;
    const add = (count: number) =>
      readOutcome(database, 'service_role', text, [library.folderId, library.owner.id, count]);
    expect(await add(5)).toEqual(FULL_CATEGORIES);
    expect(await add(4)).toEqual({ rows: 4 });
  });

  test('folders have no limit', async () => {
    const user = await createUser(database.admin);
    const text = `insert into folders (name) select 'P' || n from generate_series(1, 40) n`;
    expect(await readOutcome(database, user, text)).toEqual({ rows: 40 });
  });
});

describe('after a downgrade', () => {
  let library: Library;
  beforeEach(async () => {
    library = await createLibrary(database, { plan: 'plus' });
    await addLinks(library, 40);
    for (let n = 2; n <= 8; n += 1) await createCategory(database, library.owner, library.folderId, `C${n}`);
    await setPlan(database.admin, library.owner.id, 'free');
  });

  test('everything over the limit is readable', async () => {
    expect(await countLinks(library)).toBe(41);
    expect(await readOutcome(database, library.owner, `select from categories`)).toEqual({ rows: 8 });
  });
  test('and editable, and found by search', async () => {
    const edit = `update links set title = 'Editado' where id = $1`;
    expect(await readOutcome(database, library.owner, edit, [library.linkId])).toEqual({ rows: 1 });
    expect(await readOutcome(database, library.owner, `select from search_links('editado')`)).toEqual({
      rows: 1,
    });
  });
  test('new items are refused', async () => {
    expect(await addLinks(library, 1)).toMatchObject(FULL);
  });
  test('and stay refused while what is left is still over the limit', async () => {
    await readOutcome(
      database,
      library.owner,
      `delete from links where id in (select id from links limit 10)`,
    );
    expect(await addLinks(library, 1)).toMatchObject(FULL);
    await readOutcome(
      database,
      library.owner,
      `delete from links where id in (select id from links limit 12)`,
    );
    expect(await countLinks(library)).toBe(19);
    expect(await addLinks(library, 1)).toEqual({ rows: 1 });
  });
});

/** Sends the same statement from that many connections at once. */
async function race(
  count: number,
  library: Library,
  text: string,
  values: readonly unknown[],
): Promise<Outcome[]> {
  const callers = new pg.Pool({ ...database.authenticator, max: count });
  try {
    await Promise.all(Array.from({ length: count }, () => callers.query('select pg_sleep(0.05)')));
    return await Promise.all(
      Array.from({ length: count }, () => readOutcome({ ...database, callers }, library.owner, text, values)),
    );
  } finally {
    await callers.end();
  }
}
