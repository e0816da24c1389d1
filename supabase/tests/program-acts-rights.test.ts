import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from './support/act-as-program.ts';
import { nameRows } from './support/name-rows.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createSharedFolder, PEOPLE, type SharedFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shared = await createSharedFolder(database);
});

const named = (text: string) => nameRows(text, shared.ids);
const as = (caller: TestCaller, text: string) => queryAs(database, caller, named(text));
const editor = () => shared.people.editor as TestUser;
/** A program of that person's changes something; the entry that tells of it in the history of the category. */
async function act(person: TestUser, text: string, category = ':category'): Promise<string> {
  await (await createProgram(database, person)).run(named(text));
  const { rows } = await database.admin.query<{ id: string }>(
    named(`select max(id) as id from private.category_changes where category_id = ${category}`),
  );
  return rows[0]?.id ?? '';
}
const undo = (caller: TestCaller, entry: string) =>
  readOutcome(database, caller, 'select undo_program_act($1)', [entry]);
const look = (caller: TestCaller, entry: string) =>
  readOutcome(database, caller, 'select program_act($1)', [entry]);
async function answer(caller: TestCaller, entry: string) {
  const { rows } = await queryAs<{ done: object }>(database, caller, 'select undo_program_act($1) as done', [
    entry,
  ]);
  return rows[0]?.done;
}
async function titles() {
  const { rows } = await database.admin.query<{ title: string }>(
    named('select title from links where user_id = :owner order by title'),
  );
  return rows.map(({ title }) => title);
}

describe('what a program of the owner did', () => {
  test('is undone by the owner alone, and seen by nobody else', async () => {
    const entry = await act(shared.owner, `update links set title = 'Robô' where id = :link`);
    for (const name of PEOPLE) {
      const caller = shared.people[name];
      if (name === 'owner') continue;
      const refused = { code: name === 'guest' ? '42501' : 'PT404' };
      expect(await look(caller, entry), name).toEqual(refused);
      expect(await undo(caller, entry), name).toEqual(refused);
    }
    expect(await undo('service_role', entry)).toEqual({ code: '42501' });
    expect(await titles()).toEqual(['Reservado', 'Robô']);
    expect(await answer(shared.owner, entry)).toEqual({ changed: 1 });
    expect(await titles()).toEqual(['Exemplo', 'Reservado']);
  });

  test('is never undone by a program, neither that one nor another, whatever it may', async () => {
    const entry = await act(shared.owner, `update links set title = 'Robô' where id = :link`);
    for (const scopes of ['links:read', 'links:write', 'links:write share']) {
      const program = await createProgram(database, shared.owner, 'Outro', scopes);
      for (const name of ['program_act', 'undo_program_act'])
        await expect(program.run(`select ${name}($1)`, entry)).rejects.toMatchObject({ code: 'PT404' });
    }
    expect(await titles()).toEqual(['Reservado', 'Robô']);
  });

  test('an entry of a person, of the server, or of nobody has nothing to undo', async () => {
    await as(shared.owner, `update links set title = 'Eu' where id = :link`);
    const { rows } = await database.admin.query<{ id: string }>(
      'select max(id) as id from private.category_changes',
    );
    for (const entry of [rows[0]?.id ?? '', '0', '-1', '9223372036854775807'])
      expect(await undo(shared.owner, entry)).toEqual({ code: 'PT404' });
  });

  test('is undone by neither side once the folder is somebody else’s', async () => {
    const changed = await act(shared.owner, `update links set title = 'Robô' where id = :link`);
    const saved = await act(
      shared.owner,
      `insert into links (url, title, category_id) values ('https://r.br/', 'Dado', :category)`,
    );
    await database.admin.query(`update profiles set plan = 'pro' where id = $1`, [editor().id]);
    await queryAs(database, shared.owner, 'select offer_folder($1, $2)', [shared.folderId, editor().email]);
    await queryAs(database, editor(), 'select take_folder($1)', [shared.folderId]);
    const read = () =>
      database.admin.query(
        named('select id, user_id, title from links where category_id = :category order by 1'),
      );
    const { rows: before } = await read();
    expect(new Set(before.map(({ user_id: owner }) => owner))).toEqual(new Set([editor().id]));
    for (const entry of [changed, saved])
      for (const person of [shared.owner, editor()]) await undo(person, entry);
    expect((await read()).rows).toEqual(before);
  });

  test('what it was is read by nobody', async () => {
    for (const caller of [shared.owner, 'anon', 'service_role'] as const)
      for (const table of ['program_acts', 'program_act_rows'])
        expect(await readOutcome(database, caller, `select from private.${table}`)).toEqual({
          code: '42501',
        });
  });
});

describe('what a program of a member did in a shared folder', () => {
  test('is undone by whoever may write there now', async () => {
    for (const name of PEOPLE) {
      const entry = await act(editor(), `update links set title = 'Robô ${name}' where id = :link`);
      const mayWrite = ['owner', 'manager', 'editor', 'grouped'].includes(name);
      const outcome = mayWrite ? { rows: 1 } : { code: name === 'guest' ? '42501' : 'PT404' };
      expect(await look(shared.people[name], entry), name).toEqual(outcome);
      expect(await undo(shared.people[name], entry), name).toEqual(outcome);
      expect((await titles()).includes(`Robô ${name}`), name).toBe(!mayWrite);
      await answer(shared.owner, entry);
    }
  });

  test('lies in the owner’s bin, and comes back from it', async () => {
    const saved = await act(
      editor(),
      `insert into links (url, title, category_id) values ('https://r.br/', 'Robô', :category)`,
    );
    expect(await answer(editor(), saved)).toEqual({ saved: 1 });
    expect((await as(shared.owner, 'select name from list_bin()')).rows).toEqual([{ name: 'Robô' }]);
    const deleted = await act(editor(), 'delete from links where id = :link');
    expect(await answer(editor(), deleted)).toEqual({ deleted: 1 });
    expect(await titles()).toEqual(['Exemplo', 'Reservado']);
  });

  test('stays where the member may not write any more', async () => {
    const entry = await act(editor(), `update links set category_id = :second where id = :link`, ':second');
    await as(shared.owner, 'update categories set is_held_back = true where id = :category');
    expect(await answer(editor(), entry)).toEqual({ not_yours: 1 });
    expect(await answer(shared.owner, entry)).toEqual({ moved: 1 });
  });

  test.each([
    ['renamed', `update categories set name = 'Robô ' || name where id in (:category, :second)`],
    ['changed', `update links set title = 'Robô' where category_id in (:category, :second)`],
    ['deleted', 'delete from links where category_id in (:category, :second)'],
    [
      'saved',
      `insert into links (url, title, category_id) values ('https://r.br/', 'R', :category), ('https://r.br/', 'R', :second)`,
    ],
  ])('stays in the one of two categories that is held back meanwhile: %s', async (fate, text) => {
    await as(
      shared.owner,
      `insert into links (url, title, category_id) values ('https://s.br/', 'Segundo', :second)`,
    );
    const entry = await act(editor(), text, ':second');
    await as(shared.owner, 'update categories set is_held_back = true where id = :category');
    expect(await answer(editor(), entry)).toEqual({ [fate]: 1, not_yours: 1 });
  });

  test('is nothing that the member undoes once they have no place there', async () => {
    const entry = await act(editor(), `update links set title = 'Robô' where id = :link`);
    await as(shared.owner, `update folder_members set role = 'viewer' where email = '${editor().email}'`);
    expect(await undo(editor(), entry)).toEqual({ code: 'PT404' });
    await as(shared.owner, `delete from folder_members where email = '${editor().email}'`);
    expect(await undo(editor(), entry)).toEqual({ code: 'PT404' });
    expect(await titles()).toEqual(['Reservado', 'Robô']);
  });

  test('is an act in each library that it touches', async () => {
    const robot = await createProgram(database, editor());
    await as(
      editor(),
      `insert into links (url, title, category_id) values ('https://e.br/', 'Do editor', :mine)`,
    );
    await robot.run(named(`update links set title = 'Robô' where category_id in (:category, :mine)`));
    const own = await queryAs<{ id: string }>(
      database,
      editor(),
      named('select id from category_history(:mine) order by id desc limit 1'),
    );
    expect(await answer(editor(), own.rows[0]?.id ?? '')).toEqual({ changed: 1 });
    expect(await titles()).toEqual(['Reservado', 'Robô']);
  });
});

describe('the history of a shared category', () => {
  const told = async (caller: TestCaller) =>
    (await as(caller, 'select subject, person, program, undo from category_history(:category)')).rows;

  test('tells those who may write what members did since they may, and its owner everything', async () => {
    await as(shared.owner, `update links set title = 'Da dona' where id = :link`);
    await act(editor(), `update links set title = 'Do robô' where id = :link`);
    const entry = { subject: 'Do robô', program: 'Robô', undo: 'possible' };
    expect(await told(shared.people.editor)).toEqual([{ ...entry, person: null }]);
    expect(await told(shared.people.manager)).toEqual([{ ...entry, person: 'Nome de editor' }]);
    expect(await told(shared.people.owner)).toMatchObject([
      { ...entry, person: 'Nome de editor' },
      { subject: 'Da dona' },
      {},
    ]);
    for (const name of ['viewer', 'removed', 'unconfirmed', 'stranger'] as const)
      expect(await told(shared.people[name]), name).toEqual([]);
    // Who comes later does not see what was before.
    await database.admin.query(
      named(`update folder_members set created_at = now() + interval '1 minute' where folder_id = :folder`),
    );
    expect(await told(shared.people.manager)).toEqual([]);
  });
});

test('nineteen thousand links of one act come back', async () => {
  await as(
    shared.owner,
    `insert into links (url, title, category_id) select 'https://a.br/' || n, 'L', :category from generate_series(1, 19000) n`,
  );
  const moved = await act(
    shared.owner,
    'update links set category_id = :second where category_id = :category',
  );
  expect(await answer(shared.owner, moved)).toEqual({ moved: 19_001 });
  const deleted = await act(shared.owner, `delete from links where title = 'L'`);
  expect(await answer(shared.owner, deleted)).toEqual({ deleted: 19_000 });
}, 120_000);
