import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let mine: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'plus' });
});

const STAR_LINK = 'insert into favorites (link_id) values ($1)';
const STAR_CATEGORY = 'insert into favorites (category_id) values ($1)';
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const REFUSED = { code: '42501' };

async function starBoth({ linkId, categoryId }: Library, person: TestUser = mine.owner): Promise<void> {
  await queryAs(database, person, STAR_LINK, [linkId]);
  await queryAs(database, person, STAR_CATEGORY, [categoryId]);
}

async function listStarred(person: TestUser): Promise<readonly unknown[]> {
  const { rows } = await queryAs<{ item: string }>(
    database,
    person,
    'select coalesce(link_id, category_id) as item from favorites order by created_at',
  );
  return rows.map(({ item }) => item);
}

async function invite(email: string | null): Promise<void> {
  await queryAs(database, mine.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
    mine.categoryId,
    email,
  ]);
}

describe('one’s own', () => {
  test('are starred once, and the star is taken off', async () => {
    await starBoth(mine);
    expect(await listStarred(mine.owner)).toEqual([mine.linkId, mine.categoryId]);
    expect(await attempt(mine.owner, STAR_LINK, mine.linkId)).toMatchObject({ code: '23505' });
    expect(await attempt(mine.owner, STAR_CATEGORY, mine.categoryId)).toMatchObject({ code: '23505' });
    expect(await attempt(mine.owner, 'delete from favorites where link_id = $1', mine.linkId)).toEqual({
      rows: 1,
    });
    expect(await listStarred(mine.owner)).toEqual([mine.categoryId]);
  });

  test('are a link or a category: neither nothing nor both', async () => {
    const both = 'insert into favorites (link_id, category_id) values ($1, $2)';
    expect(await attempt(mine.owner, both, mine.linkId, mine.categoryId)).toMatchObject({ code: '23514' });
    expect(await attempt(mine.owner, STAR_LINK, null)).toMatchObject({ code: '23514' });
  });

  test('carry no date that the person wrote, and never change', async () => {
    const dated = `insert into favorites (link_id, created_at) values ($1, '1970-01-01')`;
    expect(await attempt(mine.owner, dated, mine.linkId)).toMatchObject(REFUSED);
    expect(await attempt(mine.owner, 'update favorites set link_id = $1', mine.linkId)).toMatchObject(
      REFUSED,
    );
  });
});

describe('a stranger', () => {
  test('stars nothing of a private library, and is told the same of it as of what does not exist', async () => {
    const stranger = await createUser(database.admin);
    for (const [text, id] of [
      [STAR_LINK, mine.linkId],
      [STAR_CATEGORY, mine.categoryId],
      [STAR_LINK, crypto.randomUUID()],
      [STAR_CATEGORY, crypto.randomUUID()],
    ])
      expect(await attempt(stranger, text ?? '', id)).toMatchObject(REFUSED);
    // Also where the owner has starred it, and however the question is put.
    await starBoth(mine);
    for (const id of [mine.linkId, crypto.randomUUID()])
      expect(await attempt(stranger, `${STAR_LINK} on conflict do nothing`, id)).toMatchObject(REFUSED);
    expect(await listStarred(stranger)).toEqual([]);
  });

  test('sees, takes off and adds no star of somebody else', async () => {
    await starBoth(mine);
    const other = await createLibrary(database);
    expect(await attempt(other.owner, 'select from favorites')).toEqual({ rows: 0 });
    expect(await attempt(other.owner, 'delete from favorites')).toEqual({ rows: 0 });
    const forged = 'insert into favorites (link_id, user_id) values ($1, $2)';
    expect(await attempt(other.owner, forged, other.linkId, mine.owner.id)).toMatchObject(REFUSED);
    expect(await listStarred(mine.owner)).toEqual([mine.linkId, mine.categoryId]);
  });

  test('without an account reaches nothing', async () => {
    await starBoth(mine);
    for (const text of ['select from favorites', 'delete from favorites'])
      expect(await attempt('anon', text)).toMatchObject(REFUSED);
    expect(await attempt('anon', STAR_LINK, mine.linkId)).toMatchObject(REFUSED);
  });

  test('a public page does not let itself be starred by whoever has its address', async () => {
    await queryAs(database, mine.owner, 'update categories set is_public = true where id = $1', [
      mine.categoryId,
    ]);
    const reader = await createUser(database.admin);
    expect(await attempt(reader, STAR_CATEGORY, mine.categoryId)).toMatchObject(REFUSED);
    expect(await attempt(reader, STAR_LINK, mine.linkId)).toMatchObject(REFUSED);
  });
});

describe('what is received', () => {
  test('is starred while it is shared; then the star shows nothing, until it is shared again', async () => {
    const viewer = await createUser(database.admin, { plan: 'pro' });
    await invite(viewer.email);
    await starBoth(mine, viewer);
    const shown = 'select from favorites f join links l on l.id = f.link_id';
    expect(await attempt(viewer, shown)).toEqual({ rows: 1 });
    await queryAs(database, mine.owner, 'delete from shared_with');
    expect(await attempt(viewer, shown)).toEqual({ rows: 0 });
    await queryAs(database, viewer, 'delete from favorites');
    expect(await attempt(viewer, STAR_LINK, mine.linkId)).toMatchObject(REFUSED);
    expect(await attempt(mine.owner, 'select from favorites')).toEqual({ rows: 0 });
  });

  test('and starred is no favourite of who owns it', async () => {
    const viewer = await createUser(database.admin, { plan: 'pro' });
    await invite(viewer.email);
    await queryAs(database, viewer, STAR_LINK, [mine.linkId]);
    const found = 'select from search_links_by(favorite => true)';
    expect(await attempt(mine.owner, found)).toEqual({ rows: 0 });
    const count = 'select where count_links_by(favorite => true) > 0';
    expect(await attempt(mine.owner, count)).toEqual({ rows: 0 });
    await queryAs(database, mine.owner, STAR_LINK, [mine.linkId]);
    expect(await attempt(mine.owner, found)).toEqual({ rows: 1 });
    expect(await attempt(mine.owner, count)).toEqual({ rows: 1 });
  });

  test('and not opened by the plan is not starred, link by link', async () => {
    const viewer = await createUser(database.admin);
    const first = await createLibrary(database, { plan: 'plus' });
    await queryAs(database, first.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
      first.categoryId,
      viewer.email,
    ]);
    await invite(viewer.email);
    expect(await attempt(viewer, STAR_LINK, first.linkId)).toEqual({ rows: 1 });
    expect(await attempt(viewer, STAR_LINK, mine.linkId)).toMatchObject(REFUSED);
  });
});

describe('a deletion', () => {
  test.each([
    ['link', 'links', (library: Library) => library.linkId],
    ['category', 'categories', (library: Library) => library.categoryId],
    ['folder', 'folders', (library: Library) => library.folderId],
  ] as const)('of a %s takes the stars along, and its undo brings them back', async (kind, table, idOf) => {
    await starBoth(mine);
    const read = () =>
      queryAs<{ row: string }>(
        database,
        mine.owner,
        'select to_jsonb(f)::text as row from favorites f order by created_at',
      ).then(({ rows }) => rows);
    const before = await read();
    await queryAs(database, mine.owner, `delete from ${table} where id = $1`, [idOf(mine)]);
    expect(await listStarred(mine.owner)).toEqual(kind === 'link' ? [mine.categoryId] : []);
    await undoDeletion(database, mine.owner, kind, [idOf(mine)]);
    expect(await read()).toEqual(before);
  });

  test('does not bring back a star that was taken off before, nor one of another deletion', async () => {
    await starBoth(mine);
    await queryAs(database, mine.owner, 'delete from favorites where link_id = $1', [mine.linkId]);
    await queryAs(database, mine.owner, 'delete from folders where id = $1', [mine.folderId]);
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(await listStarred(mine.owner)).toEqual([mine.categoryId]);
    // A row of another kind, written in the open, restores nothing.
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    await queryAs(
      database,
      mine.owner,
      `insert into links (id, url, title, category_id) values ($1, 'https://a.br', 'A', $2)`,
      [mine.linkId, mine.categoryId],
    );
    expect(await listStarred(mine.owner)).toEqual([mine.categoryId]);
  });

  test('keeps no star of the people with whom it was shared', async () => {
    const viewer = await createUser(database.admin, { plan: 'pro' });
    await invite(viewer.email);
    await starBoth(mine, viewer);
    await queryAs(database, mine.owner, 'delete from categories where id = $1', [mine.categoryId]);
    const { rows } = await database.admin.query(
      `select from private.deleted_rows where kind = 'favorite' and content ->> 'user_id' = $1`,
      [viewer.id],
    );
    expect(rows).toEqual([]);
    await undoDeletion(database, mine.owner, 'category', [mine.categoryId]);
    expect(await listStarred(viewer)).toEqual([]);
  });

  test('of the account takes all of its stars', async () => {
    await starBoth(mine);
    await database.admin.query('delete from auth.users where id = $1', [mine.owner.id]);
    const { rows } = await database.admin.query('select from favorites where user_id = $1', [mine.owner.id]);
    expect(rows).toEqual([]);
  });
});

test('a closed account’s token reads and writes none', async () => {
  await starBoth(mine);
  await queryAs(database, 'service_role', 'select close_account($1)', [mine.owner.id]);
  expect(await attempt(mine.owner, 'select from favorites')).toEqual({ rows: 0 });
  expect(await attempt(mine.owner, 'delete from favorites')).toEqual({ rows: 0 });
});
