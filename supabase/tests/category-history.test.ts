import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let library: Library;
let other: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'pro' });
  other = await createCategory(database, library.owner, library.folderId, 'Outra');
  await database.admin.query('truncate private.category_changes');
});

const run = (text: string, ...values: unknown[]) => queryAs(database, library.owner, text, values);
async function history(category = library.categoryId, caller: TestCaller = library.owner) {
  const { rows } = await queryAs<Record<string, unknown>>(
    database,
    caller,
    'select act, count, subject, program from category_history($1)',
    [category],
  );
  return rows;
}
const add = (title: string, category = library.categoryId) =>
  run(`insert into links (url, title, category_id) values ('https://a.br/', $1, $2)`, title, category);
/** Lets so much time pass. */
const age = (interval: string) =>
  database.admin.query('update private.category_changes set changed_at = changed_at - $1::interval', [
    interval,
  ]);

/** Runs as a token of that session, as a program has it. */
async function runInSession(session: string, text: string, ...values: unknown[]): Promise<void> {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true),
         set_config('search_path', 'public', true)`,
      [JSON.stringify({ ...claimsOf(library.owner), session_id: session })],
    );
    await client.query(text, values);
    await client.query('commit');
  } finally {
    client.release();
  }
}
async function openSession(columns: { client?: string; scopes?: string }): Promise<string> {
  const id = randomUUID();
  await database.admin.query(
    `insert into auth.sessions (id, user_id, created_at, updated_at, oauth_client_id, scopes)
     values ($1, $2, now(), now(), $3, $4)`,
    [id, library.owner.id, columns.client ?? null, columns.scopes ?? null],
  );
  return id;
}

describe('the history of a category', () => {
  test('says what was saved, changed, moved and deleted, in both places of a move', async () => {
    await add('Pão');
    await run(`update links set title = 'Broa' where title = 'Pão'`);
    await run(`update links set category_id = $1 where title = 'Broa'`, other);
    await run(`delete from links where title = 'Broa'`);
    const by = { count: 1, program: null };
    expect(await history()).toEqual([
      { act: 'moved_out', subject: 'Broa', ...by },
      { act: 'changed', subject: 'Broa', ...by },
      { act: 'saved', subject: 'Pão', ...by },
    ]);
    expect(await history(other)).toEqual([
      { act: 'deleted', subject: 'Broa', ...by },
      { act: 'moved_in', subject: 'Broa', ...by },
    ]);
  });

  test('says how it was named, published and shared', async () => {
    await run(`update categories set name = 'Receitas' where id = $1`, library.categoryId);
    await run('select save_sharing($1, false, $2)', library.categoryId, ['ana@a.br', 'bia@a.br']);
    await run('select save_sharing($1, true, $2)', library.categoryId, []);
    await run('select save_sharing($1, false, $2)', library.categoryId, []);
    expect((await history()).map(({ act, count, subject }) => [act, count, subject])).toEqual([
      ['unpublished', 1, null],
      ['published', 1, null],
      ['unshared', 2, null],
      ['shared', 2, null],
      ['renamed', 1, 'Receitas'],
    ]);
  });

  test('counts what the same hand does within five minutes, and begins anew afterwards', async () => {
    await add('Um');
    await add('Dois');
    await age('4 minutes');
    await add('Três');
    expect(await history()).toEqual([{ act: 'saved', count: 3, subject: 'Um', program: null }]);
    await age('6 minutes');
    await add('Quatro');
    expect((await history()).map(({ count, subject }) => [count, subject])).toEqual([
      [1, 'Quatro'],
      [3, 'Um'],
    ]);
  });

  test('has one row for ten thousand links of a statement', async () => {
    await run(
      `insert into links (url, title, category_id) select 'https://a.br/' || n, 'L' || n, $1 from generate_series(1, 10000) n`,
      library.categoryId,
    );
    expect(await history()).toEqual([{ act: 'saved', count: 10_000, subject: 'L1', program: null }]);
  });

  test('is not written for what changes nothing', async () => {
    await run('update links set title = title');
    await run('update categories set name = name');
    expect(await history()).toEqual([]);
  });

  test('goes with its category, also where the whole account goes', async () => {
    await add('Pão');
    await run('delete from categories where id = $1', library.categoryId);
    await add('Pão', other);
    await database.admin.query('delete from auth.users where id = $1', [library.owner.id]);
    const { rowCount } = await database.admin.query('select from private.category_changes');
    expect(rowCount).toBe(0);
  });

  test('is for thirty days', async () => {
    await add('Pão');
    await age('31 days');
    expect(await history()).toEqual([]);
    await queryAs(database, 'service_role', 'select private.purge_category_changes()');
    const { rowCount } = await database.admin.query('select from private.category_changes');
    expect(rowCount).toBe(0);
  });

  test('goes on from a row, fifty at a time', async () => {
    await database.admin.query(
      `insert into private.category_changes (category_id, act, count, subject)
       select $1, 'saved', 1, 'L' || n from generate_series(1, 60) n`,
      [library.categoryId],
    );
    const page = async (before: unknown) =>
      (await run('select id, subject from category_history($1, $2)', library.categoryId, before)).rows;
    const first = await page(null);
    expect(first.map(({ subject }) => subject)).toEqual(Array.from({ length: 50 }, (_, n) => `L${60 - n}`));
    expect((await page(first.at(-1)?.['id'])).map(({ subject }) => subject)).toEqual(
      Array.from({ length: 10 }, (_, n) => `L${10 - n}`),
    );
  });
});

describe('who did it', () => {
  test('is a program by its name, a token by its name, the server, or the person', async () => {
    const client = randomUUID();
    await database.admin.query(
      `insert into auth.oauth_clients (id, client_name, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
       values ($1, 'Leitor', 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
      [client],
    );
    const program = await openSession({ client, scopes: 'links:write' });
    const script = await openSession({ scopes: 'links:write' });
    await database.admin.query(
      `insert into auth.personal_tokens (session_id, user_id, name, token_hash) values ($1, $2, 'Casa', 'x')`,
      [script, library.owner.id],
    );
    const browser = await openSession({});
    const insert = `insert into links (url, title, category_id) values ('https://a.br/', $1, $2)`;
    await runInSession(program, insert, 'A', library.categoryId);
    await runInSession(script, insert, 'B', library.categoryId);
    await runInSession(browser, insert, 'C', library.categoryId);
    await queryAs(
      database,
      'service_role',
      `insert into links (url, title, category_id, user_id) values ('https://a.br/', 'D', $1, $2)`,
      [library.categoryId, library.owner.id],
    );
    expect((await history()).map(({ subject, program: by }) => [subject, by])).toEqual([
      ['D', ''],
      ['C', null],
      ['B', 'Casa'],
      ['A', 'Leitor'],
    ]);
  });
});

describe('in a shared folder', () => {
  test('others are named, each with a row of their own, until their account is gone', async () => {
    const ana = await createUser(database.admin, { name: 'Ana' });
    await inviteToFolder(database, library.owner, library.folderId, ana.email, 'editor');
    await add('Minha');
    await queryAs(
      database,
      ana,
      `insert into links (url, title, category_id) values ('https://a.br/', 'Dela', $1)`,
      [library.categoryId],
    );
    await add('Minha de novo');
    const told = async () => {
      const { rows } = await run(
        'select subject, count, person from category_history($1)',
        library.categoryId,
      );
      return rows;
    };
    expect(await told()).toEqual([
      { subject: 'Minha de novo', count: 1, person: null },
      { subject: 'Dela', count: 1, person: 'Ana' },
      { subject: 'Minha', count: 1, person: null },
    ]);
    // Of it she sees what members did; what the owner does is the owner's.
    expect(await history(library.categoryId, ana)).toEqual([
      { act: 'saved', count: 1, subject: 'Dela', program: null },
    ]);
    await database.admin.query('delete from auth.users where id = $1', [ana.id]);
    expect((await told())[1]).toEqual({ subject: 'Dela', count: 1, person: '' });
  });
});

describe('a stranger', () => {
  test('reads nothing of it, not even of what is shared with them', async () => {
    await add('Pão');
    await run('select save_sharing($1, true, $2)', library.categoryId, []);
    const stranger = await createLibrary(database);
    expect(await history(library.categoryId, stranger.owner)).toEqual([]);
    for (const caller of ['anon', 'service_role'] as const)
      expect(
        await readOutcome(database, caller, 'select * from category_history($1)', [library.categoryId]),
      ).toEqual({
        code: '42501',
      });
    for (const caller of [library.owner, 'anon', 'service_role'] as const)
      expect(await readOutcome(database, caller, 'select from private.category_changes', [])).toEqual({
        code: '42501',
      });
  });
});
