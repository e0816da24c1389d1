import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let mine: Library;
let guest: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  guest = await createUser(database.admin);
  await run(mine.owner, `select tag_links($1, '{b,Física}')`, [mine.linkId]);
});

const run = async (person: TestCaller, text: string, ...values: unknown[]) =>
  (await queryAs<Record<string, unknown>>(database, person, text, values)).rows;
const share = (isPublic: boolean, emails: readonly string[]) =>
  run(mine.owner, 'select save_sharing($1, $2, $3)', mine.categoryId, isPublic, emails);
const readShared = (person: TestCaller) => run(person, 'select tags from shared_links($1)', mine.categoryId);
const readNames = (person: TestCaller) => run(person, 'select names from shared_tags($1)', [mine.linkId]);

test('everybody reads the names of a public category’s tags, in either order of it, and no row of them', async () => {
  await share(true, []);
  for (const person of ['anon', guest, mine.owner] as const)
    expect(await readShared(person)).toEqual([{ tags: ['b', 'Física'] }]);
  await run(mine.owner, `select place_links($1, '{}', '{}')`, mine.categoryId);
  expect(await readShared('anon')).toEqual([{ tags: ['b', 'Física'] }]);
  expect(await run(guest, 'select from tags')).toEqual([]);
  expect(await readNames(guest)).toEqual([]);
});

test('who is invited reads them beside the links, until they are no more', async () => {
  expect([await readShared(guest), await readNames(guest)]).toEqual([[], []]);
  await share(false, [guest.email]);
  expect(await readShared(guest)).toEqual([{ tags: ['b', 'Física'] }]);
  expect(await readNames(guest)).toEqual([{ names: ['b', 'Física'] }]);
  const [arranged] = await run(guest, 'select tag_ids from arranged_links($1)', mine.categoryId);
  expect(arranged).toEqual({ tag_ids: null });
  await share(false, []);
  expect([await readShared(guest), await readNames(guest)]).toEqual([[], []]);
});

test('the owner has the tags themselves in the order of the category', async () => {
  const [row] = await run(
    mine.owner,
    `select array(select unnest(tag_ids) order by 1) as had, array(select id from tags order by id) as wanted
     from arranged_links($1)`,
    mine.categoryId,
  );
  expect(row?.['had']).toEqual(row?.['wanted']);
  expect(row?.['wanted']).toHaveLength(2);
});

test('asks for twenty thousand links at most, and not for a visitor', async () => {
  await expect(run(guest, 'select shared_tags($1)', Array(20_001).fill(mine.linkId))).rejects.toMatchObject({
    code: 'PT400',
  });
  await share(false, [guest.email]);
  expect(await run(guest, 'select * from shared_tags($1)', Array(20_000).fill(mine.linkId))).toHaveLength(1);
  await expect(run('anon', 'select shared_tags($1)', [mine.linkId])).rejects.toMatchObject({ code: '42501' });
});

test.each([
  [`select tag_links($1, '{nova}')`],
  [`select tag_links($1, '{}', '{b}')`],
  [
    `with t as (select id from tags where name = 'b') select delete_tags(array(select id from t)) from (select $1::uuid[]) as p`,
  ],
])('who looks at a shared page hears of %s', async (change) => {
  await share(true, []);
  const count = async () => (await database.admin.query('select from realtime.messages')).rows.length;
  const before = await count();
  await run(mine.owner, change, [mine.linkId]);
  await run(mine.owner, `update tags set name = 'Química' where name = 'Física'`);
  expect((await count()) - before).toBe(2);
});

test('who looks at a shared page hears of a merge, and that it was undone', async () => {
  await share(true, []);
  const heard = async (text: string, ...values: unknown[]) => {
    const count = async () => (await database.admin.query('select from realtime.messages')).rows.length;
    const before = await count();
    const [row] = await run(mine.owner, text, ...values);
    expect((await count()) - before).toBe(1);
    return row;
  };
  const merged = await heard(
    `select merge_tags(array[a.id], b.id) ->> 'change' as change from tags a, tags b where a.name = 'b' and b.name = 'Física'`,
  );
  expect(await readShared('anon')).toEqual([{ tags: ['Física'] }]);
  await heard('select undo_tag_change($1)', merged?.['change']);
  expect(await readShared('anon')).toEqual([{ tags: ['b', 'Física'] }]);
});

test('who looks at another page, where no link has the tag, hears nothing', async () => {
  const other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
  const [link] = await run(
    mine.owner,
    `insert into links (url, title, category_id) values ('https://o.br', 'O', $1) returning id`,
    other,
  );
  await share(true, []);
  await run(mine.owner, 'select save_sharing($1, true, $2)', other, []);
  const tagIn = async (linkId: unknown, name: string) =>
    (await run(mine.owner, `select tag_links($1, array[$2]) ->> 'change' as change`, [linkId], name))[0]?.[
      'change'
    ];
  const first = await tagIn(mine.linkId, 'primeira');
  await tagIn(link?.['id'], 'segunda');
  const heard = async (change: string, ...values: unknown[]) => {
    const count = async () => (await database.admin.query('select from realtime.messages')).rows.length;
    const before = await count();
    await run(mine.owner, change, ...values);
    return (await count()) - before;
  };
  expect(await heard(`update tags set name = 'Química' where name = 'Física'`)).toBe(1);
  expect(await heard('select undo_tag_change($1)', first)).toBe(1);
});
