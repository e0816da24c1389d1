import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;
let stranger: TestUser;
const categories = { open: '', closed: '', restricted: '' };
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'plus', name: 'Marta' });
  stranger = await createUser(database.admin, { plan: 'plus' });
  const { owner, folderId } = library;
  categories.restricted = library.categoryId;
  categories.open = await createCategory(database, owner, folderId, 'Aberta');
  categories.closed = await createCategory(database, owner, folderId, 'Fechada');
  await queryAs(database, owner, 'select save_sharing($1, true, $2)', [categories.open, []]);
  await queryAs(database, owner, 'select save_sharing($1, false, $2)', [
    categories.restricted,
    [stranger.email],
  ]);
});

const publish = (isPublic: boolean, caller: TestCaller = library.owner) =>
  readOutcome(database, caller, 'update folders set is_public = $2 where id = $1', [
    library.folderId,
    isPublic,
  ]);
const read = async () => {
  const { rows } = await queryAs<{ name: string; owner_name: string; categories: { name: string }[] }>(
    database,
    'anon',
    'select * from shared_folder($1)',
    [library.folderId],
  );
  return rows[0] && { ...rows[0], categories: rows[0].categories.map(({ name }) => name) };
};

describe('a public folder', () => {
  test('shows a visitor its public categories, and nothing else of it', async () => {
    expect(await read()).toBeUndefined();
    await publish(true);
    expect(await read()).toEqual({
      id: library.folderId,
      name: expect.any(String),
      owner_name: 'Marta',
      categories: ['Aberta'],
    });
    await queryAs(database, library.owner, 'select save_sharing($1, true, $2)', [categories.closed, []]);
    expect((await read())?.categories).toEqual(['Aberta', 'Fechada']);
    await publish(false);
    expect(await read()).toBeUndefined();
  });

  test('tells of each category what its own page says', async () => {
    await publish(true);
    await queryAs(
      database,
      library.owner,
      `insert into links (url, title, category_id) select 'https://a.br/' || n, 'L', $1 from generate_series(1, 3) n`,
      [categories.open],
    );
    const {
      rows: [folder],
    } = await queryAs<{ categories: object[] }>(
      database,
      'anon',
      'select categories from shared_folder($1)',
      [library.folderId],
    );
    const {
      rows: [own],
    } = await queryAs(
      database,
      'anon',
      `select jsonb_build_object('id', id, 'name', name, 'description', description, 'link_count', link_count, 'updated_at', updated_at) as own
       from shared_category($1)`,
      [categories.open],
    );
    expect(folder?.categories).toEqual([own?.['own']]);
    expect(folder?.categories).toMatchObject([{ link_count: 3 }]);
  });

  test('with nothing public in it is none', async () => {
    await publish(true);
    await queryAs(database, library.owner, 'select save_sharing($1, false, $2)', [categories.open, []]);
    expect(await read()).toBeUndefined();
  });

  test.each([
    ['asks for a password', `select set_page_password($1, 'abre-te sésamo')`],
    ['has ended', `select set_page_end($1, now() + interval '1 hour')`],
    ['lies in the bin', 'delete from categories where id = $1'],
  ])('leaves out a category that %s', async (_what, act) => {
    await publish(true);
    await queryAs(database, library.owner, 'select save_sharing($1, true, $2)', [categories.closed, []]);
    expect(await readOutcome(database, library.owner, act, [categories.open])).toEqual({ rows: 1 });
    await database.admin.query(
      `update private.public_pages set ends_at = now() - interval '1 minute' where category_id = $1 and ends_at is not null`,
      [categories.open],
    );
    expect((await read())?.categories).toEqual(['Fechada']);
  });

  test('is published by its owner alone, whose plan shares', async () => {
    expect(await publish(true, stranger)).toMatchObject({ rows: 0 });
    expect(await publish(true, 'anon')).toMatchObject({ code: '42501' });
    expect(await read()).toBeUndefined();
    await setPlan(database.admin, library.owner.id, 'free');
    expect(await publish(true)).toHaveProperty('code');
    expect(await read()).toBeUndefined();
  });

  test('is read by nobody but visitors and the service: people have their own lists', async () => {
    await publish(true);
    for (const caller of [library.owner, stranger])
      expect(
        await readOutcome(database, caller, 'select * from shared_folder($1)', [library.folderId]),
      ).toMatchObject({ code: '42501' });
  });
});
