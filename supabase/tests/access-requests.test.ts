import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let library: Library;
let asker: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.access_requests, private.access_request_mails');
  library = await createLibrary(database, { plan: 'plus', name: 'Marta' });
  asker = await createUser(database.admin, { name: 'Ana' });
});

type Request = {
  readonly id: string;
  readonly category_id: string;
  readonly email: string;
  readonly note: string;
};

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const request = (caller: TestCaller = asker, categoryId = library.categoryId, note = '') =>
  attempt(caller, 'select request_access($1, $2)', categoryId, note);
const list = async (owner: TestCaller = library.owner) =>
  (await queryAs<Request>(database, owner, 'select * from list_access_requests()')).rows;
const onlyRequest = async () => {
  const [first, ...others] = await list();
  if (!first || others.length > 0) throw new Error(`${others.length + (first ? 1 : 0)} requests`);
  return first;
};
const answer = (id: string, allow: boolean | null, caller: TestCaller = library.owner) =>
  attempt(caller, 'select answer_access_request($1, $2)', id, allow);
const listOwn = async () =>
  (await queryAs<Request>(database, asker, 'select category_id from list_own_access_requests()')).rows.map(
    ({ category_id }) => category_id,
  );
const hasRequested = async (caller: TestCaller, categoryId: string) =>
  (
    await queryAs<{ value: boolean }>(database, caller, 'select has_requested_access($1) as value', [
      categoryId,
    ])
  ).rows[0]?.value;
const accessOf = async (caller: TestCaller, categoryId = library.categoryId) =>
  (
    await queryAs<{ access: string }>(database, caller, 'select access from shared_category($1)', [
      categoryId,
    ])
  ).rows[0]?.access;
const toldOwners = async () =>
  (
    await database.admin.query<{ topic: string }>(
      `select distinct topic from realtime.messages where topic like 'requests:%' order by 1`,
    )
  ).rows.map(({ topic }) => topic);
const DONE = { rows: 1 };
const GONE = { code: 'PT404' };

describe('asking for access', () => {
  test('reaches the owner, with the address and the line, once', async () => {
    expect(await request(asker, library.categoryId, '  Sou da\n turma 9B ')).toEqual(DONE);
    expect(await request(asker, library.categoryId, 'De novo')).toEqual(DONE);
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        category_id: library.categoryId,
        category_name: 'Leituras',
        asker_name: 'Ana',
        email: asker.email,
        note: 'Sou da turma 9B',
        asked_at: expect.any(Date),
      },
    ]);
    expect(await hasRequested(asker, library.categoryId)).toBe(true);
    expect(await toldOwners()).toContain(`requests:${library.owner.id}`);
  });

  test('is answered for what does not exist as for what does, and leads to nobody', async () => {
    const missing = randomUUID();
    const before = await toldOwners();
    expect(await request(asker, missing)).toEqual(DONE);
    expect(await hasRequested(asker, missing)).toBe(true);
    expect(await toldOwners()).toEqual(before);
    expect(await list()).toEqual([]);
    const { rows } = await queryAs(database, asker, 'select * from list_own_access_requests()');
    expect(rows).toEqual([{ category_id: missing, note: '', asked_at: expect.any(Date) }]);
  });

  test('is nothing for visitors, nor for whoever has no confirmed address, whatever they ask for', async () => {
    expect(await request('anon')).toMatchObject({ code: '42501' });
    await database.admin.query('update auth.users set email_confirmed_at = null where id = $1', [asker.id]);
    const refused = { code: 'PT403', hint: 'address_unconfirmed' };
    expect(await request()).toEqual(refused);
    expect(await request(asker, randomUUID())).toEqual(refused);
    expect(await list()).toEqual([]);
  });

  test('is known to whoever asked alone, and of what they asked for', async () => {
    const other = await createUser(database.admin);
    await request();
    const second = await createCategory(database, library.owner, library.folderId, 'Outra');
    expect(await hasRequested(asker, second)).toBe(false);
    expect(await hasRequested(other, library.categoryId)).toBe(false);
    expect((await queryAs(database, other, 'select from list_own_access_requests()')).rowCount).toBe(0);
  });

  test('ends after twenty a day, counted whether or not the categories exist', async () => {
    await Promise.all(Array.from({ length: 30 }, () => request(asker, randomUUID()))).then((outcomes) =>
      expect(outcomes.filter((outcome) => 'rows' in outcome)).toHaveLength(20),
    );
    expect(await request()).toEqual({ code: 'PT429', hint: 'too_many_requests' });
    expect(await list()).toEqual([]);
    await database.admin.query(`update private.access_requests set asked_at = now() - interval '25 hours'`);
    expect(await request()).toEqual(DONE);
  });

  test('takes a line of 280 characters and none longer', async () => {
    expect(await request(asker, library.categoryId, 'a'.repeat(281))).toEqual({ code: 'PT400' });
    expect(await request(asker, library.categoryId, 'a'.repeat(280))).toEqual(DONE);
  });

  test('asks nothing of whoever may open the category already', async () => {
    expect(await request(library.owner)).toEqual(DONE);
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    expect(await request()).toEqual(DONE);
    expect(await list()).toEqual([]);
  });

  test('brings an owner no more than a hundred requests', async () => {
    await database.admin.query(
      `insert into private.access_requests (asker_id, category_id, owner_id, email)
       select $1, gen_random_uuid(), $2, 'x@exemplo.com.br' from generate_series(1, 100)`,
      [(await createUser(database.admin)).id, library.owner.id],
    );
    expect(await request()).toEqual(DONE);
    expect(await list()).toEqual([]);
    expect(await hasRequested(asker, library.categoryId)).toBe(true);
  });

  test('is heard by each owner, whatever another one has refused or has waiting, and again once room is made', async () => {
    const other = await createLibrary(database, { plan: 'plus', name: 'Rui' });
    await request();
    await answer((await onlyRequest()).id, false);
    await database.admin.query(
      `insert into private.access_requests (asker_id, category_id, owner_id, email)
       select $1, gen_random_uuid(), $2, 'x@exemplo.com.br' from generate_series(1, 100) n`,
      [(await createUser(database.admin)).id, library.owner.id],
    );
    expect(await request(asker, other.categoryId)).toEqual(DONE);
    expect((await list(other.owner)).map(({ email }) => email)).toEqual([asker.email]);
    // What has been answered takes no room.
    await database.admin.query(
      `update private.access_requests set refused_at = now() where email = 'x@exemplo.com.br'`,
    );
    const next = await createUser(database.admin);
    expect(await request(next)).toEqual(DONE);
    expect((await list()).map(({ email }) => email)).toEqual([next.email]);
  });

  test('is forgotten after thirty days', async () => {
    await request();
    await database.admin.query(`update private.access_requests set asked_at = now() - interval '31 days'`);
    expect(await hasRequested(asker, library.categoryId)).toBe(false);
    expect(await request()).toEqual(DONE);
    expect(await list()).toHaveLength(1);
  });

  test('reaches who has taken the folder over, and not the old owner who refused', async () => {
    const taker = await createUser(database.admin, { plan: 'plus' });
    await request();
    await answer((await onlyRequest()).id, false);
    await inviteToFolder(database, library.owner, library.folderId, taker.email, 'editor');
    await attempt(library.owner, 'select offer_folder($1, $2)', library.folderId, taker.email);
    expect(await attempt(taker, 'select take_folder($1)', library.folderId)).toEqual(DONE);
    // Who asks is not to learn that it was refused, nor that the owner is another.
    expect(await request()).toEqual(DONE);
    expect(await list(taker)).toEqual([]);
    expect(await listOwn()).toEqual([library.categoryId]);
    await database.admin.query(`update private.access_requests set asked_at = now() - interval '31 days'`);
    expect(await request()).toEqual(DONE);
    expect((await list(taker)).map(({ email }) => email)).toEqual([asker.email]);
    const { rows } = await queryAs<{ id: string }>(
      database,
      library.owner,
      `insert into folders (name) values ('Outra') returning id`,
    );
    const other = await createCategory(database, library.owner, rows[0]?.id ?? '');
    expect(await request(asker, other)).toEqual(DONE);
    expect(await list()).toEqual([]);
    expect(await listOwn()).toEqual([library.categoryId, other]);
  });
});

describe('the answer', () => {
  test('“Permitir” opens the category to the asker’s address, with the mail of an invitation', async () => {
    await request();
    const { id } = await onlyRequest();
    await database.admin.query('delete from realtime.messages');
    expect(await answer(id, true)).toEqual(DONE);
    expect(await accessOf(asker)).toBe('invited');
    expect(await list()).toEqual([]);
    // The owner's other screens hear of it.
    expect(await toldOwners()).toEqual([`requests:${library.owner.id}`]);
    expect(await answer(id, true)).toEqual(GONE);
    const { rows } = await queryAs(
      database,
      'service_role',
      'select email from claim_share_notifications(10, $1)',
      [library.categoryId],
    );
    expect(rows).toEqual([{ email: asker.email }]);
  });

  test('“Recusar” is told nobody, and this owner hears no more of that person', async () => {
    await request();
    const { id } = await onlyRequest();
    expect(await answer(id, false)).toEqual(DONE);
    expect(await accessOf(asker)).toBeUndefined();
    expect(await hasRequested(asker, library.categoryId)).toBe(true);
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    const told = await toldOwners();
    expect(await request(asker, other)).toEqual(DONE);
    expect(await hasRequested(asker, other)).toBe(true);
    await database.admin.query(`update private.access_requests set asked_at = now() - interval '31 days'`);
    expect(await hasRequested(asker, library.categoryId)).toBe(false);
    expect(await listOwn()).toEqual([]);
    expect(await request()).toEqual(DONE);
    expect(await listOwn()).toEqual([library.categoryId]);
    expect([await list(), await toldOwners()]).toEqual([[], told]);
    // Somebody else is heard.
    expect(await request(await createUser(database.admin))).toEqual(DONE);
    expect(await list()).toHaveLength(1);
  });

  test('is to one request, and leaves the others as they are', async () => {
    const [second, third] = [await createUser(database.admin), await createUser(database.admin)];
    for (const person of [asker, second, third]) await request(person);
    const idOf = async (person: TestUser) => (await list()).find(({ email }) => email === person.email)?.id;
    const [first, next] = [await idOf(asker), await idOf(second)];
    await answer(first ?? '', false);
    expect(await list()).toHaveLength(2);
    await answer(next ?? '', false);
    await answer(first ?? '', null);
    expect((await list()).map(({ email }) => email)).toEqual([asker.email, third.email]);
    await answer(first ?? '', true);
    expect((await list()).map(({ email }) => email)).toEqual([third.email]);
    expect([await accessOf(second), await accessOf(third)]).toEqual(['denied', 'denied']);
  });

  test('“Recusar” can be undone for five minutes', async () => {
    await request();
    const { id } = await onlyRequest();
    await answer(id, false);
    expect(await answer(id, null)).toEqual(DONE);
    expect(await list()).toHaveLength(1);
    await answer(id, false);
    await database.admin.query(
      `update private.access_requests set refused_at = now() - interval '6 minutes'`,
    );
    expect(await answer(id, null)).toEqual(GONE);
  });

  test('is the owner’s alone', async () => {
    const other = await createLibrary(database, { plan: 'plus', name: 'Rui' });
    await request(asker, other.categoryId);
    await request();
    const { id } = await onlyRequest();
    const stranger = await createUser(database.admin, { plan: 'plus' });
    for (const caller of [stranger, asker])
      for (const allow of [true, false, null]) expect(await answer(id, allow, caller)).toEqual(GONE);
    expect(await answer(id, true, 'anon')).toMatchObject({ code: '42501' });
    expect([await list(stranger), await list(asker)]).toEqual([[], []]);
    expect(await accessOf(asker)).toBeUndefined();
    // Nor another owner's, who has one of their own to answer.
    for (const allow of [true, false, null]) expect(await answer(id, allow, other.owner)).toEqual(GONE);
    expect((await onlyRequest()).id).toBe(id);
    expect(await list(other.owner)).toHaveLength(1);
  });

  test('keeps to the plan and the list of the owner', async () => {
    await request();
    const { id } = await onlyRequest();
    await setPlan(database.admin, library.owner.id, 'free');
    expect(await answer(id, true)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    await setPlan(database.admin, library.owner.id, 'plus');
    await database.admin.query(
      `insert into shared_with (category_id, email) select $1, 'a' || n || '@exemplo.com.br' from generate_series(1, 100) n`,
      [library.categoryId],
    );
    expect(await answer(id, true)).toEqual({ code: 'PT400' });
    expect(await list()).toHaveLength(1);
    expect(await accessOf(asker)).toBe('denied');
  });

  test('lets in whoever had left and asks for it', async () => {
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    await queryAs(database, asker, 'select leave_share($1)', [library.categoryId]);
    await request();
    expect(await answer((await onlyRequest()).id, true)).toEqual(DONE);
    expect(await accessOf(asker)).toBe('invited');
  });

  test('is owed no more to whoever was let in otherwise and left: they ask again', async () => {
    await request();
    const { id } = await onlyRequest();
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    await queryAs(database, asker, 'select leave_share($1)', [library.categoryId]);
    expect([await list(), await answer(id, true)]).toEqual([[], GONE]);
    expect(await hasRequested(asker, library.categoryId)).toBe(false);
    await request();
    expect(await answer((await onlyRequest()).id, false)).toEqual(DONE);
  });

  test('that was no is not undone by leaving what was shared meanwhile', async () => {
    await request();
    await answer((await onlyRequest()).id, false);
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    await queryAs(database, asker, 'select leave_share($1)', [library.categoryId]);
    await request();
    expect(await list()).toEqual([]);
  });

  test('is still owed to others, and of other categories, when somebody leaves', async () => {
    const other = await createUser(database.admin);
    const second = await createCategory(database, library.owner, library.folderId, 'Outra');
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    await request(other);
    await request(asker, second);
    await queryAs(database, asker, 'select leave_share($1)', [library.categoryId]);
    expect((await list()).map(({ email, category_id }) => [email, category_id])).toEqual([
      [other.email, library.categoryId],
      [asker.email, second],
    ]);
  });

  test('of two at once is one', async () => {
    await request();
    const { id } = await onlyRequest();
    const outcomes = await Promise.all([answer(id, true), answer(id, true), answer(id, false)]);
    expect(outcomes.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
  });

  test('does not come to another address than the one that was shown', async () => {
    await request();
    const { id } = await onlyRequest();
    await database.admin.query(`update auth.users set email = $2 where id = $1`, [
      asker.id,
      `${randomUUID()}@exemplo.com.br`,
    ]);
    expect(await list()).toEqual([]);
    expect(await answer(id, true)).toEqual(GONE);
  });

  test('is not owed to whoever has another address now; who was refused stays so, and others wait', async () => {
    const [refused, other] = [await createUser(database.admin), await createUser(database.admin)];
    await request(refused);
    await answer((await onlyRequest()).id, false);
    for (const person of [asker, other]) await request(person);
    await database.admin.query('delete from realtime.messages');
    for (const person of [asker, refused])
      await database.admin.query('update auth.users set email = $2 where id = $1', [
        person.id,
        `${randomUUID()}@exemplo.com.br`,
      ]);
    expect((await list()).map(({ email }) => email)).toEqual([other.email]);
    expect(await toldOwners()).toEqual([`requests:${library.owner.id}`]);
    await request(refused, await createCategory(database, library.owner, library.folderId, 'Outra'));
    expect(await list()).toHaveLength(1);
  });

  test('is none of what has gone, been published or shared meanwhile', async () => {
    await request();
    const { id } = await onlyRequest();
    await queryAs(database, library.owner, 'select save_sharing($1, true, $2)', [library.categoryId, []]);
    expect([await list(), await answer(id, true)]).toEqual([[], GONE]);
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [
      library.categoryId,
      [asker.email],
    ]);
    expect([await list(), await answer(id, true)]).toEqual([[], GONE]);
    await queryAs(database, library.owner, 'delete from categories where id = $1', [library.categoryId]);
    expect([await list(), await answer(id, true)]).toEqual([[], GONE]);
  });
});

describe('when an account closes', () => {
  const close = (person: TestUser) =>
    database.admin.query(`insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`, [
      person.id,
    ]);

  test('its requests wait, and go with its person', async () => {
    await request();
    await close(asker);
    expect(await list()).toEqual([]);
    await database.admin.query('select private.forget_person($1)', [asker.id]);
    const { rows } = await database.admin.query('select email from private.access_requests');
    expect(rows).toEqual([]);
  });

  test('nobody asks its owner any more, and nobody is told', async () => {
    await close(library.owner);
    expect(await request()).toEqual(DONE);
    const { rows } = await database.admin.query('select owner_id from private.access_requests');
    expect(rows).toEqual([{ owner_id: null }]);
    expect(await hasRequested(asker, library.categoryId)).toBe(true);
  });
});

test('owners hear of their own requests, and of nobody else’s', async () => {
  await request();
  const topic = `requests:${library.owner.id}`;
  const hear = async (caller: TestCaller) => {
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      const claims = typeof caller === 'string' ? {} : { sub: caller.id };
      await client.query(
        `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('realtime.topic', $3, true)`,
        [typeof caller === 'string' ? caller : 'authenticated', JSON.stringify(claims), topic],
      );
      const { rows } = await client.query('select payload from realtime.messages where topic = $1', [topic]);
      return rows.length;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  expect(await hear(library.owner)).toBeGreaterThan(0);
  expect([await hear(asker), await hear('anon')]).toEqual([0, 0]);
});
