import { IDS_PER_CALL } from '@linkoteca/domain/limits';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
let theirs: Library;
let ids: string[];

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  [mine, theirs] = await Promise.all([createLibrary(database, { plan: 'pro' }), createLibrary(database)]);
  const { rows } = await queryAs<{ id: string }>(
    database,
    mine.owner,
    `insert into links (url, title, category_id) select 'https://a.br/' || n, 'Link ' || n, $1 from generate_series(1, 9) n returning id`,
    [mine.categoryId],
  );
  ids = rows.map(({ id }) => id);
});

async function call(caller: TestCaller, text: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await queryAs<{ answer: number }>(database, caller, `select ${text} as answer`, values);
  return rows[0]?.answer;
}

async function countIn(categoryId: string): Promise<{ there: number; counted: number }> {
  const { rows } = await database.admin.query(
    `select (select count(*)::int from links where category_id = $1) as there, link_count as counted
     from category_counts where category_id = $1`,
    [categoryId],
  );
  return rows[0];
}

async function invite(email: string): Promise<void> {
  await queryAs(database, mine.owner, `insert into shared_with (category_id, email) values ($1, $2)`, [
    mine.categoryId,
    email,
  ]);
}

describe('delete_links', () => {
  const DELETE = 'delete_links($1)';

  test('deletes the listed links in one go and says how many', async () => {
    expect(await call(mine.owner, DELETE, [ids.slice(0, 4)])).toBe(4);
    expect(await countIn(mine.categoryId)).toEqual({ there: 6, counted: 6 });
  });

  test('counts neither an id twice nor one that is not there', async () => {
    const absent = '00000000-0000-4000-8000-000000000000';
    expect(await call(mine.owner, DELETE, [[ids[0], ids[0], absent, null]])).toBe(1);
  });

  test.each([{ list: [] }, { list: null }])('$list is refused', async ({ list }) => {
    await expect(call(mine.owner, DELETE, [list])).rejects.toMatchObject({
      code: 'PT400',
      message: 'Nenhum link para excluir',
    });
  });

  test('takes as many ids as the screens send at once, and refuses more', async () => {
    const many = `delete_links(array(select gen_random_uuid() from generate_series(1, $1::int)) || $2::uuid)`;
    expect(await call(mine.owner, many, [IDS_PER_CALL - 1, ids[0]])).toBe(1);
    await expect(call(mine.owner, many, [IDS_PER_CALL, ids[1]])).rejects.toMatchObject({ code: 'PT400' });
  });

  test('leaves a stranger’s links alone, also in a mixed list', async () => {
    expect(await call(theirs.owner, DELETE, [ids])).toBe(0);
    expect(await call(theirs.owner, DELETE, [[...ids, theirs.linkId]])).toBe(1);
    expect(await countIn(mine.categoryId)).toEqual({ there: 10, counted: 10 });
  });

  test('is not for viewers, even of a shared category', async () => {
    const viewer = await createUser(database.admin);
    await invite(viewer.email);
    expect(await call(viewer, DELETE, [ids])).toBe(0);
  });

  test('is not for visitors without an account', async () => {
    expect(await readOutcome(database, 'anon', `select delete_links($1)`, [ids])).toMatchObject({
      code: '42501',
    });
  });

  test('of two racing calls each link goes once', async () => {
    const gone = await Promise.all([1, 2, 3].map(() => call(mine.owner, DELETE, [ids])));
    expect(gone.map(Number).reduce((a, b) => a + b)).toBe(9);
    expect(await countIn(mine.categoryId)).toEqual({ there: 1, counted: 1 });
  });
});

describe('move_links', () => {
  const MOVE = 'move_links($1, $2)';
  const NOT_FOUND = { code: 'PT404', message: 'Categoria não encontrada' };

  test('moves the listed links, says how many, and counts them where they are now', async () => {
    const target = await createCategory(database, mine.owner, mine.folderId, 'Destino');
    expect(await call(mine.owner, MOVE, [ids, target])).toBe(9);
    expect(await countIn(target)).toEqual({ there: 9, counted: 9 });
    expect(await countIn(mine.categoryId)).toEqual({ there: 1, counted: 1 });
  });

  test('leaves links that are there already untouched', async () => {
    const target = await createCategory(database, mine.owner, mine.folderId, 'Destino');
    await call(mine.owner, MOVE, [ids.slice(0, 3), target]);
    const read = () => database.admin.query(`select updated_at from links where id = $1`, [ids[0]]);
    const before = await read();
    expect(await call(mine.owner, MOVE, [ids, target])).toBe(6);
    expect((await read()).rows).toEqual(before.rows);
  });

  test('to a stranger’s category, a shared one, or none at all: not found, and nothing moves', async () => {
    await invite(theirs.owner.email);
    await expect(call(mine.owner, MOVE, [ids, theirs.categoryId])).rejects.toMatchObject(NOT_FOUND);
    await expect(call(theirs.owner, MOVE, [[theirs.linkId], mine.categoryId])).rejects.toMatchObject(
      NOT_FOUND,
    );
    await expect(call(mine.owner, MOVE, [ids, null])).rejects.toMatchObject(NOT_FOUND);
    expect(await countIn(mine.categoryId)).toEqual({ there: 10, counted: 10 });
    expect(await countIn(theirs.categoryId)).toEqual({ there: 1, counted: 1 });
  });

  test('leaves a stranger’s links where they are, also in a mixed list', async () => {
    const target = await createCategory(database, theirs.owner, theirs.folderId, 'Destino');
    expect(await call(theirs.owner, MOVE, [[...ids, theirs.linkId], target])).toBe(1);
    expect(await countIn(mine.categoryId)).toEqual({ there: 10, counted: 10 });
  });

  test.each([{ list: [] }, { list: null }])('$list is refused', async ({ list }) => {
    await expect(call(mine.owner, MOVE, [list, mine.categoryId])).rejects.toMatchObject({
      code: 'PT400',
      message: 'Nenhum link para mover',
    });
  });

  test('is not for visitors without an account', async () => {
    expect(
      await readOutcome(database, 'anon', `select move_links($1, $2)`, [ids, mine.categoryId]),
    ).toMatchObject({ code: '42501' });
  });

  test('while the category is being deleted: not found, and nothing is lost', async () => {
    const target = await createCategory(database, mine.owner, mine.folderId, 'Destino');
    const deleting = await database.admin.connect();
    try {
      await deleting.query('begin');
      await deleting.query('delete from categories where id = $1', [target]);
      const moving = call(mine.owner, MOVE, [ids, target]).catch((error: unknown) => error);
      await waitForLock();
      await deleting.query('commit');
      expect(await moving).toMatchObject(NOT_FOUND);
    } finally {
      deleting.release();
    }
    expect(await countIn(mine.categoryId)).toEqual({ there: 10, counted: 10 });
  });

  test('works at the limit and over it: nothing is added', async () => {
    const target = await createCategory(database, theirs.owner, theirs.folderId, 'Destino');
    await queryAs(
      database,
      theirs.owner,
      `insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, 19)`,
      [theirs.categoryId],
    );
    expect(await call(theirs.owner, MOVE, [[theirs.linkId], target])).toBe(1);
  });
});

describe('moving', () => {
  test('takes as many ids as the screens send at once, and refuses more', async () => {
    const target = await createCategory(database, mine.owner, mine.folderId, 'Destino');
    const many = `move_links(array(select gen_random_uuid() from generate_series(1, $1::int)) || $2::uuid, $3)`;
    expect(await call(mine.owner, many, [IDS_PER_CALL - 1, ids[0], target])).toBe(1);
    await expect(call(mine.owner, many, [IDS_PER_CALL, ids[1], target])).rejects.toMatchObject({
      code: 'PT400',
    });
    expect(await countIn(target)).toEqual({ there: 1, counted: 1 });
  });

  test('counts nothing that is there already', async () => {
    const target = await createCategory(database, mine.owner, mine.folderId, 'Destino');
    expect(await call(mine.owner, 'move_links($1, $2)', [ids.slice(0, 3), target])).toBe(3);
    expect(await call(mine.owner, 'move_links($1, $2)', [ids.slice(0, 4), target])).toBe(1);
  });
});

/** Until some statement of this database waits for another's lock. */
async function waitForLock(): Promise<void> {
  const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await database.admin.query(waiting)).rows[0].n === 0)
    await new Promise((done) => setTimeout(done, 5));
}
