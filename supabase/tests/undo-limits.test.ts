import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ageBin } from './support/bin.ts';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { type Outcome, readOutcome } from './support/read-outcome.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';
import { NOTHING, undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const UNDO = `select from undo_deletion($1, $2)`;

async function addLinks({ owner, categoryId }: Library, count: number): Promise<string[]> {
  const { rows } = await queryAs<{ id: string }>(
    database,
    owner,
    `insert into links (url, title, category_id) select 'https://a.br', 'A', $1 from generate_series(1, $2::int) returning id`,
    [categoryId, count],
  );
  return rows.map(({ id }) => id);
}

async function countLinks({ owner }: Library): Promise<number> {
  const { rows } = await database.admin.query(
    `select link_count, (select count(*)::int from links l where l.user_id = n.user_id) as there
     from library_counts n where user_id = $1`,
    [owner.id],
  );
  expect(rows[0].link_count).toBe(rows[0].there);
  return rows[0].there;
}

async function downgraded(links: number): Promise<{ library: Library; ids: string[] }> {
  const library = await createLibrary(database, { plan: 'pro' });
  const ids = await addLinks(library, links - 1);
  await setPlan(database.admin, library.owner.id, 'free');
  return { library, ids };
}

const deleteLinks = ({ owner }: Library, ids: readonly string[]) =>
  queryAs(database, owner, `select delete_links($1)`, [ids]);

const undoLinks = ({ owner }: Library, ids: readonly string[]) =>
  readOutcome(database, owner, UNDO, ['link', ids]);

describe('the plan’s limit', () => {
  const FULL = { code: 'P0001', hint: 'plan_limit_links' };

  test('at 20 of 20: delete one, add one, undo is refused; make room, and it comes back', async () => {
    const library = await createLibrary(database);
    await addLinks(library, 19);
    await deleteLinks(library, [library.linkId]);
    const [added = ''] = await addLinks(library, 1);
    expect(await undoLinks(library, [library.linkId])).toEqual(FULL);
    expect(await countLinks(library)).toBe(20);
    await deleteLinks(library, [added]);
    expect(await undoLinks(library, [library.linkId])).toEqual({ rows: 1 });
    expect(await countLinks(library)).toBe(20);
  });

  test('after a downgrade 30 of 20 come back to 30, and not to more', async () => {
    const { library, ids } = await downgraded(30);
    await deleteLinks(library, ids.slice(0, 15));
    expect(await countLinks(library)).toBe(15);
    await addLinks(library, 5);
    expect(await undoLinks(library, ids.slice(0, 15))).toEqual(FULL);
    expect(await undoLinks(library, ids.slice(0, 10))).toEqual({ rows: 1 });
    expect(await countLinks(library)).toBe(30);
    expect(await undoLinks(library, ids.slice(10, 15))).toEqual(FULL);
    expect(await countLinks(library)).toBe(30);
  });

  test('two deletions one after the other come back in either order', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { library, ids } = await downgraded(30);
      await deleteLinks(library, ids.slice(0, 1));
      await deleteLinks(library, ids.slice(1, 2));
      for (const n of order) expect(await undoLinks(library, ids.slice(n, n + 1))).toEqual({ rows: 1 });
      expect(await countLinks(library)).toBe(30);
    }
  });

  test('what may be given back is no room for something new', async () => {
    const { library, ids } = await downgraded(30);
    await deleteLinks(library, ids.slice(0, 1));
    await undoLinks(library, ids.slice(0, 1));
    const add = `insert into links (url, title, category_id) values ('https://a.br', 'A', $1)`;
    expect(await readOutcome(database, library.owner, add, [library.categoryId])).toEqual(FULL);
    const both = `with back as (select undo_deletion('link', $2)) insert into links (url, title, category_id)
      select 'https://a.br', 'A', $1 from back`;
    await deleteLinks(library, ids.slice(0, 1));
    expect(await readOutcome(database, library.owner, both, [library.categoryId, ids.slice(0, 1)])).toEqual(
      FULL,
    );
    expect(await countLinks(library)).toBe(29);
  });

  test('of categories: the same', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    for (let n = 2; n <= 8; n += 1) await createCategory(database, library.owner, library.folderId, `C${n}`);
    await setPlan(database.admin, library.owner.id, 'free');
    const all = `select from categories where user_id = '${library.owner.id}'`;
    await queryAs(database, library.owner, `delete from folders where id = $1`, [library.folderId]);
    expect(await readOutcome(database, library.owner, UNDO, ['folder', [library.folderId]])).toEqual({
      rows: 1,
    });
    expect(await readOutcome(database, library.owner, all)).toEqual({ rows: 8 });

    const full = await createLibrary(database);
    for (let n = 2; n <= 5; n += 1) await createCategory(database, full.owner, full.folderId, `C${n}`);
    await queryAs(database, full.owner, `delete from categories where id = $1`, [full.categoryId]);
    await createCategory(database, full.owner, full.folderId, 'Nova');
    expect(await readOutcome(database, full.owner, UNDO, ['category', [full.categoryId]])).toEqual({
      code: 'P0001',
      hint: 'plan_limit_categories',
    });
  });
});

describe('at the same time', () => {
  async function race(
    count: number,
    run: (callers: pg.Pool, n: number) => Promise<Outcome>,
  ): Promise<Outcome[]> {
    const callers = new pg.Pool({ ...database.authenticator, max: count });
    try {
      await Promise.all(Array.from({ length: count }, () => callers.query('select pg_sleep(0.05)')));
      return await Promise.all(Array.from({ length: count }, (_, n) => run(callers, n)));
    } finally {
      await callers.end();
    }
  }

  test('ten undos of one category: it comes back once, and nobody gets an error', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    await addLinks(library, 200);
    const before = await snapshotLibrary(database, library.owner);
    await queryAs(database, library.owner, `delete from categories where id = $1`, [library.categoryId]);
    const links: number[] = [];
    const outcomes = await race(10, async (callers) => {
      const restored = await undoDeletion({ ...database, callers }, library.owner, 'category', [
        library.categoryId,
      ]);
      links.push(restored?.links ?? -1);
      return { rows: 1 };
    });
    expect(outcomes).toHaveLength(10);
    expect(links.sort((a, b) => b - a)).toEqual([201, ...Array(9).fill(0)]);
    expect(await snapshotLibrary(database, library.owner)).toEqual(before);
  });

  test('undo, delete and add: no deadlock, and the counters are right', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    const ids = await addLinks(library, 60);
    await deleteLinks(library, ids.slice(0, 30));
    const outcomes = await race(12, (callers, n) => {
      const as = { ...database, callers };
      const slice = ids.slice(n * 5, n * 5 + 5);
      if (n < 6) return readOutcome(as, library.owner, UNDO, ['link', slice]);
      if (n < 9) return readOutcome(as, library.owner, `select delete_links($1)`, [slice]);
      const add = `insert into links (url, title, category_id) values ('https://a.br', 'A', $1)`;
      return readOutcome(as, library.owner, add, [library.categoryId]);
    });
    expect(outcomes).toEqual(Array(12).fill({ rows: 1 }));
    expect(await countLinks(library)).toBe(61 - 15 + 3);
  });

  test('undo races with the deletion of the category: all or nothing', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    const ids = await addLinks(library, 20);
    await deleteLinks(library, ids);
    const [undone, deleted] = await race(2, (callers, n) =>
      n === 0
        ? readOutcome({ ...database, callers }, library.owner, UNDO, ['link', ids])
        : readOutcome({ ...database, callers }, library.owner, `delete from categories where id = $1`, [
            library.categoryId,
          ]),
    );
    expect(deleted).toEqual({ rows: 1 });
    expect([{ rows: 1 }, { code: 'PT409', hint: 'place_gone' }]).toContainEqual(undone);
    expect(await countLinks(library)).toBe(0);
  });

  test('of two undos racing for the last place one wins', async () => {
    const library = await createLibrary(database);
    const ids = await addLinks(library, 18);
    await deleteLinks(library, ids.slice(0, 1));
    await deleteLinks(library, ids.slice(1, 2));
    await addLinks(library, 2);
    const outcomes = await race(2, (callers, n) =>
      readOutcome({ ...database, callers }, library.owner, UNDO, ['link', ids.slice(n, n + 1)]),
    );
    expect(outcomes).toContainEqual({ rows: 1 });
    expect(outcomes).toContainEqual({ code: 'P0001', hint: 'plan_limit_links' });
    expect(await countLinks(library)).toBe(20);
  });
});

describe('for thirty days', () => {
  const age = (library: Library, by: string) => ageBin(database, library.owner, by);
  const kept = async ({ owner }: Library): Promise<{ deletions: number; rows: number }> =>
    (
      await database.admin.query(
        `select count(distinct d.id)::int as deletions, count(r.*)::int as rows
         from private.deletions d left join private.deleted_rows r on r.deletion_id = d.id where d.user_id = $1`,
        [owner.id],
      )
    ).rows[0];

  test('an undo works before and not after', async () => {
    const library = await createLibrary(database);
    await deleteLinks(library, [library.linkId]);
    await age(library, '29 days 23 hours');
    expect(await undoDeletion(database, library.owner, 'link', [library.linkId])).toMatchObject({ links: 1 });
    await deleteLinks(library, [library.linkId]);
    await age(library, '30 days');
    expect(await undoDeletion(database, library.owner, 'link', [library.linkId])).toEqual(NOTHING);
  });

  test('after that, anybody’s next deletion or undo deletes it for good', async () => {
    const [one, two] = await Promise.all([createLibrary(database, { plan: 'pro' }), createLibrary(database)]);
    for (const act of [
      () => deleteLinks(two, [two.linkId]),
      () => undoDeletion(database, two.owner, 'link', [two.linkId]),
    ]) {
      const ids = await addLinks(one, 10);
      await deleteLinks(one, ids);
      await age(one, '31 days');
      expect(await kept(one)).toEqual({ deletions: 1, rows: 10 });
      await act();
      expect(await kept(one)).toEqual({ deletions: 0, rows: 0 });
    }
  });

  test('one small deletion does not pay for a large one: it takes a little of it, the server the rest', async () => {
    const [one, two] = await Promise.all([createLibrary(database, { plan: 'pro' }), createLibrary(database)]);
    await deleteLinks(one, await addLinks(one, 1000));
    await age(one, '31 days');
    await deleteLinks(two, [two.linkId]);
    expect((await kept(one)).rows).toBe(1000 - 102);
    const { rows } = await queryAs(database, 'service_role', `select private.purge_deletions() as purged`);
    expect(rows).toEqual([{ purged: 898 }]);
    expect(await kept(one)).toEqual({ deletions: 0, rows: 0 });
    expect(await kept(two)).toEqual({ deletions: 1, rows: 1 });
  });

  test('nobody but the server may purge', async () => {
    const library = await createLibrary(database);
    for (const caller of ['anon', library.owner] as const)
      expect(await readOutcome(database, caller, `select private.purge_deletions()`)).toMatchObject({
        code: '42501',
      });
  });

  test('an account that is deleted leaves nothing behind, neither what it deleted before nor what goes now', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    await deleteLinks(library, [library.linkId]);
    await addLinks(library, 3);
    const { rows } = await database.admin.query(`select id from private.deletions where user_id = $1`, [
      library.owner.id,
    ]);
    // Even as the person themselves, as a platform's own "delete my account" may do it.
    const client = await database.admin.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify({ sub: library.owner.id, role: 'authenticated' }),
      ]);
      await client.query(`delete from auth.users where id = $1`, [library.owner.id]);
      await client.query('commit');
    } finally {
      client.release();
    }
    expect(await kept(library)).toEqual({ deletions: 0, rows: 0 });
    const left = await database.admin.query(
      `select (select count(*)::int from private.deleted_rows where deletion_id = $1) as rows,
         (select count(*)::int from private.deleted_rows r where not exists
           (select from private.deletions d where d.id = r.deletion_id)) as orphans`,
      [rows[0].id],
    );
    expect(left.rows).toEqual([{ rows: 0, orphans: 0 }]);
  });

  test('an account that is deleted while its owner deletes links: both succeed', async () => {
    const library = await createLibrary(database, { plan: 'pro' });
    const ids = await addLinks(library, 50);
    const deleting = await database.callers.connect();
    try {
      await deleting.query('begin');
      await deleting.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify({ sub: library.owner.id, role: 'authenticated' })],
      );
      await deleting.query(`select public.delete_links($1)`, [ids]);
      const gone = database.admin.query(`delete from auth.users where id = $1`, [library.owner.id]);
      await new Promise((done) => setTimeout(done, 50));
      await deleting.query('commit');
      expect((await gone).rowCount).toBe(1);
    } finally {
      deleting.release();
    }
    expect(await kept(library)).toEqual({ deletions: 0, rows: 0 });
  });
});
