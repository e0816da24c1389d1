import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createFolder, createLibrary, type Library } from './support/create-library.ts';
import { nameRows } from './support/name-rows.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let library: Library;
const ids: Record<string, string> = {};

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const run = (text: string) => queryAs(database, library.owner, nameRows(text, ids));
const attempt = (text: string) => readOutcome(database, library.owner, nameRows(text, ids));

/** What strangers see of the owner's: categories that are public, and pairs of category and guest. */
const shared = async () =>
  (
    await database.admin.query<{ seen: string }>(
      `select c.name || ' pública' as seen from categories c where user_id = $1 and is_public
       union all select c.name || ' ' || s.email from shared_with s join categories c on c.id = s.category_id
       where user_id = $1 order by 1`,
      [library.owner.id],
    )
  ).rows.map(({ seen }) => seen);

/** A public, a restricted and a private category of an owner whose plan has lapsed since. */
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'plus' });
  const { owner, folderId } = library;
  ids['folder'] = folderId;
  for (const name of ['Aberta', 'Restrita', 'Fechada'])
    ids[name] = await createCategory(database, owner, folderId, name);
  await run(`select save_sharing(:Aberta, true, '{}')`);
  await run(`select save_sharing(:Restrita, false, '{ana@a.br,bia@a.br}')`);
  await setPlan(database.admin, owner.id, 'free');
});

const ALL = ['Aberta pública', 'Restrita ana@a.br', 'Restrita bia@a.br'];

describe('an owner whose plan has lapsed', () => {
  test('keeps what is shared', async () => {
    expect(await shared()).toEqual(ALL);
  });

  test.each([
    `select save_sharing(:Fechada, true, '{}')`,
    `select save_sharing(:Fechada, false, '{ana@a.br}')`,
    `select save_sharing(:Restrita, true, '{}')`,
    `select save_sharing(:Restrita, false, '{ana@a.br,caio@a.br}')`,
    `select save_sharing(:Aberta, false, '{ana@a.br}')`,
    `update categories set is_public = true where id = :Fechada`,
    `insert into shared_with (category_id, email) values (:Restrita, 'caio@a.br')`,
    `insert into categories (name, folder_id, is_public) values ('Nova', :folder, true)`,
    `insert into categories (id, name, folder_id, is_public) values (:Fechada, 'F', :folder, true)
       on conflict (id) do update set is_public = excluded.is_public`,
    `with off as (update categories set is_public = false where id = :Aberta)
       insert into shared_with (category_id, email) values (:Fechada, 'caio@a.br')`,
    `update folders set is_public = true where id = :folder`,
    `update folders set shared_with = '{caio@a.br}' where id = :folder`,
  ])('extends nothing by: %s', async (text) => {
    expect(await attempt(text)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    expect(await shared()).toEqual(ALL);
  });

  test('gives nobody a higher role in a folder, whoever asks; a lower one is always given', async () => {
    await setPlan(database.admin, library.owner.id, 'plus');
    await run(`insert into folder_members (folder_id, email, role) values (:folder, 'ana@a.br', 'editor')`);
    await setPlan(database.admin, library.owner.id, 'free');
    const give = `update folder_members set role = $1 where folder_id = $2`;
    const raise = `update folder_members set role = 'manager' where folder_id = :folder`;
    expect(await attempt(raise)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    await expect(database.admin.query(give, ['manager', library.folderId])).rejects.toMatchObject({
      hint: 'plan_sharing',
    });
    const { rowCount } = await database.admin.query(give, ['viewer', library.folderId]);
    expect(rowCount).toBe(1);
  });

  test('shows the people of a folder nothing more, and may keep more from them', async () => {
    await setPlan(database.admin, library.owner.id, 'plus');
    await run(`insert into folder_members (folder_id, email, role) values (:folder, 'ana@a.br', 'viewer')`);
    await run(`update categories set is_held_back = true where id = :Fechada`);
    await setPlan(database.admin, library.owner.id, 'free');
    const show = `update categories set is_held_back = false where id = :Fechada`;
    for (const text of [
      show,
      `insert into categories (id, name, folder_id) values (:Fechada, 'F', :folder)
         on conflict (id) do update set is_held_back = excluded.is_held_back`,
    ])
      expect(await attempt(text)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    expect(await attempt(`update categories set is_held_back = true where id = :Restrita`)).toEqual({
      rows: 1,
    });
    expect(await attempt(`update categories set name = 'Outra' where id = :Fechada`)).toEqual({ rows: 1 });
    // What comes back from the bin is as it was.
    await run(`delete from categories where id = :Fechada`);
    await undoDeletion(database, library.owner, 'category', [ids['Fechada'] ?? '']);
    expect(await attempt(show)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    await setPlan(database.admin, library.owner.id, 'plus');
    expect(await attempt(show)).toEqual({ rows: 1 });
    await run(`update categories set is_held_back = true where id = :Fechada`);
    await setPlan(database.admin, library.owner.id, 'free');
    await run(`delete from folder_members where folder_id = :folder`);
    expect(await attempt(show)).toEqual({ rows: 1 });
  });

  test('goes on using a shared folder: its people see what is added or moved there, and a move is undone', async () => {
    const { owner, folderId } = library;
    const reader = await createUser(database.admin);
    await setPlan(database.admin, owner.id, 'plus');
    await inviteToFolder(database, owner, folderId, reader.email, 'viewer');
    await run(`update categories set is_held_back = true where id in (:Aberta, :Restrita)`);
    ids['other'] = await createFolder(database, owner, 'Outra');
    await run(`update categories set folder_id = :other where id = :Fechada`);
    await setPlan(database.admin, owner.id, 'free');
    const seen = async () =>
      (
        await queryAs<{ name: string }>(database, reader, 'select name from categories order by name')
      ).rows.map(({ name }) => name);
    const move = (folder: string) =>
      attempt(`update categories set folder_id = :${folder} where id = :Fechada`);

    expect(await seen()).toEqual(['Leituras']);
    expect(await move('folder')).toEqual({ rows: 1 });
    ids['Nova'] = await createCategory(database, owner, folderId, 'Nova');
    await run(`insert into links (url, title, category_id) values ('https://n.br/', 'N', :Nova)`);
    expect(await seen()).toEqual(['Fechada', 'Leituras', 'Nova']);
    expect((await queryAs(database, reader, `select from links where title = 'N'`)).rowCount).toBe(1);
    expect(await move('other')).toEqual({ rows: 1 });
    expect(await seen()).toEqual(['Leituras', 'Nova']);
    expect(await move('folder')).toEqual({ rows: 1 });
    expect(await seen()).toEqual(['Fechada', 'Leituras', 'Nova']);
    // The mark goes with the category; the plan is asked where people see it end.
    await run(`update categories set is_held_back = true where id = :Fechada`);
    expect(await move('other')).toEqual({ rows: 1 });
    expect(await move('folder')).toEqual({ rows: 1 });
    expect(await seen()).toEqual(['Leituras', 'Nova']);
    expect(await move('other')).toEqual({ rows: 1 });
    expect(
      await attempt(`update categories set folder_id = :folder, is_held_back = false where id = :Fechada`),
    ).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    await run(`update categories set is_held_back = false where id = :Fechada`);
    expect(await move('folder')).toEqual({ rows: 1 });
    expect(await seen()).toEqual(['Fechada', 'Leituras', 'Nova']);
  });

  test('gets back what was deleted as it was, and what was reduced stays reduced', async () => {
    await run(`delete from folders where id = :folder`);
    expect(await shared()).toEqual([]);
    await undoDeletion(database, library.owner, 'folder', [library.folderId]);
    expect(await shared()).toEqual(ALL);

    await run(`select save_sharing(:Aberta, false, '{}')`);
    await run(`delete from shared_with where email = 'ana@a.br'`);
    await undoDeletion(database, library.owner, 'folder', [library.folderId]);
    await undoDeletion(database, library.owner, 'category', [ids['Aberta'] ?? '', ids['Restrita'] ?? '']);
    expect(await shared()).toEqual(['Restrita bia@a.br']);
    await run(`delete from categories where id in (:Aberta, :Restrita)`);
    await undoDeletion(database, library.owner, 'category', [ids['Aberta'] ?? '', ids['Restrita'] ?? '']);
    expect(await shared()).toEqual(['Restrita bia@a.br']);
    for (const text of [`update categories set is_public = true where id = :Aberta`])
      expect(await attempt(text)).toMatchObject({ hint: 'plan_sharing' });
  });

  test('cannot fill another category with the shares of a deleted one', async () => {
    await run(`delete from categories where id = :Restrita`);
    await run(`insert into categories (id, name, folder_id) values (:Restrita, 'Outra', :folder)`);
    await undoDeletion(database, library.owner, 'category', [ids['Restrita'] ?? '']);
    expect(await shared()).toEqual(['Aberta pública']);
  });

  test('moves and renames shared categories, which stay what they are', async () => {
    await run(`insert into folders (id, name) values (gen_random_uuid(), 'Outra')`);
    await run(`update categories set folder_id = (select id from folders where name = 'Outra')`);
    expect(await shared()).toEqual(ALL);
  });
});

describe('requests that come at once', () => {
  test('leave one whole state: public without a list, or a list, or nothing', async () => {
    await setPlan(database.admin, library.owner.id, 'pro');
    const lists = ['{ana@a.br}', '{bia@a.br,caio@a.br}', '{}'];
    const answers: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const outcomes = await Promise.all(
        [
          `select save_sharing(:Fechada, true, '{}')`,
          ...lists.map((list) => `select save_sharing(:Fechada, false, '${list}')`),
          `insert into shared_with (category_id, email) values (:Fechada, 'dora@a.br') on conflict do nothing`,
          `update categories set is_public = true where id = :Fechada`,
          `delete from shared_with where category_id = :Fechada`,
          `insert into links (url, title, category_id) values ('https://a.br', 'A', :Fechada)`,
        ].map(attempt),
      );
      answers.push(...outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'ok')));
      const state = (await shared()).filter((seen) => seen.startsWith('Fechada'));
      const possible = [...lists, '{}'].flatMap((list) => {
        const emails = list.replace(/[{}]/g, '').split(',').filter(Boolean);
        return [emails, [...emails, 'dora@a.br']].map((all) => all.map((email) => `Fechada ${email}`));
      });
      expect([...possible, ['Fechada pública']]).toContainEqual(state);
    }
    // Refused is an invitation to what is public; nothing waits in a circle, and nothing fails otherwise.
    expect(answers.filter((answer) => answer !== 'ok' && answer !== '23514')).toEqual([]);
  });

  test('saving and deleting: what is gone is not found, and nothing of it stays', async () => {
    await setPlan(database.admin, library.owner.id, 'pro');
    const outcomes = await Promise.all(
      [
        `select save_sharing(:Fechada, false, '{ana@a.br,bia@a.br}')`,
        `delete from categories where id = :Fechada`,
        `select save_sharing(:Fechada, true, '{}')`,
        `insert into shared_with (category_id, email) values (:Fechada, 'dora@a.br')`,
        `delete from folders where id = :folder`,
      ].map(attempt),
    );
    const codes = outcomes.map((outcome) => ('code' in outcome ? outcome.code : 'ok'));
    for (const code of codes) expect(['ok', 'PT404', '42501', '23503', '23514']).toContain(code);
    expect((await shared()).filter((seen) => seen.startsWith('Fechada'))).toEqual([]);
  });
});
