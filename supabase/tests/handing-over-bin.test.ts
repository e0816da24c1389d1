import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createFolder } from './support/create-library.ts';
import { countLibrary, countsOf, offerToTaker, TAKE } from './support/offer-folder.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const ADD = `insert into links (url, title, category_id) values ('https://n.br/', 'N', $1) returning id`;

async function read<Row extends object>(caller: TestCaller, text: string, values: readonly unknown[] = []) {
  return (await queryAs<Row & Record<string, unknown>>(database, caller, text, values)).rows;
}
const run = (caller: TestCaller, text: string, ...values: unknown[]) =>
  queryAs(database, caller, text, values);
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const offerTo = (role: 'editor' | 'manager') => offerToTaker(database, role);
const counts = (user: TestUser) => countLibrary(database, user);

describe('whoever accepts a folder', () => {
  test('gets what of it lies in the bin, to be had back until the same day', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const second = await createCategory(database, owner, folderId, 'Segunda');
    await run(owner, ADD, second);
    await run(owner, 'delete from categories where id = $1', second);
    await run(taker, 'select delete_links($1)', [linkId]);
    const [other] = await read<{ id: string }>(
      owner,
      `insert into folders (name) values ('Outra') returning id`,
    );
    const [elsewhere] = await read<{ id: string }>(owner, ADD, [
      await createCategory(database, owner, other?.id ?? ''),
    ]);
    await run(owner, `update links set title = 'Fora' where id = $1`, elsewhere?.id);
    await run(owner, 'delete from links where id = $1', elsewhere?.id);
    await run(owner, 'delete from folders where id = $1', other?.id);
    const ends = await read(
      owner,
      `select name, purge_after from list_bin() where name not in ('Outra', 'Fora') order by name`,
    );
    expect(ends).toHaveLength(2);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select name, purge_after from list_bin() order by name')).toEqual(ends);
    expect(await read(owner, 'select name from list_bin() order by name')).toEqual([
      { name: 'Fora' },
      { name: 'Outra' },
    ]);
    await run(taker, `select undo_deletion('link', $1)`, [linkId]);
    await run(taker, `select undo_deletion('category', $1)`, [second]);
    expect(await read(taker, 'select title from links order by title')).toEqual([
      { title: 'Exemplo' },
      { title: 'N' },
    ]);
    expect(await counts(taker)).toEqual(countsOf(2, 2, 1));
    expect(await attempt(owner, ADD, categoryId)).toEqual({ rows: 1 });
  });

  test('gets also what had been deleted before its category was', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    await run(owner, 'delete from links where id = $1', linkId);
    await run(owner, 'delete from categories where id = $1', categoryId);
    await run(taker, TAKE, folderId);
    expect(await read(owner, 'select name from list_bin()')).toEqual([]);
    await run(taker, `select undo_deletion('category', $1)`, [categoryId]);
    await run(taker, `select undo_deletion('link', $1)`, [linkId]);
    expect(await read(taker, 'select id, category_id from links')).toEqual([
      { id: linkId, category_id: categoryId },
    ]);
  });

  test('is told who had added what they have back from it', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const third = await createUser(database.admin, { name: 'Bia' });
    await inviteToFolder(database, owner, folderId, third.email, 'editor');
    const [mine] = await read<{ id: string }>(taker, ADD, [categoryId]);
    const [hers] = await read<{ id: string }>(third, ADD, [categoryId]);
    const all = [linkId, mine?.id, hers?.id];
    await run(owner, 'select delete_links($1)', all);
    await run(taker, TAKE, folderId);
    await run(taker, `select undo_deletion('link', $1)`, all);
    const adders = 'select id, added_by, added_by_name from links order by added_by_name';
    expect(await read(taker, adders)).toEqual([
      { id: hers?.id, added_by: third.id, added_by_name: 'Bia' },
      { id: linkId, added_by: owner.id, added_by_name: 'Olga' },
      { id: mine?.id, added_by: null, added_by_name: null },
    ]);
  });

  test('finds what they have had back from it, where their texts are summed up zone by zone', async () => {
    const { owner, taker, folderId, linkId } = await offerTo('editor');
    for (const person of [owner, taker]) {
      const [barn] = await read<{ id: string }>(
        person,
        `insert into folders (name) values ('Palheiro') returning id`,
      );
      await database.admin.query(
        `insert into links (url, title, category_id, user_id, created_at)
         select 'https://p.br/' || n, 'Palha ' || n, $1, $2, now() + make_interval(mins => n) from generate_series(-19, 12) as n`,
        [await createCategory(database, person, barn?.id ?? ''), person.id],
      );
      await database.admin.query('select private.extend_search_zones($1)', [person.id]);
    }
    await run(owner, 'delete from links where id = $1', linkId);
    await run(taker, TAKE, folderId);
    await run(taker, `select undo_deletion('link', $1)`, [linkId]);
    expect(await read(taker, `select id from search_links('exemplo')`)).toEqual([{ id: linkId }]);
  });

  test('has the tags of what they have back from it, by their names and as far as there is room', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const [second] = await read<{ id: string }>(owner, ADD, [categoryId]);
    const [third] = await read<{ id: string }>(owner, ADD, [categoryId]);
    const [mine] = await read<{ id: string }>(
      taker,
      `insert into folders (name) values ('Minha') returning id`,
    );
    const [theirs] = await read<{ id: string }>(taker, ADD, [
      await createCategory(database, taker, mine?.id ?? ''),
    ]);
    await run(taker, `select tag_links($1, '{lída}', '{}')`, [theirs?.id]);
    await run(owner, `select tag_links($1, '{LIDA,Doce}', '{}')`, [linkId]);
    await run(owner, `select tag_links($1, '{Sal}', '{}')`, [second?.id]);
    await run(owner, `select tag_links($1, '{Viva}', '{}')`, [third?.id]);
    await run(owner, `update tags set color = 'red' where name = 'Doce'`);
    await run(owner, 'select delete_links($1)', [linkId]);
    await run(owner, 'select delete_links($1)', [second?.id]);
    await database.admin.query(
      `insert into tags (user_id, name)
       select $1, 'cheia ' || n from private.plan_limits, generate_series(1, max_links - 3) as n where plan = 'plus'`,
      [taker.id],
    );
    await run(taker, TAKE, folderId);
    await run(taker, `select undo_deletion('link', $1)`, [linkId, second?.id]);
    const tags = `select t.name, t.color, t.link_count from tags t where t.name not like 'cheia%' order by t.name`;
    expect(await read(taker, tags)).toEqual([
      { name: 'Doce', color: 'red', link_count: 1 },
      { name: 'Viva', color: null, link_count: 1 },
      { name: 'lída', color: null, link_count: 2 },
    ]);
    expect(await read(owner, 'select name from tags order by name')).toHaveLength(4);
  });

  test('has it in its place, and their own tags as they were', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const [theirs] = await read<{ id: string }>(taker, ADD, [
      await createCategory(database, taker, await createFolder(database, taker, 'Minha')),
    ]);
    await run(taker, `select tag_links($1, '{lida}', '{}')`, [theirs?.id]);
    await run(taker, `update tags set color = 'teal'`);
    await run(owner, `select tag_links($1, '{LIDA}', '{}')`, [linkId]);
    await run(owner, `update tags set color = 'red'`);
    await run(owner, `select place_links($1, $2, '{8}', true)`, categoryId, [linkId]);
    await run(owner, 'delete from links where id = $1', linkId);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select name, color from tags')).toEqual([{ name: 'lida', color: 'teal' }]);
    await run(taker, `select undo_deletion('link', $1)`, [linkId]);
    expect(await read(taker, 'select rank from manual_order where link_id = $1', [linkId])).toEqual([
      { rank: '8' },
    ]);
  });

  test('is nobody’s guest in a category that they have back from it', async () => {
    const { owner, taker, folderId } = await offerTo('editor');
    const binned = await createCategory(database, owner, folderId, 'Segunda');
    await run(owner, 'select save_sharing($1, false, $2)', binned, [taker.email, 'a@exemplo.com.br']);
    await run(owner, 'delete from categories where id = $1', binned);
    await run(taker, TAKE, folderId);
    await run(taker, `select undo_deletion('category', $1)`, [binned]);
    expect(await read(taker, 'select email from shared_with')).toEqual([{ email: 'a@exemplo.com.br' }]);
  });

  test('leaves the old owner what was deleted in the same breath and is elsewhere', async () => {
    const { owner, taker, folderId, linkId } = await offerTo('editor');
    const [other] = await read<{ id: string }>(
      owner,
      `insert into folders (name) values ('Outra') returning id`,
    );
    const [elsewhere] = await read<{ id: string }>(owner, ADD, [
      await createCategory(database, owner, other?.id ?? ''),
    ]);
    await run(owner, 'select delete_links($1)', [linkId, elsewhere?.id]);
    await run(taker, TAKE, folderId);
    for (const [who, name] of [
      [owner, 'N'],
      [taker, 'Exemplo'],
    ] as const) {
      await run(who, 'select restore_from_bin(id) from list_bin()');
      expect(await read(who, 'select title from links where user_id = $1', [who.id])).toEqual([
        { title: name },
      ]);
    }
  });

  test('keeps their own bin, however full that of others is', async () => {
    const { owner, taker, folderId, linkId } = await offerTo('editor');
    const [mine] = await read<{ id: string }>(
      taker,
      `insert into folders (name) values ('Minha') returning id`,
    );
    await run(taker, 'delete from folders where id = $1', mine?.id);
    await run(owner, 'delete from links where id = $1', linkId);
    await database.admin.query('update private.deletions set rows_until = 200000 where user_id = $1', [
      owner.id,
    ]);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select name from list_bin() order by name')).toEqual([
      { name: 'Exemplo' },
      { name: 'Minha' },
    ]);
  });
});
