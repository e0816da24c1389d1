import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let owner: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = await createUser(database.admin);
});

const SAVE = 'insert into saved_searches (name, question) values ($1, $2)';
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const REFUSED = { code: '42501' };

async function listSaved(person: TestUser = owner): Promise<readonly unknown[]> {
  const { rows } = await queryAs(database, person, 'select name, question from saved_searches order by name');
  return rows;
}

describe('one’s own', () => {
  test('are kept as typed, renamed and deleted', async () => {
    expect(await attempt(owner, SAVE, 'Bolos', 'bolo  pasta:"Minhas receitas"')).toEqual({ rows: 1 });
    expect(await attempt(owner, `update saved_searches set name = 'Doces'`)).toEqual({ rows: 1 });
    expect(await listSaved()).toEqual([{ name: 'Doces', question: 'bolo  pasta:"Minhas receitas"' }]);
    expect(await attempt(owner, 'delete from saved_searches')).toEqual({ rows: 1 });
    expect(await listSaved()).toEqual([]);
  });

  test('are kept once a question, whatever the name', async () => {
    await queryAs(database, owner, SAVE, ['Um', 'bolo']);
    expect(await attempt(owner, SAVE, 'Outro', 'bolo')).toMatchObject({ code: '23505' });
    expect(await attempt(owner, SAVE, 'Um', 'torta')).toEqual({ rows: 1 });
  });

  test('say something, and not too much', async () => {
    for (const [name, question] of [
      ['', 'bolo'],
      ['bolo', ''],
      [' bolo', 'bolo'],
      ['bolo', 'bolo\n'],
      ['b'.repeat(101), 'bolo'],
      ['bolo', 'b'.repeat(501)],
    ])
      expect(await attempt(owner, SAVE, name, question), `${name} ${question}`).toMatchObject({
        code: '23514',
      });
    expect(await attempt(owner, SAVE, '🍰'.repeat(100), '🍰'.repeat(500))).toEqual({ rows: 1 });
  });

  test('keep question, owner and date', async () => {
    await queryAs(database, owner, SAVE, ['Um', 'bolo']);
    for (const change of [`question = 'x'`, `user_id = gen_random_uuid()`, `created_at = now()`])
      expect(await attempt(owner, `update saved_searches set ${change}`)).toMatchObject(REFUSED);
  });
});

describe('a stranger', () => {
  test('sees, renames, deletes and adds nothing of somebody else’s', async () => {
    await queryAs(database, owner, SAVE, ['Segredo', 'médico']);
    const stranger = await createUser(database.admin);
    expect(await listSaved(stranger)).toEqual([]);
    expect(await attempt(stranger, `update saved_searches set name = 'x'`)).toEqual({ rows: 0 });
    expect(await attempt(stranger, 'delete from saved_searches')).toEqual({ rows: 0 });
    const forged = 'insert into saved_searches (name, question, user_id) values ($1, $2, $3)';
    expect(await attempt(stranger, forged, 'a', 'a', owner.id)).toMatchObject(REFUSED);
    expect(await attempt(stranger, SAVE, 'Meu', 'médico')).toEqual({ rows: 1 });
    expect(await listSaved()).toEqual([{ name: 'Segredo', question: 'médico' }]);
  });

  test('without an account reaches nothing', async () => {
    for (const text of [
      'select from saved_searches',
      'delete from saved_searches',
      `update saved_searches set name = 'x'`,
    ])
      expect(await attempt('anon', text)).toMatchObject(REFUSED);
    expect(await attempt('anon', SAVE, 'a', 'a')).toMatchObject(REFUSED);
  });
});

test('a hundred are kept, also where two race for the last place', async () => {
  const many = `insert into saved_searches (name, question) select 'B' || n, 'b' || n from generate_series(1, $1::int) n`;
  expect(await attempt(owner, many, 101)).toEqual({ code: 'P0001', hint: 'bound_saved_searches' });
  expect(await attempt(owner, many, 99)).toEqual({ rows: 99 });
  const race = await Promise.all(['x', 'y', 'z'].map((word) => attempt(owner, SAVE, word, word)));
  expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
  await expect(queryAs(database, owner, SAVE, ['w', 'w'])).rejects.toMatchObject({
    message: 'Limite de 100 buscas salvas atingido',
  });
  expect(await attempt(await createUser(database.admin), SAVE, 'w', 'w')).toEqual({ rows: 1 });
});

test('of two that race for the last place the second waits for the first', async () => {
  const many = `insert into saved_searches (name, question) select 'B' || n, 'b' || n from generate_series(1, 99) n`;
  expect(await attempt(owner, many)).toEqual({ rows: 99 });
  const first = await database.callers.connect();
  try {
    await first.query('begin');
    await first.query(
      `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
      [JSON.stringify(claimsOf(owner))],
    );
    await first.query(SAVE, ['x', 'x']);
    const second = attempt(owner, SAVE, 'y', 'y');
    await expect
      .poll(async () => {
        const { rowCount } = await database.admin.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rowCount;
      })
      .toBe(1);
    await first.query('commit');
    expect(await second).toEqual({ code: 'P0001', hint: 'bound_saved_searches' });
  } finally {
    first.release(true);
  }
  expect(await listSaved()).toHaveLength(100);
});

test('go with the account', async () => {
  await queryAs(database, owner, SAVE, ['Um', 'bolo']);
  await database.admin.query('delete from auth.users where id = $1', [owner.id]);
  const left = await database.admin.query('select from saved_searches where user_id = $1', [owner.id]);
  expect(left.rowCount).toBe(0);
});

test('are closed with the account', async () => {
  await queryAs(database, owner, SAVE, ['Um', 'bolo']);
  await queryAs(database, 'service_role', 'select close_account($1)', [owner.id]);
  expect(await listSaved()).toEqual([]);
  expect(await attempt(owner, SAVE, 'Dois', 'torta')).toMatchObject(REFUSED);
});
