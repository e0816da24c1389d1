import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nameRows } from './support/name-rows.ts';
import { createSharedFolder, PEOPLE, type Person, type SharedFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shared = await createSharedFolder(database);
});

const WRITERS: readonly Person[] = ['owner', 'manager', 'editor', 'grouped'];

/** What a private topic lets somebody do, as the realtime service asks for it. */
async function askTopic(caller: TestCaller, topic: string, claims: object = {}) {
  const [role, own] =
    typeof caller === 'string' ? [caller, { role: caller }] : ['authenticated', claimsOf(caller)];
  const values = [role, JSON.stringify({ ...own, ...claims }), '{}', topic];
  const { rows } = await database.admin.query<{ sees: string[]; shows: boolean; speaks: boolean }>(
    `select realtime.readable_extensions($1, $2, $3, $4) as sees, realtime.is_writable($1, $2, $3, $4, 'presence') as shows,
       realtime.is_writable($1, $2, $3, $4, 'broadcast') as speaks`,
    values,
  );
  return rows[0];
}
const MEETS = { sees: ['presence'], shows: true, speaks: false };
const STAYS_OUT = { sees: [], shows: false, speaks: false };

const topicOf = (name: string) => `category:${shared.ids[name]}`;
const meets = async (person: Person, name = 'category') =>
  (await askTopic(shared.people[person], topicOf(name)))?.shows;
const people = async (caller: TestCaller, name = 'category') =>
  (
    await queryAs<{ name: string | null }>(
      database,
      caller,
      nameRows(`select name from category_people(:${name})`, shared.ids),
    )
  ).rows.map((row) => row.name);

describe('who is there', () => {
  test.each(PEOPLE)('is told to whoever may write, and of nobody else: %s', async (person) => {
    const caller = shared.people[person];
    const mayWrite = WRITERS.includes(person);
    for (const name of ['category', 'second'])
      expect(await askTopic(caller, topicOf(name))).toEqual(mayWrite ? MEETS : STAYS_OUT);
    for (const name of ['held', 'folder']) expect(await askTopic(caller, topicOf(name))).toEqual(STAYS_OUT);
    for (const topic of [`category:${randomUUID()}`, 'category:', "category:' or true", 'category:%'])
      expect(await askTopic(caller, topic)).toEqual(STAYS_OUT);
    if (person === 'guest')
      return expect(people(caller)).rejects.toMatchObject({ code: '42501', message: expect.any(String) });
    expect(await people(caller)).toEqual(
      mayWrite ? ['Nome de editor', 'Nome de grouped', 'Nome de manager', 'Olga'] : [],
    );
    expect(await people(caller, 'held')).toEqual([]);
    expect(await people(caller, 'elsewhere')).toEqual(person === 'owner' ? ['Olga'] : []);
    return undefined;
  });

  test('no token of a program sees or shows anybody', async () => {
    const editor = shared.people.editor as TestUser;
    const session = randomUUID();
    const client = randomUUID();
    await database.admin.query(
      `insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method, client_type)
       values ($1, 'manual', 'https://programa.test/', 'authorization_code', 'none', 'public')`,
      [client],
    );
    await database.admin.query(
      `insert into auth.sessions (id, user_id, oauth_client_id, scopes) values ($1, $2, $3, 'links:read links:write share')`,
      [session, editor.id, client],
    );
    const claims = { session_id: session, client_id: client, scope: 'links:read links:write share' };
    expect(await askTopic(editor, topicOf('category'), claims)).toEqual(STAYS_OUT);
  });
});

describe('it ends', () => {
  beforeEach(async () => {
    expect([await meets('editor'), await meets('owner')]).toEqual([true, true]);
  });
  const owner = (text: string) => queryAs(database, shared.owner, nameRows(text, shared.ids));
  const editorRow = () => (shared.people.editor as TestUser).email;

  test.each<readonly [string, () => Promise<unknown>, boolean]>([
    ['when one is removed', () => owner(`delete from folder_members where email = '${editorRow()}'`), true],
    [
      'when one may only look from now on',
      () => owner(`update folder_members set role = 'viewer' where email = '${editorRow()}'`),
      true,
    ],
    [
      'when the category goes to a folder of its owner’s alone',
      () => owner('update categories set folder_id = :private where id = :category'),
      true,
    ],
    [
      'when the category is held back, for its owner too',
      () => owner('update categories set is_held_back = true where id = :category'),
      false,
    ],
    ['when the category is deleted', () => owner('delete from categories where id = :category'), false],
    ['when the owner’s plan ends', () => setPlan(database.admin, shared.owner.id, 'free'), true],
    [
      'when the owner’s account is closed',
      () => database.admin.query('select close_account($1)', [shared.owner.id]),
      false,
    ],
  ])('%s', async (_what, act, staysForOwner) => {
    await act();
    expect(await meets('editor')).toBe(false);
    expect(await people(shared.people.editor)).toEqual([]);
    expect(await meets('owner')).toBe(staysForOwner);
  });
});
