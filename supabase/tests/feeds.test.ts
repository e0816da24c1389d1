import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { eventually } from '@linkoteca/test-kit/eventually';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createProgram } from './support/act-as-program.ts';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;
let stranger: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
  stranger = await createLibrary(database);
});

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
async function readValue(caller: TestCaller, text: string, ...values: unknown[]) {
  const { rows } = await queryAs<{ value: string | null }>(database, caller, text, values);
  return rows[0]?.value ?? null;
}
const open = (renew = false) =>
  readValue(library.owner, 'select open_feed($1, null, $2) as value', library.categoryId, renew);
const read = (caller: TestCaller = library.owner) =>
  readValue(caller, 'select feed_key($1) as value', library.categoryId);
const find = async (key: string | null) =>
  (
    await queryAs<Record<string, unknown>>(database, 'service_role', 'select * from private.find_feed($1)', [
      key,
    ])
  ).rows;
const keepSearch = async (person = library) =>
  String(
    (
      await queryAs<{ id: string }>(
        database,
        person.owner,
        `insert into saved_searches (name, question) values ('Pães', 'pão') returning id`,
      )
    ).rows[0]?.id,
  );

describe('a feed', () => {
  test('of a category is made when its owner asks, and says whose it is and of what', async () => {
    expect(await read()).toBeNull();
    const key = await open();
    expect(key).toMatch(/^[a-z2-7]{24}$/);
    expect(await open()).toBe(key);
    expect(await read()).toBe(key);
    expect(await find(key)).toEqual([
      {
        user_id: library.owner.id,
        owner_name: 'Marta',
        category_id: library.categoryId,
        search_id: null,
        name: 'Leituras',
        description: null,
        question: null,
        created_at: expect.any(Date),
      },
    ]);
  });

  test('of a saved search says its question', async () => {
    const id = await keepSearch();
    const key = await readValue(library.owner, 'select open_feed(search_id => $1) as value', id);
    expect(await find(key)).toMatchObject([
      { user_id: library.owner.id, category_id: null, search_id: id, name: 'Pães', question: 'pão' },
    ]);
    await queryAs(database, library.owner, 'delete from saved_searches');
    expect(await find(key)).toEqual([]);
  });

  test('that is renewed or closed is dead at its old address, at once', async () => {
    const old = await open();
    const fresh = await open(true);
    expect(fresh).not.toBe(old);
    expect(await find(old)).toEqual([]);
    await queryAs(database, library.owner, 'select close_feed($1)', [library.categoryId]);
    expect(await find(fresh)).toEqual([]);
    expect(await read()).toBeNull();
  });

  test('rests while its owner’s account is closed for nobody having come, and is there when they come back', async () => {
    const key = await open();
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [library.owner.id],
    );
    expect(await find(key)).toEqual([]);
    await database.admin.query('update private.account_closures set reopened_at = now() where user_id = $1', [
      library.owner.id,
    ]);
    expect(await find(key)).toHaveLength(1);
  });

  test('is renewed and closed without the others of its owner', async () => {
    const search = await keepSearch();
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    const openSearch = () => readValue(library.owner, 'select open_feed(search_id => $1) as value', search);
    const readOf = (category: string | null, id: string | null) =>
      readValue(library.owner, 'select feed_key($1, $2) as value', category, id);
    const [first, second] = [await open(), await openSearch()];
    expect(await readOf(other, null)).toBeNull();
    const third = await readValue(library.owner, 'select open_feed($1) as value', other);
    expect(new Set([first, second, third])).toHaveProperty('size', 3);
    const renewed = await open(true);
    const keys = async () => [await read(), await readOf(null, search), await readOf(other, null)];
    expect(await keys()).toEqual([renewed, second, third]);
    await queryAs(database, library.owner, 'select close_feed($1)', [library.categoryId]);
    expect(await keys()).toEqual([null, second, third]);
    await queryAs(database, library.owner, 'select close_feed(search_id => $1)', [search]);
    expect(await keys()).toEqual([null, null, third]);
  });

  test('goes with its category, and does not come back with it', async () => {
    const key = await open();
    await queryAs(database, library.owner, 'delete from categories where id = $1', [library.categoryId]);
    expect(await find(key)).toEqual([]);
    await queryAs(database, library.owner, 'select restore_from_bin(id) from list_bin()');
    expect(await find(key)).toEqual([]);
    expect(await read()).toBeNull();
  });

  test('ends with the account, rests while it is locked, and not with a session', async () => {
    const key = await open();
    await database.admin.query('delete from auth.sessions where user_id = $1', [library.owner.id]);
    expect(await find(key)).toHaveLength(1);
    await database.admin.query(
      `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
      [library.owner.id],
    );
    expect(await find(key)).toEqual([]);
    await database.admin.query('update auth.users set banned_until = null where id = $1', [library.owner.id]);
    expect(await find(key)).toHaveLength(1);
    await queryAs(database, 'service_role', 'select close_account($1)', [library.owner.id]);
    const { rowCount } = await database.admin.query('select from private.feeds where user_id = $1', [
      library.owner.id,
    ]);
    expect(rowCount).toBe(0);
  });

  test('is one of two hundred, also where several race for the last place', async () => {
    await database.admin.query(
      `with made as (
         insert into public.saved_searches (user_id, name, question)
         select $1, 'n' || n, 'n' || n from generate_series(1, 100) n returning id
       )
       insert into private.feeds (user_id, search_id) select $1, id from made`,
      [library.owner.id],
    );
    await database.admin.query(
      `with made as (
         insert into public.categories (user_id, name, folder_id)
         select $1, 'n' || n, $2 from generate_series(1, 99) n returning id
       )
       insert into private.feeds (user_id, category_id) select $1, id from made`,
      [library.owner.id, library.folderId],
    );
    const others = await Promise.all(
      [1, 2, 3].map((n) => createCategory(database, library.owner, library.folderId, `Outra ${n}`)),
    );
    const race = await Promise.all(
      [library.categoryId, ...others].map((id) => attempt(library.owner, 'select open_feed($1)', id)),
    );
    expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    expect(race.filter((outcome) => 'code' in outcome)).toEqual(Array(3).fill({ code: 'PT409' }));
  });

  test('is made by one at a time of a person, who waits for nobody else', async () => {
    const holder = await database.admin.connect();
    const hold = (person: string) =>
      holder.query('select from library_counts where user_id = $1 for update', [person]);
    try {
      await holder.query('begin');
      await hold(stranger.owner.id);
      const key = await open();
      await hold(library.owner.id);
      const asked = open();
      await eventually(async () => {
        const { rowCount } = await database.admin.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(rowCount).toBe(1);
      });
      await holder.query('commit');
      expect(await asked).toBe(key);
    } finally {
      holder.release(true);
    }
  });

  test('is of one thing', async () => {
    const id = await keepSearch();
    for (const [category, search] of [
      [null, null],
      [library.categoryId, id],
    ])
      expect(await attempt(library.owner, 'select open_feed($1, $2)', category, search)).toEqual({
        code: 'PT404',
      });
  });
});

describe('a stranger', () => {
  test('makes, reads and ends nothing of somebody else’s, not even of what is shared with them', async () => {
    const key = await open();
    const searchId = await keepSearch();
    await queryAs(database, library.owner, 'select save_sharing($1, true, $2)', [library.categoryId, []]);
    expect(await read(stranger.owner)).toBeNull();
    expect(await attempt(stranger.owner, 'select open_feed($1)', library.categoryId)).toEqual({
      code: 'PT404',
    });
    expect(await attempt(stranger.owner, 'select open_feed(search_id => $1)', searchId)).toEqual({
      code: 'PT404',
    });
    await queryAs(database, stranger.owner, 'select close_feed($1)', [library.categoryId]);
    expect(await find(key)).toHaveLength(1);
  });

  test('that is a program of the owner reaches no key, whatever it may', async () => {
    await open();
    const program = await createProgram(database, library.owner, 'Robô', 'links:write share');
    for (const call of ['open_feed($1)', 'close_feed($1)'])
      await expect(program.run(`select ${call}`, library.categoryId), call).rejects.toMatchObject({
        code: '42501',
      });
    const { rows } = await program.run('select feed_key($1) as key', library.categoryId);
    expect(rows).toEqual([{ key: null }]);
  });

  test('reaches no key as a visitor, and looks none up as a person', async () => {
    const key = await open();
    for (const caller of ['anon', 'service_role'] as const)
      for (const call of ['feed_key($1)', 'open_feed($1)', 'close_feed($1)'])
        expect(await attempt(caller, `select ${call}`, library.categoryId), call).toEqual({ code: '42501' });
    for (const caller of [library.owner, 'anon'] as const)
      expect(await attempt(caller, 'select private.find_feed($1)', key)).toEqual({ code: '42501' });
    for (const caller of [library.owner, 'anon', 'service_role'] as const)
      expect(await attempt(caller, 'select from private.feeds')).toEqual({ code: '42501' });
  });
});
