import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';

let database: ThrowawayDatabase;
let library: Library;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  library = await createLibrary(database, { plan: 'pro' });
  stranger = await createUser(database.admin);
});
afterAll(() => database.drop());

type Numbered = { readonly id: string; readonly number: string };
const number = async (who: TestUser, ids: readonly string[]) =>
  (await queryAs<Numbered>(database, who, 'select * from private.number_rows($1)', [ids])).rows;
const find = async (who: TestUser, wanted: string | undefined) =>
  (await queryAs<{ id: string | null }>(database, who, 'select private.numbered_row($1) as id', [wanted]))
    .rows[0]?.id;

test('a link gets a number once, and the number leads to it', async () => {
  const [first] = await number(library.owner, [library.linkId]);
  expect(first).toEqual({ id: library.linkId, number: expect.stringMatching(/^\d+$/) });
  expect(await number(library.owner, [library.linkId, randomUUID()])).toEqual([first]);
  expect(await find(library.owner, first?.number)).toBe(library.linkId);
});

test('a number stays through the bin and is never given again', async () => {
  const { rows } = await queryAs<{ id: string }>(
    database,
    library.owner,
    `insert into links (url, title, category_id) values ('https://b.br/', 'B', $1) returning id`,
    [library.categoryId],
  );
  const id = rows[0]?.id ?? '';
  const [before] = await number(library.owner, [id]);
  await queryAs(database, library.owner, 'delete from links where id = $1', [id]);
  await queryAs(database, library.owner, `select undo_deletion('link', array[$1]::uuid[])`, [id]);
  expect(await number(library.owner, [id])).toEqual([before]);
  await queryAs(database, library.owner, 'delete from links where id = $1', [id]);
  await database.admin.query('delete from private.deleted_rows where id = $1', [id]);
  await database.admin.query('select private.purge_short_ids()');
  expect(await find(library.owner, before?.number)).toBeNull();
  const { rows: later } = await queryAs<{ id: string }>(
    database,
    library.owner,
    `insert into links (url, title, category_id) values ('https://c.br/', 'C', $1) returning id`,
    [library.categoryId],
  );
  const [after] = await number(library.owner, [later[0]?.id ?? '']);
  expect(Number(after?.number)).toBeGreaterThan(Number(before?.number));
});

test('a stranger numbers nothing of somebody else’s, and their numbers lead nowhere', async () => {
  const [own] = await number(library.owner, [library.linkId]);
  expect(await number(stranger, [library.linkId])).toEqual([]);
  expect(await find(stranger, own?.number)).toBeNull();
  await expect(queryAs(database, stranger, 'select * from private.short_ids')).rejects.toMatchObject({
    code: '42501',
  });
});

test('more than a thousand at once are refused', async () => {
  const ids = Array.from({ length: 1_001 }, () => randomUUID());
  await expect(number(library.owner, ids)).rejects.toMatchObject({ code: 'PT400' });
});
