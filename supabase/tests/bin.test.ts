import { BIN_DAYS } from '@linkoteca/domain/limits';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ageBin, listBin, restoreFromBin } from './support/bin.ts';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup, inviteToFolder, shareWithGroup } from './support/share-folder.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';
import { NOTHING, undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
});

function run(text: string, values: readonly unknown[] = []) {
  return queryAs(database, mine.owner, text, values);
}
const list = () => listBin(database, mine.owner);
const restore = (id: string | undefined, place: string | null = null) =>
  restoreFromBin(database, mine.owner, id, place);
const addLinks = async (count: number, categoryId = mine.categoryId): Promise<string[]> => {
  const { rows } = await run(
    `insert into links (url, title, category_id) select 'https://a.br/' || n, 'Receita ' || n, $1
     from generate_series(1, $2::int) as n returning id`,
    [categoryId, count],
  );
  return rows.map(({ id }) => String(id));
};

describe('what was deleted is listed', () => {
  test('newest first: kind, name, where it was, what went along, until when it is kept', async () => {
    await run('delete from links where id = $1', [mine.linkId]);
    const ids = await addLinks(3);
    await run('select delete_links($1)', [ids]);
    await addLinks(2);
    await run('delete from categories where id = $1', [mine.categoryId]);
    await run('delete from folders where id = $1', [mine.folderId]);
    const entries = await list();
    expect(entries.map(({ id: _id, deleted_at: _at, purge_after: _until, ...entry }) => entry)).toEqual([
      line('folder', 'Trabalho', [1, 0, 0], null, null),
      line('category', 'Leituras', [0, 1, 2], 'Trabalho', null),
      line('link', expect.stringMatching(/^Receita \d$/), [0, 0, 3], 'Trabalho', 'Leituras'),
      line('link', 'Exemplo', [0, 0, 1], 'Trabalho', 'Leituras'),
    ]);
    for (const { deleted_at, purge_after } of entries)
      expect(Number(purge_after) - Number(deleted_at)).toBe(BIN_DAYS * 86_400_000);
  });

  test('page after page, and no more than a hundred at once', async () => {
    for (const id of await addLinks(5)) await run('delete from links where id = $1', [id]);
    const all = (await list()).map(({ id }) => id);
    const first = await listBin(database, mine.owner, null, 2);
    expect(first.map(({ id }) => id)).toEqual(all.slice(0, 2));
    const rest = await listBin(database, mine.owner, first[1]?.id, 10);
    expect(rest.map(({ id }) => id)).toEqual(all.slice(2));
    expect(await listBin(database, mine.owner, null, -1)).toEqual([]);
    await database.admin.query(
      `with gone as (
         insert into private.deletions (user_id, transaction_id, deleted_at, link_count, category_count, zones_until)
         select $1, n::text::xid8, now(), 0, 0, '-infinity' from generate_series(1, 120) as n returning id
       )
       insert into private.deleted_rows (deletion_id, kind, id, content)
       select id, 'link', gen_random_uuid(), '{"title": "Muitos"}' from gone`,
      [mine.owner.id],
    );
    expect(await listBin(database, mine.owner, null, 1000)).toHaveLength(100);
  });

  test('what came back is not listed, nor what the platform deleted', async () => {
    await run('delete from links where id = $1', [mine.linkId]);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    await queryAs(database, 'service_role', 'delete from links where id = $1', [mine.linkId]);
    expect(await list()).toEqual([]);
  });
});

const line = (
  item_type: string,
  name: unknown,
  [folder_count, category_count, link_count]: readonly [number, number, number],
  folder_name: string | null,
  category_name: string | null,
) => ({ item_type, name, folder_count, category_count, link_count, folder_name, category_name });

describe('restoring', () => {
  test('brings a folder back with categories, links, order and sharing, to the microsecond', async () => {
    const open = await createCategory(database, mine.owner, mine.folderId, 'Aberta');
    await run('update categories set is_public = true where id = $1', [open]);
    await run(
      `insert into shared_with (category_id, email) values ($1, 'b@exemplo.com'), ($1, 'a@exemplo.com')`,
      [mine.categoryId],
    );
    await addLinks(4);
    await addLinks(3, open);
    const before = await snapshotLibrary(database, mine.owner);
    await run('delete from folders where id = $1', [mine.folderId]);
    await ageBin(database, mine.owner, '29 days 23 hours');
    const [entry] = await list();
    expect(await restore(entry?.id)).toMatchObject({ folders: 1, categories: 2, links: 8 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    expect(await list()).toEqual([]);
  });

  test('says which category to open', async () => {
    await run('delete from links where id = $1', [mine.linkId]);
    expect(await restore((await list())[0]?.id)).toEqual({
      ...NOTHING,
      links: 1,
      category_id: mine.categoryId,
    });
    await run('delete from categories where id = $1', [mine.categoryId]);
    expect(await restore((await list())[0]?.id)).toMatchObject({ category_id: mine.categoryId });
    await run('delete from folders where id = $1', [mine.folderId]);
    expect(await restore((await list())[0]?.id)).toMatchObject({ category_id: mine.categoryId });
  });

  test('brings back only what is left of a deletion, and once', async () => {
    const ids = await addLinks(3);
    await run('select delete_links($1)', [ids]);
    await undoDeletion(database, mine.owner, 'link', ids.slice(0, 1));
    const [entry] = await list();
    expect(entry?.link_count).toBe(2);
    expect(await restore(entry?.id)).toMatchObject({ links: 2 });
    await expect(restore(entry?.id)).rejects.toMatchObject({
      code: 'PT404',
      message: 'Este item não está mais na Lixeira',
    });
  });

  test('fills columns that came after the deletion as a new row has them', async () => {
    await run('delete from folders where id = $1', [mine.folderId]);
    await database.admin.query(
      `update private.deleted_rows set content = content - 'is_public' - 'shared_with' - 'updated_at'
       where id in ($1, $2, $3)`,
      [mine.folderId, mine.categoryId, mine.linkId],
    );
    expect(await restore((await list())[0]?.id)).toMatchObject({ folders: 1, categories: 1, links: 1 });
    const { rows } = await run('select is_public, shared_with, updated_at is not null as dated from folders');
    expect(rows).toEqual([{ is_public: false, shared_with: [], dated: true }]);
  });
});

describe('what stands in the way is said, and nothing is lost', () => {
  const GONE = {
    code: 'PT409',
    message: 'A categoria ou pasta de origem não existe mais',
    hint: 'place_gone',
  };

  test('links whose category is gone come back in another one of the person’s', async () => {
    const ids = await addLinks(2);
    await run('select delete_links($1)', [ids]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const [, links] = await list();
    await expect(restore(links?.id)).rejects.toMatchObject(GONE);
    const other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
    expect(await restore(links?.id, other)).toEqual({ ...NOTHING, links: 2, category_id: other });
    expect((await run('select from links where category_id = $1', [other])).rowCount).toBe(2);
  });

  test('categories whose folder is gone come back in another one, with their links', async () => {
    await run('delete from categories where id = $1', [mine.categoryId]);
    await run('delete from folders where id = $1', [mine.folderId]);
    const [, category] = await list();
    await expect(restore(category?.id)).rejects.toMatchObject(GONE);
    const { rows } = await run(`insert into folders (name) values ('Outra') returning id`);
    expect(await restore(category?.id, String(rows[0]?.['id']))).toMatchObject({ categories: 1, links: 1 });
    expect((await run('select folder_id from categories')).rows).toEqual([{ folder_id: rows[0]?.['id'] }]);
  });

  test('a place that is given counts for nothing where the old one is still there', async () => {
    await run('delete from links where id = $1', [mine.linkId]);
    const other = await createCategory(database, mine.owner, mine.folderId, 'Outra');
    expect(await restore((await list())[0]?.id, other)).toMatchObject({ category_id: mine.categoryId });
    expect((await run('select from links where category_id = $1', [mine.categoryId])).rowCount).toBe(1);
  });

  test('somebody else’s category is no place', async () => {
    const stranger = await createLibrary(database, { plan: 'pro' });
    await run('delete from links where id = $1', [mine.linkId]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const [, link] = await list();
    await expect(restore(link?.id, stranger.categoryId)).rejects.toMatchObject(GONE);
    expect((await list()).map(({ id }) => id)).toContain(link?.id);
  });

  test('a place of somebody in whose folder the person may write is none either', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await inviteToFolder(database, other.owner, other.folderId, mine.owner.email, 'editor');
    const { rows } = await run(`insert into folders (name) values ('Isca') returning id`);
    const bait = await createCategory(database, mine.owner, String(rows[0]?.['id']), 'Isca');
    await run('update categories set is_public = true where id = $1', [bait]);
    await run('delete from categories where id = $1', [bait]);
    await run(`delete from folders where name = 'Isca'`);
    await run('delete from links where id = $1', [mine.linkId]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const [, link, , category] = await list();
    await expect(restore(link?.id, other.categoryId)).rejects.toMatchObject(GONE);
    await expect(restore(category?.id, other.folderId)).rejects.toMatchObject(GONE);
    const theirs = 'select is_public from categories where user_id = $1';
    expect((await database.admin.query(theirs, [other.owner.id])).rows).toEqual([{ is_public: false }]);
    expect((await list()).map(({ id }) => id)).toEqual(expect.arrayContaining([link?.id, category?.id]));
  });

  test('nor one that the person has made there under the id of what is gone', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await inviteToFolder(database, other.owner, other.folderId, mine.owner.email, 'editor');
    await run('delete from links where id = $1', [mine.linkId]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const [, link] = await list();
    const again = `insert into categories (id, name, folder_id) values ($1, 'Isca', $2)`;
    await run(again, [mine.categoryId, other.folderId]);
    await expect(restore(link?.id)).rejects.toMatchObject(GONE);
    await expect(undoDeletion(database, mine.owner, 'link', [mine.linkId])).rejects.toMatchObject(GONE);
    const there = 'select title from links where category_id = $1';
    expect((await database.admin.query(there, [mine.categoryId])).rows).toEqual([]);
    expect(await restore(link?.id, await createCategory(database, mine.owner, mine.folderId))).toMatchObject({
      links: 1,
    });
  });

  test('a full plan refuses until there is room; weeks later it still gives back what was there', async () => {
    const full = { code: 'P0001', hint: 'plan_limit_links' };
    const ids = await addLinks(24);
    await setPlan(database.admin, mine.owner.id, 'free');
    await run('select delete_links($1)', [ids]);
    await ageBin(database, mine.owner, '20 days');
    const added = await addLinks(5);
    const [entry] = await list();
    await expect(restore(entry?.id)).rejects.toMatchObject(full);
    expect(await list()).toHaveLength(1);
    await run('select delete_links($1)', [added]);
    expect(await restore(entry?.id)).toMatchObject({ links: 24 });
    const add = `insert into links (url, title, category_id) values ('https://a.br', 'A', $1)`;
    expect(await readOutcome(database, mine.owner, add, [mine.categoryId])).toEqual(full);
  });

  test('a folder of the same name', async () => {
    await run('delete from folders where id = $1', [mine.folderId]);
    await run(`insert into folders (name) values ('Trabalho')`);
    const [entry] = await list();
    await expect(restore(entry?.id)).rejects.toMatchObject({ constraint: 'folders_name_unique_per_user' });
    await run(`update folders set name = 'Outra'`);
    expect(await restore(entry?.id)).toMatchObject({ folders: 1 });
  });

  test('a stranger who took the id of a public category does not hold it back', async () => {
    const griefer = await createLibrary(database);
    await run(`insert into shared_with (category_id, email) values ($1, 'a@exemplo.com')`, [mine.categoryId]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const squat = `insert into categories (id, name, folder_id) values ($1, 'Minha', $2)`;
    await queryAs(database, griefer.owner, squat, [mine.categoryId, griefer.folderId]);
    const restored = await restore((await list())[0]?.id);
    const { rows } = await run(
      `select c.id as category_id, l.title, s.email
       from categories c join links l on l.category_id = c.id join shared_with s on s.category_id = c.id`,
    );
    expect(rows).toEqual([{ category_id: expect.anything(), title: 'Exemplo', email: 'a@exemplo.com' }]);
    expect(restored).toEqual({ folders: 0, categories: 1, links: 1, category_id: rows[0]?.['category_id'] });
    expect(rows[0]?.['category_id']).not.toBe(mine.categoryId);
  });

  test('a stranger who took the id of a public folder does not hold it back', async () => {
    const griefer = await createLibrary(database);
    const group = await createGroup(database, mine.owner, 'Turma 9B', ['b@exemplo.com']);
    await inviteToFolder(database, mine.owner, mine.folderId, 'a@exemplo.com', 'editor');
    await shareWithGroup(database, mine.owner, mine.folderId, group, 'viewer');
    await run(`insert into folder_looks (folder_id, color) values ($1, 'red')`, [mine.folderId]);
    const counts = { folders: 1, categories: 1, links: 1 };
    let taken = mine.folderId;
    for (const giveBack of [
      async () => restore((await list())[0]?.id),
      () => undoDeletion(database, mine.owner, 'folder', [taken]),
    ]) {
      await run('delete from folders where id = $1', [taken]);
      const squat = `insert into folders (id, name) values ($1, 'Minha ' || gen_random_uuid())`;
      await queryAs(database, griefer.owner, squat, [taken]);
      expect(await giveBack()).toMatchObject(counts);
      const { rows } = await run(
        `select f.id, f.name, k.color, l.title, (select array_agg(m.email || ' ' || m.role order by m.email) from folder_members m) as members
         from folders f join folder_looks k on k.folder_id = f.id
         join categories c on c.folder_id = f.id join links l on l.category_id = c.id`,
      );
      expect(rows).toEqual([
        {
          id: expect.anything(),
          name: 'Trabalho',
          color: 'red',
          title: 'Exemplo',
          members: ['a@exemplo.com editor', 'b@exemplo.com viewer'],
        },
      ]);
      expect(rows[0]?.['id']).not.toBe(taken);
      taken = String(rows[0]?.['id']);
    }
  });

  test('a stranger who took the id of a category does not hold back links that were deleted before it', async () => {
    const griefer = await createLibrary(database);
    const place = await createCategory(database, mine.owner, mine.folderId, 'Outra');
    await addLinks(1);
    await run('delete from links where id = $1', [mine.linkId]);
    await run('delete from links');
    await run('delete from categories where id = $1', [mine.categoryId]);
    const squat = `insert into categories (id, name, folder_id) values ($1, 'Minha', $2)`;
    await queryAs(database, griefer.owner, squat, [mine.categoryId, griefer.folderId]);
    for (const { id } of (await list()).filter(({ item_type: kind }) => kind === 'link'))
      expect(await restore(id, place)).toMatchObject({ links: 1, category_id: place });
    const { rows } = await run('select title, category_id from links order by title');
    expect(rows).toEqual(['Exemplo', 'Receita 1'].map((title) => ({ title, category_id: place })));
  });
});

describe('for good', () => {
  test('goes one deletion, and the others stay', async () => {
    const [first = '', second = ''] = await addLinks(2);
    await run('delete from links where id = $1', [first]);
    await run('delete from links where id = $1', [second]);
    const [newest, oldest] = await list();
    expect((await run('select delete_from_bin($1) as gone', [newest?.id])).rows).toEqual([{ gone: true }]);
    expect((await list()).map(({ id }) => id)).toEqual([oldest?.id]);
    expect(await undoDeletion(database, mine.owner, 'link', [second])).toEqual(NOTHING);
    const { rows } = await database.admin.query('select id from private.deleted_rows where id = any ($1)', [
      [first, second],
    ]);
    expect(rows).toEqual([{ id: first }]);
    expect((await run('select delete_from_bin($1) as gone', [newest?.id])).rows).toEqual([{ gone: false }]);
  });

  test('goes everything, of this person alone', async () => {
    const other = await createLibrary(database);
    await queryAs(database, other.owner, 'delete from links');
    await run('delete from links');
    await run('delete from folders where user_id = $1', [mine.owner.id]);
    expect((await run('select empty_bin() as gone')).rows).toEqual([{ gone: 2 }]);
    expect(await list()).toEqual([]);
    const { rows } = await database.admin.query(
      `select (select count(*)::int from private.deletions where user_id = $1) as mine,
         (select count(*)::int from private.deletions where user_id = $2) as theirs`,
      [mine.owner.id, other.owner.id],
    );
    expect(rows).toEqual([{ mine: 0, theirs: 1 }]);
    expect(await listBin(database, other.owner)).toHaveLength(1);
  });
});

test('row by row, for the copy: everything as it was, page after page', async () => {
  await run(`insert into shared_with (category_id, email) values ($1, 'a@exemplo.com')`, [mine.categoryId]);
  const ids = await addLinks(4);
  await run('select delete_links($1)', [ids]);
  const { rows: categories } = await queryAs<{ content: object }>(
    database,
    mine.owner,
    'select to_jsonb(c) as content from categories c',
  );
  await run('delete from folders where id = $1', [mine.folderId]);
  const all = await run('select * from list_bin_rows()');
  expect(all.rows.map(({ kind }) => kind)).toEqual([
    'link',
    'link',
    'link',
    'link',
    'category',
    'folder',
    'link',
  ]);
  expect(all.rows[4]?.['content']).toEqual({
    ...categories[0]?.['content'],
    manual_order: null,
    shared_with: [{ email: 'a@exemplo.com', created_at: expect.any(String) }],
  });
  const paged = [];
  let last: Record<string, unknown> = { deletion_id: 0, kind: '', id: null };
  for (let page = 0; page < 4; page += 1) {
    const { rows } = await run('select * from list_bin_rows($1, $2, $3, 2)', [
      last['deletion_id'],
      last['kind'],
      last['id'],
    ]);
    paged.push(...rows);
    last = rows.at(-1) ?? last;
  }
  expect(paged).toEqual(all.rows);
});

describe('nobody else', () => {
  test('lists, restores, deletes or empties: not a stranger, not an invited viewer', async () => {
    const viewer = await createUser(database.admin, { email: `v-${mine.owner.id}@exemplo.com`, plan: 'pro' });
    await run('insert into shared_with (category_id, email) values ($1, $2)', [
      mine.categoryId,
      viewer.email,
    ]);
    await run('delete from categories where id = $1', [mine.categoryId]);
    const [entry] = await list();
    for (const caller of [viewer, await createUser(database.admin)]) {
      expect(await listBin(database, caller)).toEqual([]);
      expect(await readOutcome(database, caller, 'select from list_bin_rows()')).toEqual({ rows: 0 });
      await expect(restoreFromBin(database, caller, entry?.id)).rejects.toMatchObject({ code: 'PT404' });
      const { rows } = await queryAs(
        database,
        caller,
        'select delete_from_bin($1) as gone, empty_bin() as emptied',
        [entry?.id],
      );
      expect(rows).toEqual([{ gone: false, emptied: 0 }]);
    }
    expect(await restore(entry?.id)).toMatchObject({ categories: 1 });
  });

  test.each(['list_bin()', 'list_bin_rows()', 'restore_from_bin(1)', 'delete_from_bin(1)', 'empty_bin()'])(
    'calls %s without being a signed-in person',
    async (call) => {
      for (const caller of ['anon', 'service_role'] as const)
        expect(await readOutcome(database, caller, `select ${call}`)).toMatchObject({ code: '42501' });
    },
  );
});
