import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';

let database: ThrowawayDatabase;
let source: Library;
let viewer: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const COPY = `select copy_shared_category($1, $2) as id`;
const share = (isPublic: boolean, emails: readonly string[], id = source.categoryId) =>
  queryAs(database, source.owner, `select save_sharing($1, $2, $3)`, [id, isPublic, emails]);
const copy = async (caller: TestCaller, categoryId: string, folderId: string) =>
  (await queryAs<{ id: string }>(database, caller, COPY, [categoryId, folderId])).rows[0]?.id;
const addLinks = (count: number) =>
  queryAs(
    database,
    source.owner,
    `insert into links (url, title, description, category_id) select 'https://a.br/' || n, 'L' || n, 'D' || n, $1
     from generate_series(1, $2::int) n`,
    [source.categoryId, count],
  );

beforeEach(async () => {
  source = await createLibrary(database, { plan: 'pro', name: 'Marta' });
  viewer = await createLibrary(database, { name: 'João' });
  await queryAs(database, source.owner, `update categories set description = 'Boas leituras'`);
});

describe('a copy', () => {
  test.each(['public', 'restricted'])(
    'of a %s category is the viewer’s own, in the same order',
    async (mode) => {
      await addLinks(5);
      await share(mode === 'public', mode === 'public' ? [] : [viewer.owner.email]);
      const theirs = await snapshotLibrary(database, source.owner);
      const id = await copy(viewer.owner, source.categoryId, viewer.folderId);
      const { rows } = await queryAs(
        database,
        viewer.owner,
        `select name, description, is_public, name_users, folder_id, user_id from categories where id = $1`,
        [id],
      );
      expect(rows).toEqual([
        {
          name: 'Leituras',
          description: 'Boas leituras',
          is_public: false,
          name_users: 'João',
          folder_id: viewer.folderId,
          user_id: viewer.owner.id,
        },
      ]);
      const links = await queryAs<{ title: string }>(
        database,
        viewer.owner,
        `select title, description from links where category_id = $1 and user_id = $2 order by created_at desc, id desc`,
        [id, viewer.owner.id],
      );
      expect(links.rows.map(({ title }) => title)).toEqual(['L5', 'L4', 'L3', 'L2', 'L1', 'Exemplo']);
      expect(links.rows[0]).toMatchObject({ description: 'D5' });
      expect(await snapshotLibrary(database, source.owner)).toEqual(theirs);
      const counts = await queryAs(
        database,
        viewer.owner,
        'select link_count, category_count from library_counts',
      );
      expect(counts.rows).toEqual([{ link_count: 7, category_count: 2 }]);
    },
  );

  test('is found by the viewer’s own search, and outlives the original', async () => {
    await share(true, []);
    const id = await copy(viewer.owner, source.categoryId, viewer.folderId);
    await queryAs(database, source.owner, 'delete from categories');
    expect(
      await readOutcome(database, viewer.owner, `select from links where category_id = $1`, [id]),
    ).toEqual({ rows: 1 });
    expect(await readOutcome(database, viewer.owner, `select from search_links('exemplo')`)).toEqual({
      rows: 2,
    });
  });
});

describe('nothing is copied', () => {
  test('beyond the plan’s links or categories', async () => {
    await share(true, []);
    await addLinks(19);
    const before = await snapshotLibrary(database, viewer.owner);
    const attempt = () => readOutcome(database, viewer.owner, COPY, [source.categoryId, viewer.folderId]);
    expect(await attempt()).toEqual({ code: 'P0001', hint: 'plan_limit_links' });
    expect(await snapshotLibrary(database, viewer.owner)).toEqual(before);
    for (let n = 0; n < 4; n += 1) await createCategory(database, viewer.owner, viewer.folderId, `C${n}`);
    expect(await attempt()).toEqual({ code: 'P0001', hint: 'plan_limit_categories' });
  });

  test('into a library whose last category has just come with a copy', async () => {
    await share(true, []);
    for (let n = 0; n < 3; n += 1) await createCategory(database, viewer.owner, viewer.folderId, `C${n}`);
    await copy(viewer.owner, source.categoryId, viewer.folderId);
    const before = await snapshotLibrary(database, viewer.owner);
    expect(await readOutcome(database, viewer.owner, COPY, [source.categoryId, viewer.folderId])).toEqual({
      code: 'P0001',
      hint: 'plan_limit_categories',
    });
    expect(await snapshotLibrary(database, viewer.owner)).toEqual(before);
    const counts = await queryAs(database, viewer.owner, 'select category_count from library_counts');
    expect(counts.rows).toEqual([{ category_count: 5 }]);
  });

  test('of what the viewer may not see: private, restricted to others, withdrawn and missing answer alike', async () => {
    const attempt = (id = source.categoryId) =>
      expect(copy(viewer.owner, id, viewer.folderId)).rejects.toMatchObject({
        code: 'PT404',
        message: 'Categoria não encontrada',
        detail: undefined,
        hint: undefined,
      });
    await attempt();
    await attempt('99999999-9999-4999-8999-999999999999');
    await share(false, ['outra@a.br']);
    await attempt();
    await share(false, ['outra@a.br', viewer.owner.email]);
    await share(false, ['outra@a.br']);
    await attempt();
    expect(
      (await database.admin.query('select from categories where user_id = $1', [viewer.owner.id])).rowCount,
    ).toBe(1);
  });

  test('of a share that the free plan does not open', async () => {
    const first = await createCategory(database, source.owner, source.folderId, 'Primeira');
    await share(false, [viewer.owner.email], first);
    await share(false, [viewer.owner.email]);
    expect(await readOutcome(database, viewer.owner, COPY, [source.categoryId, viewer.folderId])).toEqual({
      code: 'P0001',
      hint: 'plan_limit_shares',
    });
    expect(await copy(viewer.owner, first, viewer.folderId)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('into a folder of somebody else or none', async () => {
    await share(true, []);
    for (const folder of [source.folderId, '99999999-9999-4999-8999-999999999999', null])
      expect(await readOutcome(database, viewer.owner, COPY, [source.categoryId, folder])).toEqual({
        code: 'PT404',
      });
  });

  test('for visitors', async () => {
    await share(true, []);
    for (const caller of ['anon', 'service_role'] as const)
      expect(await readOutcome(database, caller, COPY, [source.categoryId, viewer.folderId])).toMatchObject({
        code: '42501',
      });
  });

  test('of more than twenty thousand links', async () => {
    await share(true, []);
    const tooMany = `update category_counts set link_count = 20001 where category_id = $1`;
    await database.admin.query(tooMany, [source.categoryId]);
    const rich = await createUser(database.admin, { plan: 'pro' });
    const { rows } = await queryAs<{ id: string }>(
      database,
      rich,
      `insert into folders (name) values ('P') returning id`,
    );
    expect(await readOutcome(database, rich, COPY, [source.categoryId, rows[0]?.id])).toEqual({
      code: 'PT400',
    });
  });
});
