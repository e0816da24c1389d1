import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { snapshotLibrary } from './support/snapshot-library.ts';
import { NOTHING, undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let mine: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A folder with a second category, one of the two public and the other shared with two people, and some links. */
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  const published = await createCategory(database, mine.owner, mine.folderId, 'Aberta');
  await run(`update categories set is_public = true, description = 'Para todos' where id = $1`, [published]);
  await run(
    `insert into shared_with (category_id, email) values ($1, 'b@exemplo.com.br'), ($1, 'a@exemplo.com.br')`,
    [mine.categoryId],
  );
  await run(
    `insert into links (url, title, description, category_id) select 'https://a.br/' || n, 'Ação ' || n, 'Texto ' || n, c.id
     from categories c, generate_series(1, 5) n`,
  );
  await run(`update links set title = 'Editado' where id = $1`, [mine.linkId]);
});

function run(text: string, values: readonly unknown[] = []) {
  return queryAs(database, mine.owner, text, values);
}

describe('what was deleted comes back as it was, to the microsecond', () => {
  test('a link', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    await run(`delete from links where id = $1`, [mine.linkId]);
    expect(await snapshotLibrary(database, mine.owner)).not.toEqual(before);
    expect(await undoDeletion(database, mine.owner, 'link', [mine.linkId])).toEqual({ ...NOTHING, links: 1 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('many links at once, and a part of them first', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    const { rows } = await run(`select id from links order by id`);
    const ids = rows.map(({ id }) => String(id));
    await run(`select delete_links($1)`, [ids]);
    expect(await undoDeletion(database, mine.owner, 'link', ids.slice(0, 4))).toEqual({
      ...NOTHING,
      links: 4,
    });
    expect(await undoDeletion(database, mine.owner, 'link', ids)).toEqual({ ...NOTHING, links: 7 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('a category with its links and invitations', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    const restored = await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect(restored).toEqual({ folders: 0, categories: 1, links: 6 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    expect(before['shares']).toHaveLength(2);
  });

  test('invitations that were deleted before they had a key of their own', async () => {
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await database.admin.query(
      `update private.deleted_rows set content = content - 'id' where kind = 'share' and id = $1`,
      [mine.categoryId],
    );
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect((await snapshotLibrary(database, mine.owner))['shares']).toHaveLength(2);
  });

  test('a folder with everything in it, public categories as well', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    await run(`delete from folders where id = $1`, [mine.folderId]);
    expect(await snapshotLibrary(database, mine.owner)).toMatchObject({
      categories: [],
      links: [],
      texts: [],
    });
    const restored = await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(restored).toEqual({ folders: 1, categories: 2, links: 11 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('all folders, deleted by one statement', async () => {
    const other = (await run(`insert into folders (name) values ('Outra') returning id`)).rows[0]?.['id'];
    await createCategory(database, mine.owner, String(other), 'Também');
    const before = await snapshotLibrary(database, mine.owner);
    await run(`delete from folders where user_id = $1`, [mine.owner.id]);
    const restored = await undoDeletion(database, mine.owner, 'folder', [mine.folderId, String(other)]);
    expect(restored).toEqual({ folders: 2, categories: 3, links: 11 });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });
});

describe('only what was meant', () => {
  test('a link that was deleted before its category stays deleted', async () => {
    await run(`delete from links where id = $1`, [mine.linkId]);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toMatchObject({
      links: 5,
    });
    expect(await undoDeletion(database, mine.owner, 'link', [mine.linkId])).toMatchObject({ links: 1 });
  });

  test('an invitation that was taken back before stays taken back', async () => {
    await run(`delete from shared_with where email = 'a@exemplo.com.br'`);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    const { rows } = await run(`select email from shared_with`);
    expect(rows).toEqual([{ email: 'b@exemplo.com.br' }]);
  });

  test('a category restored from among others', async () => {
    await run(`delete from categories where user_id = $1`, [mine.owner.id]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toMatchObject({
      categories: 1,
      links: 6,
    });
    const { rows } = await run(`select id from categories`);
    expect(rows).toEqual([{ id: mine.categoryId }]);
  });

  test('twice the same: the second undo finds nothing', async () => {
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toMatchObject({
      categories: 1,
    });
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toEqual(NOTHING);
  });

  test('deleted, undone, deleted again: undone again', async () => {
    const before = await snapshotLibrary(database, mine.owner);
    for (let turn = 0; turn < 3; turn += 1) {
      await run(`delete from folders where id = $1`, [mine.folderId]);
      await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    }
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
  });

  test('a kind that does not fit, an id never seen, no ids at all: nothing', async () => {
    await run(`delete from links where id = $1`, [mine.linkId]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.linkId])).toEqual(NOTHING);
    expect(await undoDeletion(database, mine.owner, 'link', [mine.categoryId])).toEqual(NOTHING);
    expect(await undoDeletion(database, mine.owner, 'link', [])).toEqual(NOTHING);
    expect(await run(`select undo_deletion('link', null) as n`)).toMatchObject({ rows: [{ n: NOTHING }] });
  });

  test('a link written again under its id is not restored over it', async () => {
    await run(`delete from links where id = $1`, [mine.linkId]);
    const write = `insert into links (id, url, title, category_id) values ($1, 'https://novo.br', 'Novo', $2)`;
    await run(write, [mine.linkId, mine.categoryId]);
    expect(await undoDeletion(database, mine.owner, 'link', [mine.linkId])).toEqual(NOTHING);
    const { rows } = await run(`select title from links where id = $1`, [mine.linkId]);
    expect(rows).toEqual([{ title: 'Novo' }]);
  });
});

describe('what stands in the way is said, and nothing is lost', () => {
  const GONE = { code: 'PT409', message: 'A categoria ou pasta de origem não existe mais' };

  test('the category is gone; once it is back, so is the link', async () => {
    await run(`delete from links where id = $1`, [mine.linkId]);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await expect(undoDeletion(database, mine.owner, 'link', [mine.linkId])).rejects.toMatchObject(GONE);
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect(await undoDeletion(database, mine.owner, 'link', [mine.linkId])).toMatchObject({ links: 1 });
  });

  test('the folder is gone', async () => {
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await run(`delete from folders where id = $1`, [mine.folderId]);
    await expect(undoDeletion(database, mine.owner, 'category', [mine.categoryId])).rejects.toMatchObject(
      GONE,
    );
  });

  test('a link whose category went with it does not come back alone', async () => {
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await expect(undoDeletion(database, mine.owner, 'link', [mine.linkId])).rejects.toMatchObject(GONE);
  });

  test('of several, one that cannot come back holds the others back', async () => {
    const { rows } = await run(`select id from links where category_id <> $1 limit 1`, [mine.categoryId]);
    const other = String(rows[0]?.['id']);
    await run(`select delete_links($1)`, [[mine.linkId, other]]);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await expect(undoDeletion(database, mine.owner, 'link', [other, mine.linkId])).rejects.toMatchObject(
      GONE,
    );
    expect(await undoDeletion(database, mine.owner, 'link', [other])).toMatchObject({ links: 1 });
  });

  test('the folder’s name is taken; once it is free, the folder is back', async () => {
    await run(`delete from folders where id = $1`, [mine.folderId]);
    await run(`insert into folders (name) values ('Trabalho')`);
    await expect(undoDeletion(database, mine.owner, 'folder', [mine.folderId])).rejects.toMatchObject({
      code: '23505',
      constraint: 'folders_name_unique_per_user',
    });
    await run(`update folders set name = 'Outro nome'`);
    expect(await undoDeletion(database, mine.owner, 'folder', [mine.folderId])).toMatchObject({ links: 11 });
  });

  test('a kind nobody knows, and more ids than a list may hold, are refused', async () => {
    await expect(undoDeletion(database, mine.owner, 'profile', [mine.linkId])).rejects.toMatchObject({
      code: 'PT400',
    });
    const many = `select undo_deletion('link', array(select gen_random_uuid() from generate_series(1, 20001)))`;
    expect(await readOutcome(database, mine.owner, many)).toMatchObject({ code: 'PT400' });
  });
});

describe('nobody else', () => {
  test('undoes it: not a stranger, not an invited viewer, not a visitor, not the server', async () => {
    const viewer = await createUser(database.admin, {
      email: `viewer-${mine.owner.id}@exemplo.com.br`,
      plan: 'pro',
    });
    await run(`insert into shared_with (category_id, email) values ($1, $2)`, [
      mine.categoryId,
      viewer.email,
    ]);
    const stranger = await createUser(database.admin);
    await run(`delete from folders where id = $1`, [mine.folderId]);
    for (const caller of [viewer, stranger])
      for (const [kind, id] of [
        ['folder', mine.folderId],
        ['category', mine.categoryId],
        ['link', mine.linkId],
      ] as const)
        expect(await undoDeletion(database, caller, kind, [id])).toEqual(NOTHING);
    for (const caller of ['anon', 'service_role'] as const)
      expect(
        await readOutcome(database, caller, `select undo_deletion('folder', $1)`, [[mine.folderId]]),
      ).toMatchObject({ code: '42501' });
    expect(await undoDeletion(database, mine.owner, 'folder', [mine.folderId])).toMatchObject({ links: 11 });
  });

  test.each(['deletions', 'deleted_rows', 'deleted_zones', 'restorations'])(
    'reads or writes %s',
    async (table) => {
      for (const caller of [mine.owner, 'anon', 'service_role'] as const)
        for (const text of [`select from private.${table}`, `delete from private.${table}`])
          expect(await readOutcome(database, caller, text)).toMatchObject({ code: '42501' });
    },
  );

  test('calls what works inside', async () => {
    const { rows } = await database.admin.query<{ call: string }>(
      `select p.oid::regprocedure::text as call from pg_proc p
       where p.pronamespace = 'private'::regnamespace and p.proname ~ '^(restore_|find_deleted|open_deletion|keep_|take_)'`,
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const { call } of rows)
      for (const role of ['anon', 'authenticated', 'service_role', 'public'])
        expect
          .soft(
            (
              await database.admin.query(`select has_function_privilege($1, $2, 'execute') as may`, [
                role,
                call,
              ])
            ).rows,
            `${role}: ${call}`,
          )
          .toEqual([{ may: false }]);
  });

  test('holds a category back by writing a link under an id read on its public page', async () => {
    const griefer = await createLibrary(database);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    const squat = `insert into links (id, url, title, category_id) values ($1, 'https://a.br', 'Meu', $2)`;
    await queryAs(database, griefer.owner, squat, [mine.linkId, griefer.categoryId]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toMatchObject({
      links: 6,
    });
    const { rows } = await run(`select url from links where title = 'Editado' and id <> $1`, [mine.linkId]);
    expect(rows).toEqual([{ url: 'https://exemplo.com.br/' }]);
    expect(
      (await queryAs(database, griefer.owner, `select from links where id = $1`, [mine.linkId])).rowCount,
    ).toBe(1);
  });

  test('holds a category back by writing one of their own under its id', async () => {
    const griefer = await createLibrary(database);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    const squat = `insert into categories (id, name, folder_id) values ($1, 'Minha', $2)`;
    await queryAs(database, griefer.owner, squat, [mine.categoryId, griefer.folderId]);
    expect(await undoDeletion(database, mine.owner, 'category', [mine.categoryId])).toMatchObject({
      categories: 1,
      links: 6,
    });
    expect((await run(`select from categories where id = $1`, [mine.categoryId])).rowCount).toBe(0);
  });

  test('takes tags, star or place from what comes back under another id, by writing something under its id', async () => {
    const griefer = await createLibrary(database);
    await run(`select tag_links($1, '{luz}')`, [[mine.linkId]]);
    await run(`insert into favorites (link_id) values ($1)`, [mine.linkId]);
    await run(`insert into favorites (category_id) values ($1)`, [mine.categoryId]);
    await database.admin.query(
      `insert into manual_order (user_id, link_id, category_id, rank) values ($1, $2, null, '5'), ($1, null, $3, null)`,
      [mine.owner.id, mine.linkId, mine.categoryId],
    );
    const read = async () =>
      (
        await run(
          `select c.name, l.title, t.name as tag, o.rank as place
           from links l join categories c on c.id = l.category_id
           join link_tags k on k.link_id = l.id join tags t on t.id = k.tag_id
           join favorites f on f.link_id = l.id join favorites g on g.category_id = c.id
           join manual_order o on o.link_id = l.id join manual_order p on p.category_id = c.id
           where l.id <> $1`,
          [mine.linkId],
        )
      ).rows;
    const squatLink = `insert into links (id, url, title, category_id) values ($1, 'https://a.br', 'Meu', $2)`;
    const squatCategory = `insert into categories (id, name, folder_id) values ($1, 'Minha', $2)`;
    const kept = [{ name: 'Leituras', title: 'Editado', tag: 'luz', place: '5' }];
    await run(`delete from links where id = $1`, [mine.linkId]);
    await queryAs(database, griefer.owner, squatLink, [mine.linkId, griefer.categoryId]);
    await undoDeletion(database, mine.owner, 'link', [mine.linkId]);
    expect(await read()).toEqual(kept);
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    await queryAs(database, griefer.owner, squatCategory, [mine.categoryId, griefer.folderId]);
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect(await read()).toEqual(kept);
  });

  test('gets back through another’s deletion: what the platform deletes for a person is gone', async () => {
    await queryAs(database, 'service_role', `delete from links where id = $1`, [mine.linkId]);
    expect(await undoDeletion(database, mine.owner, 'link', [mine.linkId])).toEqual(NOTHING);
  });
});

describe('sharing', () => {
  test('comes back although the plan no longer includes it, and is not extended by it', async () => {
    await run(`update folders set is_public = true where id = $1`, [mine.folderId]);
    const before = await snapshotLibrary(database, mine.owner);
    await run(`delete from folders where id = $1`, [mine.folderId]);
    await setPlan(database.admin, mine.owner.id, 'free');
    expect(await undoDeletion(database, mine.owner, 'folder', [mine.folderId])).toMatchObject({
      categories: 2,
    });
    expect(await snapshotLibrary(database, mine.owner)).toEqual(before);
    const share = `insert into shared_with (category_id, email) values ($1, 'c@exemplo.com.br')`;
    expect(await readOutcome(database, mine.owner, share, [mine.categoryId])).toMatchObject({
      hint: 'plan_sharing',
    });
  });

  test('invited people read again what they read before', async () => {
    const viewer = await createUser(database.admin, { email: 'a@exemplo.com.br', plan: 'pro' });
    const read = () =>
      readOutcome(database, viewer, `select from links where category_id = $1`, [mine.categoryId]);
    expect(await read()).toEqual({ rows: 6 });
    await run(`delete from categories where id = $1`, [mine.categoryId]);
    expect(await read()).toEqual({ rows: 0 });
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect(await read()).toEqual({ rows: 6 });
  });
});
