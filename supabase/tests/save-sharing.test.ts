import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

type Saved = { readonly is_public: boolean; readonly emails: string[]; readonly added: string[] };

const SAVE = `select save_sharing($1, $2, $3) as saved`;
const NO_PLAN = { code: 'P0001', hint: 'plan_sharing' };

async function save(caller: TestCaller, id: string, isPublic: boolean, emails: readonly string[]) {
  const { rows } = await queryAs<{ saved: Saved }>(database, caller, SAVE, [id, isPublic, emails]);
  return rows[0]?.saved;
}

/** What is stored of a category's sharing: its mode, its list in order, and the addresses whose mail is queued. */
async function stored({ categoryId }: Library) {
  const { rows } = await database.admin.query<{ mode: boolean; emails: string[]; queued: string[] }>(
    `select is_public as mode,
       array(select email from shared_with s where s.category_id = c.id order by created_at) as emails,
       array(select email from private.share_notifications n where n.category_id = c.id order by 1) as queued
     from categories c where id = $1`,
    [categoryId],
  );
  return rows[0];
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@exemplo.com.br`);

test('saves mode and list, says what is new, and queues a mail for that alone', async () => {
  const library = await createLibrary(database, { plan: 'plus' });
  const { owner, categoryId } = library;
  expect(
    await save(owner, categoryId, false, [' Ana@Exemplo.com.br ', 'bia@a.br', 'ANA@exemplo.com.br']),
  ).toEqual({
    is_public: false,
    emails: ['ana@exemplo.com.br', 'bia@a.br'],
    added: ['ana@exemplo.com.br', 'bia@a.br'],
  });
  expect(await save(owner, categoryId, false, ['caio@a.br', 'bia@a.br'])).toEqual({
    is_public: false,
    emails: ['bia@a.br', 'caio@a.br'],
    added: ['caio@a.br'],
  });
  expect(await stored(library)).toEqual({
    mode: false,
    emails: ['bia@a.br', 'caio@a.br'],
    queued: ['ana@exemplo.com.br', 'bia@a.br', 'caio@a.br'],
  });
});

test('public wins over a list that is sent along, and nobody of it is written to', async () => {
  const library = await createLibrary(database, { plan: 'pro' });
  const { owner, categoryId } = library;
  await save(owner, categoryId, false, ['bia@a.br']);
  expect(await save(owner, categoryId, true, ['ana@a.br', 'isto não é um endereço'])).toEqual({
    is_public: true,
    emails: [],
    added: [],
  });
  expect(await stored(library)).toEqual({ mode: true, emails: [], queued: ['bia@a.br'] });
  expect(await save(owner, categoryId, false, ['ana@a.br'])).toMatchObject({ added: ['ana@a.br'] });
  expect(await save(owner, categoryId, false, [])).toEqual({ is_public: false, emails: [], added: [] });
});

test('leaves out the owner’s own address', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
  expect(await save(owner, categoryId, false, [owner.email.toUpperCase(), 'bia@a.br'])).toMatchObject({
    emails: ['bia@a.br'],
  });
});

test.each([
  ['an address that is none', false, ['bia@a.br', 'ana'], 'PT400'],
  ['an empty address', false, [''], 'PT400'],
  ['no address at all among them', false, [null], 'PT400'],
  ['two in one', false, ['ana@a.br,bia@a.br'], 'PT400'],
  ['a line break within', false, ['ana@a.br\nBcc: x@y.br'], 'PT400'],
  ['101 addresses', false, numbered(101), 'PT400'],
  ['a million characters', false, [`${'a'.repeat(1_000_000)}@a.br`], 'PT400'],
  ['no mode', null, [], 'PT400'],
  ['no list', false, null, 'PT400'],
])('refuses %s and changes nothing', async (_what, isPublic, emails, code) => {
  const library = await createLibrary(database, { plan: 'pro' });
  await save(library.owner, library.categoryId, false, ['bia@a.br', 'caio@a.br']);
  const before = await stored(library);
  expect(await readOutcome(database, library.owner, SAVE, [library.categoryId, isPublic, emails])).toEqual({
    code,
  });
  expect(await stored(library)).toEqual(before);
});

test('a hundred addresses fit, a full list can be exchanged, and the table takes no more either', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
  expect((await save(owner, categoryId, false, numbered(100)))?.emails.length).toBe(100);
  expect((await save(owner, categoryId, false, ['novo@a.br', ...numbered(99)]))?.added).toEqual([
    'novo@a.br',
  ]);
  const invite = `insert into shared_with (category_id, email) values ($1, 'mais@a.br')`;
  expect(await readOutcome(database, owner, invite, [categoryId])).toEqual({ code: 'PT400' });
});

describe('the plan', () => {
  test('free shares nothing, by neither way', async () => {
    const library = await createLibrary(database);
    for (const [mode, emails] of [
      [true, []],
      [false, ['ana@a.br']],
    ])
      expect(
        await readOutcome(database, library.owner, SAVE, [library.categoryId, mode, emails]),
      ).toMatchObject(NO_PLAN);
    expect(await save(library.owner, library.categoryId, false, [])).toMatchObject({ emails: [] });
    expect(await stored(library)).toEqual({ mode: false, emails: [], queued: [] });
  });

  test('when it has lapsed, a list shrinks and ends, and never grows or opens', async () => {
    const library = await createLibrary(database, { plan: 'plus' });
    const { owner, categoryId } = library;
    await save(owner, categoryId, false, ['ana@a.br', 'bia@a.br', 'caio@a.br']);
    await setPlan(database.admin, owner.id, 'free');
    for (const [mode, emails] of [
      [true, []],
      [false, ['ana@a.br', 'bia@a.br', 'caio@a.br', 'dora@a.br']],
      [false, ['dora@a.br']],
    ])
      expect(await readOutcome(database, owner, SAVE, [categoryId, mode, emails])).toMatchObject(NO_PLAN);
    expect((await stored(library))?.emails.length).toBe(3);
    expect(await save(owner, categoryId, false, ['bia@a.br', 'caio@a.br'])).toMatchObject({ added: [] });
    expect(await save(owner, categoryId, false, [])).toMatchObject({ emails: [] });
    expect(await readOutcome(database, owner, SAVE, [categoryId, false, ['bia@a.br']])).toMatchObject(
      NO_PLAN,
    );
  });

  test('when it has lapsed, a public category stays, closes, and does not open again', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    await save(owner, categoryId, true, []);
    await setPlan(database.admin, owner.id, 'free');
    expect(await save(owner, categoryId, true, [])).toMatchObject({ is_public: true });
    expect(await readOutcome(database, owner, SAVE, [categoryId, false, ['ana@a.br']])).toMatchObject(
      NO_PLAN,
    );
    expect(await save(owner, categoryId, false, [])).toMatchObject({ is_public: false });
    expect(await readOutcome(database, owner, SAVE, [categoryId, true, []])).toMatchObject(NO_PLAN);
  });
});

test('is the owner’s alone: to others every category is one that does not exist', async () => {
  const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
  const reader = await createUser(database.admin, { plan: 'pro' });
  await save(owner, categoryId, false, [reader.email]);
  for (const id of [categoryId, '99999999-9999-4999-8999-999999999999'])
    for (const emails of [[reader.email], [], ['isto não é um endereço']])
      await expect(save(reader, id, false, emails)).rejects.toMatchObject({
        code: 'PT404',
        message: 'Categoria não encontrada',
        detail: undefined,
        hint: undefined,
      });
  for (const caller of ['anon', 'service_role'] as const)
    expect(await readOutcome(database, caller, SAVE, [categoryId, false, []])).toMatchObject({
      code: '42501',
    });
});
