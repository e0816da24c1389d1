import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
});

const ask = async <T>(
  caller: TestCaller,
  call: string,
  values: readonly unknown[] = [],
): Promise<T | undefined> =>
  (await queryAs<{ answer: T }>(database, caller, `select ${call} as answer`, values)).rows[0]?.answer;
const save = (emails: readonly string[] | null, isPublic: boolean | null = false, id = library.categoryId) =>
  ask<{ emails: string[] }>(library.owner, 'save_sharing($1, $2, $3)', [id, isPublic, emails]);
const invited = async (id = library.categoryId) => {
  const { rows } = await database.admin.query<{ email: string }>(
    'select email from shared_with where category_id = $1 order by created_at, email',
    [id],
  );
  return rows.map(({ email }) => email);
};

describe('a list of addresses', () => {
  const address = (length: number) => `${'a'.repeat(length - '@exemplo.br'.length)}@exemplo.br`;
  const INVITE = 'insert into shared_with (category_id, email) values ($1, $2)';

  test('has addresses of up to 254 letters', async () => {
    expect((await save([address(254)]))?.emails).toEqual([address(254)]);
    await expect(save([address(255)])).rejects.toMatchObject({ code: 'PT400', message: 'Email inválido' });
    expect(
      await readOutcome(database, library.owner, INVITE, [library.categoryId, address(255)]),
    ).toMatchObject({
      constraint: 'shared_with_email_valid',
    });
  });

  test.each([
    'ana',
    'ana@',
    '@a.br',
    'ana@a',
    'ana@a..br',
    'ana@.br',
    'a na@a.br',
    'ana@a.br,bia@a.br',
    'a<b>@a.br',
    'ana@b@a.br',
    '',
  ])('has no %j', async (email) => {
    await expect(save([email])).rejects.toMatchObject({ message: 'Email inválido' });
    expect(await readOutcome(database, library.owner, INVITE, [library.categoryId, email])).toMatchObject({
      constraint: 'shared_with_email_valid',
    });
    expect(await invited()).toEqual([]);
  });

  test('is taken in lower case, by either way', async () => {
    await readOutcome(database, library.owner, INVITE, [library.categoryId, 'Ana@A.br']);
    expect(await invited()).toEqual(['ana@a.br']);
    await database.admin.query(`update shared_with set email = 'BIA@a.br' where category_id = $1`, [
      library.categoryId,
    ]);
    expect(await invited()).toEqual(['bia@a.br']);
  });

  test('is not missing, and neither is the mode', async () => {
    const refused = { code: 'PT400', message: 'Dados inválidos para o compartilhamento' };
    await expect(save(null)).rejects.toMatchObject(refused);
    await expect(save([], null)).rejects.toMatchObject(refused);
  });

  test('may say one address a thousand times, and not a thousand and one', async () => {
    expect((await save(Array.from({ length: 1000 }, () => 'ana@a.br')))?.emails).toEqual(['ana@a.br']);
    await expect(save(Array.from({ length: 1001 }, () => 'ana@a.br'))).rejects.toMatchObject({
      code: 'PT400',
      message: 'No máximo 100 endereços por categoria',
    });
  });

  test('of one category is nobody’s business in another', async () => {
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    await save(['ana@a.br', 'bia@a.br']);
    await save(['caio@a.br'], false, other);
    await save(['bia@a.br']);
    await save([], true);
    expect(await invited(other)).toEqual(['caio@a.br']);
    const { rows } = await database.admin.query('select is_public from categories where id = $1', [other]);
    expect(rows).toEqual([{ is_public: false }]);
  });
});

describe('who was invited', () => {
  let ana: TestUser;
  let bia: TestUser;
  let second: string;
  beforeEach(async () => {
    [ana, bia] = [
      await createUser(database.admin, { plan: 'pro' }),
      await createUser(database.admin, { plan: 'pro' }),
    ];
    second = await createCategory(database, library.owner, library.folderId, 'Outra');
    await save([ana.email, bia.email]);
    await save([ana.email, bia.email], false, second);
  });
  const leave = (who: TestUser, id = library.categoryId) => ask(who, 'leave_share($1)', [id]);

  test('leaves for themselves and of that category alone', async () => {
    await leave(ana);
    expect(await invited()).toEqual([bia.email]);
    expect((await invited(second)).toSorted()).toEqual([ana.email, bia.email].toSorted());
    expect(await ask(ana, 'has_left_share($1)', [library.categoryId])).toBe(true);
    expect(await ask(ana, 'has_left_share($1)', [second])).toBe(false);
    expect(await ask(bia, 'has_left_share($1)', [library.categoryId])).toBe(false);
    // Bia is not refused where Ana left, nor Ana where she did not leave.
    await save([]);
    expect((await save([bia.email]))?.emails).toEqual([bia.email]);
    await save([], false, second);
    expect((await save([ana.email], false, second))?.emails).toEqual([ana.email]);
    await expect(save([bia.email, ana.email])).rejects.toMatchObject({ code: 'PT409', hint: 'share_left' });
  });

  test('comes back for themselves and to that category alone', async () => {
    await leave(ana);
    await leave(ana, second);
    await leave(bia);
    expect(await ask(ana, 'return_to_share($1)', [library.categoryId])).toBe(true);
    expect(await invited()).toEqual([ana.email]);
    expect(await invited(second)).toEqual([bia.email]);
    expect(await ask(bia, 'has_left_share($1)', [library.categoryId])).toBe(true);
    await expect(ask(ana, 'return_to_share($1)', [library.categoryId])).rejects.toMatchObject({
      code: 'PT404',
    });
  });

  test('comes back to the list within the time for undoing, and is only allowed in again after it', async () => {
    const left = (who: TestUser, ago: string) =>
      database.admin.query(
        `update private.left_shares set left_at = now() - private.undo_window() + $2::interval where user_id = $1`,
        [who.id, ago],
      );
    await leave(ana);
    await leave(bia);
    await left(ana, '1 minute');
    await left(bia, '-1 second');
    expect(await ask(ana, 'return_to_share($1)', [library.categoryId])).toBe(true);
    expect(await ask(bia, 'return_to_share($1)', [library.categoryId])).toBe(false);
    expect(await invited()).toEqual([ana.email]);
    expect((await save([ana.email, bia.email]))?.emails).toHaveLength(2);
  });

  test('is remembered as gone while the category is there, and a day beyond', async () => {
    const third = await createCategory(database, library.owner, library.folderId, 'Terceira');
    await save([ana.email], false, third);
    await leave(ana);
    await leave(ana, second);
    await database.admin.query('delete from categories where id = $1', [second]);
    const remembered = async () =>
      (
        await database.admin.query<{ category_id: string }>(
          'select category_id from private.left_shares where user_id = $1',
          [ana.id],
        )
      ).rows
        .map((row) => row.category_id)
        .toSorted();
    const age = (ago: string) =>
      database.admin.query(
        'update private.left_shares set left_at = now() - $2::interval where user_id = $1',
        [ana.id, ago],
      );
    await age('23 hours');
    await leave(ana, third);
    expect(await remembered()).toEqual([library.categoryId, second, third].toSorted());
    await save([bia.email], false, third);
    await age('25 hours');
    await leave(bia, third);
    expect(await remembered()).toHaveLength(3);
    const fourth = await createCategory(database, library.owner, library.folderId, 'Quarta');
    await save([ana.email], false, fourth);
    await leave(ana, fourth);
    expect(await remembered()).toEqual([library.categoryId, third, fourth].toSorted());
  });

  test('finds no share to leave, open or return to once their account is closed', async () => {
    await leave(ana, second);
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [ana.id],
    );
    for (const [call, id] of [
      ['leave_share', library.categoryId],
      ['open_share', library.categoryId],
      ['return_to_share', second],
    ])
      await expect(ask(ana, `${call}($1)`, [id]), call).rejects.toMatchObject({ code: 'PT404' });
    expect(await invited()).toContain(ana.email);
    expect(await ask(ana, 'has_left_share($1)', [second])).toBe(false);
    expect(await ask(ana, 'opened_share()')).toBeNull();
  });

  test('opens what they choose, and nobody else’s choice is theirs', async () => {
    await ask(ana, 'open_share($1)', [second]);
    expect(await ask(ana, 'opened_share()')).toBe(second);
    expect(await ask(bia, 'opened_share()')).toBeNull();
    await ask(bia, 'open_share($1)', [library.categoryId]);
    expect([await ask(ana, 'opened_share()'), await ask(bia, 'opened_share()')]).toEqual([
      second,
      library.categoryId,
    ]);
    await save([bia.email], false, second);
    expect(await ask(ana, 'opened_share()')).toBeNull();
  });
});

describe('a page of a shared category', () => {
  test.each([
    ['', 50],
    [', null', 50],
    [', 0', 0],
    [', -1', 0],
    [', 1', 1],
    [', 100', 100],
    [', 101', 100],
  ])('has with%s %i links', async (limit, count) => {
    await database.admin.query(
      `insert into links (title, url, category_id, user_id) select n::text, 'https://a.br', $1, $2 from generate_series(1, 101) n`,
      [library.categoryId, library.owner.id],
    );
    await save([], true);
    expect(
      await readOutcome(database, 'anon', `select from shared_links($1${limit})`, [library.categoryId]),
    ).toEqual({
      rows: count,
    });
  });

  test('says what it is to a visitor, and the name of nothing that is not theirs to open', async () => {
    const read = async (caller: TestCaller) =>
      (await queryAs(database, caller, 'select * from shared_category($1)', [library.categoryId])).rows;
    expect(await read('anon')).toEqual([]);
    await save(['ana@a.br']);
    expect(await read('anon')).toMatchObject([
      { access: 'denied', name: null, owner_name: null, link_count: null },
    ]);
    await save([], true);
    expect(await read('anon')).toMatchObject([
      { id: library.categoryId, access: 'public', name: 'Leituras', owner_name: 'Marta', link_count: 1 },
    ]);
    expect(await read(library.owner)).toMatchObject([{ access: 'owner' }]);
  });
});
