import { pickEmoji } from '@linkoteca/domain/emoji';
import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
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

/** As the table API writes an upsert. */
const SAVE = `
  insert into folder_looks (folder_id, user_id, color, emoji) values ($1, $2, $3, $4)
  on conflict (folder_id) do update
  set folder_id = excluded.folder_id, user_id = excluded.user_id, color = excluded.color, emoji = excluded.emoji`;
const REFUSED = { code: '42501' };
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const save = (color: string | null, emoji: string | null, { owner, folderId }: Library = mine) =>
  attempt(owner, SAVE, folderId, owner.id, color, emoji);

async function readLooks(caller: TestCaller = mine.owner): Promise<readonly unknown[]> {
  const { rows } = await queryAs(database, caller, 'select folder_id, color, emoji from folder_looks');
  return rows;
}

describe('the look of a folder', () => {
  test('is saved and changed, one a folder, also back to nothing', async () => {
    expect(await save('blue', '📚')).toEqual({ rows: 1 });
    expect(await readLooks()).toEqual([{ folder_id: mine.folderId, color: 'blue', emoji: '📚' }]);
    expect(await save(null, '🍳')).toEqual({ rows: 1 });
    expect(await save(null, null)).toEqual({ rows: 1 });
    expect(await readLooks()).toEqual([{ folder_id: mine.folderId, color: null, emoji: null }]);
  });

  test('has a colour of the palette', async () => {
    for (const color of FOLDER_COLORS) expect(await save(color, null)).toEqual({ rows: 1 });
    for (const color of ['', 'Blue', 'gold', '#ff0000', 'url(//a.br)'])
      expect(await save(color, null)).toMatchObject({
        code: '23514',
        constraint: 'folder_looks_color_known',
      });
  });

  test.each(['📚', '🍳', '✈️', '💼', '🎓', '🎬', '👩🏽‍🍳', '🇧🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '©️', '🫠'])(
    'has an emoji as it is typed: %s',
    async (emoji) => {
      expect(pickEmoji(emoji)).toBe(emoji);
      expect(await save(null, emoji)).toEqual({ rows: 1 });
    },
  );

  test.each([
    '',
    ' ',
    'a',
    'á',
    '📚a',
    '📚 ',
    '\u200d',
    '\ufe0f',
    '7',
    '\u202e📚',
    '\n📚',
    '📚\u0007',
    '漢',
    '<b>',
  ])('has no other text in place of an emoji: %j', async (text) => {
    expect(await save(null, text)).toMatchObject({ code: '23514' });
  });

  test('has an emoji of sixteen characters at most', async () => {
    expect(await save(null, '📚'.repeat(16))).toEqual({ rows: 1 });
    expect(await save(null, '📚'.repeat(17))).toMatchObject({
      code: '23514',
      constraint: 'folder_looks_emoji_made_of_symbols',
    });
  });
});

describe('a stranger', () => {
  test('gives no look to somebody else’s folder, and is told the same of it as of what does not exist', async () => {
    const other = await createLibrary(database);
    const aim = async (folderId: string, userId: string) =>
      await attempt(other.owner, SAVE, folderId, userId, 'red', '🍳');
    for (const folderId of [mine.folderId, crypto.randomUUID()]) {
      expect(await aim(folderId, other.owner.id)).toMatchObject(REFUSED);
      expect(await aim(folderId, mine.owner.id)).toMatchObject(REFUSED);
    }
    // Also where it has one.
    await save('blue', '📚');
    for (const userId of [other.owner.id, mine.owner.id])
      expect(await aim(mine.folderId, userId)).toMatchObject(REFUSED);
    expect(await readLooks()).toEqual([{ folder_id: mine.folderId, color: 'blue', emoji: '📚' }]);
  });

  test('sees, changes, takes and gives away nothing', async () => {
    const other = await createLibrary(database);
    await save('blue', '📚');
    await save('red', null, other);
    expect(await readLooks(other.owner)).toEqual([{ folder_id: other.folderId, color: 'red', emoji: null }]);
    const change = `update folder_looks set color = 'pink' where folder_id = $1`;
    expect(await attempt(other.owner, change, mine.folderId)).toEqual({ rows: 0 });
    const move = 'update folder_looks set folder_id = $1 where folder_id = $2';
    expect(await attempt(other.owner, move, mine.folderId, other.folderId)).toMatchObject(REFUSED);
    const give = 'update folder_looks set user_id = $1 where folder_id = $2';
    expect(await attempt(other.owner, give, mine.owner.id, other.folderId)).toMatchObject(REFUSED);
    expect(await attempt(other.owner, 'delete from folder_looks')).toMatchObject(REFUSED);
    expect(await readLooks()).toEqual([{ folder_id: mine.folderId, color: 'blue', emoji: '📚' }]);
  });

  test('does not see it with a category that is shared with them, nor on a public page', async () => {
    const viewer = await createUser(database.admin, { plan: 'pro' });
    await save('blue', '📚');
    await queryAs(database, mine.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
      mine.categoryId,
      viewer.email,
    ]);
    expect(await readLooks(viewer)).toEqual([]);
    await queryAs(database, mine.owner, 'delete from shared_with');
    await queryAs(database, mine.owner, 'update categories set is_public = true where id = $1', [
      mine.categoryId,
    ]);
    expect(await readLooks(viewer)).toEqual([]);
    expect(await attempt('anon', 'select from folder_looks')).toMatchObject(REFUSED);
    expect(await attempt('anon', SAVE, mine.folderId, mine.owner.id, 'red', null)).toMatchObject(REFUSED);
  });
});

describe('a deletion', () => {
  const removeFolder = () =>
    queryAs(database, mine.owner, 'delete from folders where id = $1', [mine.folderId]);

  test('of the folder takes its look along, and its undo brings it back', async () => {
    await save('blue', '📚');
    const before = await readLooks();
    await removeFolder();
    expect(await readLooks()).toEqual([]);
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    expect(await readLooks()).toEqual(before);
  });

  test('is undone from the bin with the look that the folder had last', async () => {
    await save('red', null);
    await removeFolder();
    await undoDeletion(database, mine.owner, 'folder', [mine.folderId]);
    await save('teal', '🎬');
    await removeFolder();
    const { rows } = await queryAs<{ id: string }>(database, mine.owner, 'select id from list_bin()');
    await queryAs(database, mine.owner, 'select restore_from_bin($1)', [rows[0]?.id]);
    expect(await readLooks()).toEqual([{ folder_id: mine.folderId, color: 'teal', emoji: '🎬' }]);
  });

  test('does not give its look to a folder that is written anew under the same id', async () => {
    await save('blue', '📚');
    await removeFolder();
    await queryAs(database, mine.owner, `insert into folders (id, name) values ($1, 'Outra')`, [
      mine.folderId,
    ]);
    expect(await readLooks()).toEqual([]);
  });

  test('keeps the look for the copy of the account', async () => {
    const contents = async () => {
      const { rows } = await queryAs<{ look: unknown }>(
        database,
        mine.owner,
        `select content -> 'folder_looks' as look from list_bin_rows() where kind = 'folder'`,
      );
      return rows.map(({ look }) => look);
    };
    await save('blue', '📚');
    await removeFolder();
    expect(await contents()).toEqual([{ color: 'blue', emoji: '📚' }]);
    const plain = await createLibrary(database);
    mine = plain;
    await removeFolder();
    expect(await contents()).toEqual([null]);
  });

  test('of the account takes every look, in the bin as well', async () => {
    await save('blue', '📚');
    await database.admin.query('delete from auth.users where id = $1', [mine.owner.id]);
    const { rows } = await database.admin.query(
      `select from folder_looks where user_id = $1
       union all select from private.deleted_rows where content ->> 'user_id' = $1::text`,
      [mine.owner.id],
    );
    expect(rows).toEqual([]);
  });
});

test('a copied category takes no look along: it goes to a folder of whoever copies', async () => {
  const viewer = await createLibrary(database, { plan: 'pro' });
  await save('blue', '📚');
  await queryAs(database, mine.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
    mine.categoryId,
    viewer.owner.email,
  ]);
  await queryAs(database, viewer.owner, 'select copy_shared_category($1, $2)', [
    mine.categoryId,
    viewer.folderId,
  ]);
  expect(await readLooks(viewer.owner)).toEqual([]);
});

test('a closed account’s token reads and writes none', async () => {
  await save('blue', '📚');
  await queryAs(database, 'service_role', 'select close_account($1)', [mine.owner.id]);
  expect(await readLooks()).toEqual([]);
  expect(await save('red', null)).toMatchObject(REFUSED);
  expect(await attempt(mine.owner, `update folder_looks set color = 'red'`)).toEqual({ rows: 0 });
});
