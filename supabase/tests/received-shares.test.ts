import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let pushy: Library;
let friend: Library;
let receiver: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

/** A free person to whom somebody pushy had shared a category before their friend did. */
beforeEach(async () => {
  pushy = await createLibrary(database, { plan: 'pro', name: 'Caio' });
  friend = await createLibrary(database, { plan: 'pro', name: 'Bia' });
  receiver = await createUser(database.admin);
  stranger = await createUser(database.admin, { plan: 'pro' });
  await share(pushy);
  await share(friend);
});

const call = async (caller: TestCaller, name: string, ...values: readonly unknown[]) => {
  const args = values.map((_, at) => `$${at + 1}`).join(', ');
  const { rows } = await queryAs<{ answer: unknown }>(
    database,
    caller,
    `select ${name}(${args}) as answer`,
    values,
  );
  return rows[0]?.answer;
};
const share = (library: Library, emails: readonly string[] = [receiver.email]) =>
  call(library.owner, 'save_sharing', library.categoryId, false, emails);
const listed = async (caller: TestUser = receiver) =>
  (
    await queryAs<{ id: string }>(
      database,
      caller,
      'select category_id as id from shared_with where email = $1 order by created_at, category_id',
      [caller.email],
    )
  ).rows.map(({ id }) => id);
const opened = async (caller: TestUser = receiver) =>
  (
    await queryAs<{ id: string }>(
      database,
      caller,
      `select category_id as id from links where category_id = any ($1)`,
      [[pushy.categoryId, friend.categoryId]],
    )
  ).rows.map(({ id }) => id);
const refusal = (caller: TestCaller, name: string, id: string) =>
  readOutcome(database, caller, `select ${name}($1)`, [id]);

describe('a free person', () => {
  test('opens the earliest share until they choose another, and then that one alone', async () => {
    expect(await opened()).toEqual([pushy.categoryId]);
    expect(await call(receiver, 'opened_share')).toBeNull();
    await call(receiver, 'open_share', friend.categoryId);
    expect(await opened()).toEqual([friend.categoryId]);
    expect(await call(receiver, 'opened_share')).toBe(friend.categoryId);
    expect(await listed()).toEqual([pushy.categoryId, friend.categoryId]);
    const seen = await queryAs(database, receiver, 'select access from shared_category($1)', [
      pushy.categoryId,
    ]);
    expect(seen.rows).toEqual([{ access: 'limited' }]);
    expect(await refusal(receiver, 'shared_links', pushy.categoryId)).toEqual({ rows: 0 });
  });

  test('is back at the earliest when what they chose is no longer shared', async () => {
    await call(receiver, 'open_share', friend.categoryId);
    await share(friend, []);
    expect(await opened()).toEqual([pushy.categoryId]);
    expect(await call(receiver, 'opened_share')).toBeNull();
  });

  test('has the place free for the next one when they leave the first', async () => {
    await call(receiver, 'leave_share', pushy.categoryId);
    expect(await listed()).toEqual([friend.categoryId]);
    expect(await opened()).toEqual([friend.categoryId]);
    expect(await refusal(receiver, 'shared_category', pushy.categoryId)).toEqual({ rows: 0 });
  });

  test('has the place for another share while the first, or the one they chose, comes by a shared folder, too', async () => {
    const both = [pushy.categoryId, friend.categoryId].toSorted();
    await inviteToFolder(database, pushy.owner, pushy.folderId, receiver.email, 'viewer');
    expect((await opened()).toSorted()).toEqual(both);
    await call(receiver, 'open_share', pushy.categoryId);
    expect((await opened()).toSorted()).toEqual(both);
    const later = await createLibrary(database, { plan: 'pro' });
    await share(later);
    expect(await refusal(receiver, 'shared_links', later.categoryId)).toEqual({ rows: 0 });
    // What is held back comes by category alone.
    await queryAs(database, pushy.owner, 'update categories set is_held_back = true where id = $1', [
      pushy.categoryId,
    ]);
    expect(await opened()).toEqual([pushy.categoryId]);
  });

  test('chooses in vain what is not shared with them', async () => {
    const refused = { code: 'PT404' };
    expect(await refusal(stranger, 'open_share', friend.categoryId)).toEqual(refused);
    expect(await refusal(stranger, 'leave_share', friend.categoryId)).toEqual(refused);
    expect(await refusal(stranger, 'return_to_share', friend.categoryId)).toEqual(refused);
    expect(await call(stranger, 'has_left_share', friend.categoryId)).toBe(false);
    expect(await opened(stranger)).toEqual([]);
    expect(await listed()).toHaveLength(2);
    await expect(call('anon', 'leave_share', friend.categoryId)).rejects.toThrow('permission denied');
  });
});

test('whose plan opens all of them loses none by choosing', async () => {
  await setPlan(database.admin, receiver.id, 'plus');
  await call(receiver, 'open_share', friend.categoryId);
  expect((await opened()).toSorted()).toEqual([pushy.categoryId, friend.categoryId].toSorted());
});

describe('what was left', () => {
  beforeEach(() => call(receiver, 'leave_share', pushy.categoryId));
  const invite = `insert into shared_with (category_id, email) values ($1, $2)`;
  const refused = { code: 'PT409', hint: 'share_left' };

  test('does not come back by inviting again, in whatever way', async () => {
    const address = receiver.email.toUpperCase();
    expect(await readOutcome(database, pushy.owner, invite, [pushy.categoryId, address])).toEqual(refused);
    expect(await readOutcome(database, 'service_role', invite, [pushy.categoryId, receiver.email])).toEqual(
      refused,
    );
    await expect(share(pushy)).rejects.toThrow(`${receiver.email} saiu deste compartilhamento`);
    await share(pushy, ['outra@exemplo.com.br']);
    await share(pushy, []);
    await expect(share(pushy)).rejects.toThrow('saiu deste compartilhamento');
    expect(await listed()).toEqual([friend.categoryId]);
    expect(await opened()).toEqual([friend.categoryId]);
  });

  test('does not come back when the category is deleted and brought back', async () => {
    await queryAs(database, pushy.owner, 'delete from categories where id = $1', [pushy.categoryId]);
    await call(pushy.owner, 'undo_deletion', 'category', [pushy.categoryId]);
    expect(await listed()).toEqual([friend.categoryId]);
    await expect(share(pushy)).rejects.toThrow('saiu deste compartilhamento');
  });

  test('does not come back with a category that comes back under another id, its own taken meanwhile', async () => {
    await queryAs(database, pushy.owner, 'delete from categories where id = $1', [pushy.categoryId]);
    await queryAs(
      database,
      friend.owner,
      `insert into categories (id, name, folder_id) values ($1, 'Tomada', $2)`,
      [pushy.categoryId, friend.folderId],
    );
    await call(friend.owner, 'save_sharing', pushy.categoryId, false, [stranger.email]);
    await call(stranger, 'leave_share', pushy.categoryId);
    await call(pushy.owner, 'undo_deletion', 'category', [pushy.categoryId]);
    const { rows } = await queryAs<{ id: string }>(database, pushy.owner, 'select id from categories');
    const back = { ...pushy, categoryId: rows[0]?.id ?? '' };
    expect(back.categoryId).not.toBe(pushy.categoryId);
    await expect(share(back)).rejects.toThrow('saiu deste compartilhamento');
    // Each category has those who left it, and no others.
    await call(pushy.owner, 'save_sharing', back.categoryId, false, [stranger.email]);
    await call(friend.owner, 'save_sharing', pushy.categoryId, false, [receiver.email]);
    await expect(
      call(friend.owner, 'save_sharing', pushy.categoryId, false, [stranger.email]),
    ).rejects.toThrow('saiu deste compartilhamento');
  });

  test('does not come back with a category that lay in the bin while they left another, days later', async () => {
    const leavings = async () =>
      (await database.admin.query('select from private.left_shares where user_id = $1', [receiver.id]))
        .rowCount;
    const third = await createLibrary(database, { plan: 'pro' });
    await share(third);
    await call(receiver, 'leave_share', third.categoryId);
    await database.admin.query(`update private.left_shares set left_at = now() - interval '2 days'`);
    await queryAs(database, pushy.owner, 'delete from categories where id = $1', [pushy.categoryId]);
    await queryAs(database, third.owner, 'delete from categories where id = $1', [third.categoryId]);
    await database.admin.query('delete from private.deleted_rows where id = $1', [third.categoryId]);
    await call(receiver, 'leave_share', friend.categoryId);
    // What is in no bin is forgotten.
    expect(await leavings()).toBe(2);
    await call(pushy.owner, 'undo_deletion', 'category', [pushy.categoryId]);
    await expect(share(pushy)).rejects.toThrow('saiu deste compartilhamento');
  });

  test('is open again at once, at its old place, for whoever takes it back within minutes', async () => {
    expect(await call(receiver, 'has_left_share', pushy.categoryId)).toBe(true);
    expect(await call(receiver, 'return_to_share', pushy.categoryId)).toBe(true);
    expect(await listed()).toEqual([pushy.categoryId, friend.categoryId]);
    expect(await opened()).toEqual([pushy.categoryId]);
    expect(await refusal(receiver, 'return_to_share', pushy.categoryId)).toEqual({ code: 'PT404' });
  });

  test('can be shared again later, once whoever left says so, and not before the owner does', async () => {
    await database.admin.query(`update private.left_shares set left_at = now() - interval '6 minutes'`);
    expect(await call(receiver, 'return_to_share', pushy.categoryId)).toBe(false);
    expect(await listed()).toEqual([friend.categoryId]);
    await share(pushy);
    expect(await listed()).toEqual([friend.categoryId, pushy.categoryId]);
  });

  test('stays closed to whoever takes it back when it was published or deleted meanwhile', async () => {
    await call(pushy.owner, 'save_sharing', pushy.categoryId, true, []);
    expect(await call(receiver, 'return_to_share', pushy.categoryId)).toBe(false);
    const { rows } = await database.admin.query('select from shared_with where category_id = $1', [
      pushy.categoryId,
    ]);
    expect(rows).toEqual([]);

    await call(receiver, 'leave_share', friend.categoryId);
    await queryAs(database, friend.owner, 'delete from categories where id = $1', [friend.categoryId]);
    expect(await call(receiver, 'return_to_share', friend.categoryId)).toBe(false);
  });

  test('tells a stranger who tries the address nothing', async () => {
    const outcomes = [receiver.email, 'nunca-convidada@exemplo.com.br'].map((email) =>
      readOutcome(database, stranger, invite, [pushy.categoryId, email]),
    );
    const [one, other] = await Promise.all(outcomes);
    expect(one).toEqual(other);
    expect(one).toEqual({ code: '42501' });
  });

  test('is not told to others who were invited, nor to another owner', async () => {
    await share(friend, [receiver.email, stranger.email]);
    expect(await listed()).toEqual([friend.categoryId]);
    for (const table of ['private.left_shares', 'private.chosen_shares'])
      for (const caller of [pushy.owner, stranger, 'anon', 'service_role'] as const)
        expect(await readOutcome(database, caller, `select * from ${table}`)).toEqual({ code: '42501' });
  });
});

test('of leaving and inviting at once, leaving is not undone', async () => {
  await Promise.allSettled([
    call(receiver, 'leave_share', pushy.categoryId),
    ...Array.from({ length: 5 }, (_, n) => share(pushy, [receiver.email, `p${n}@exemplo.com.br`])),
  ]);
  expect(await listed()).toEqual([friend.categoryId]);
});

describe('who left and has since taken another invited address', () => {
  const takeAddress = async (email: string) => {
    await database.admin.query('update auth.users set email = $2 where id = $1', [receiver.id, email]);
    return { ...receiver, email };
  };
  const remove = () =>
    queryAs(database, pushy.owner, 'delete from categories where id = $1', [pushy.categoryId]);
  const restore = () => call(pushy.owner, 'undo_deletion', 'category', [pushy.categoryId]);
  let next: string;
  beforeEach(async () => {
    next = `depois-${receiver.email}`;
    await share(pushy, [receiver.email, next]);
    await call(receiver, 'leave_share', pushy.categoryId);
  });

  test('holds nothing of the owner’s back', async () => {
    const renamed = await takeAddress(next);
    expect(await listed(renamed)).toEqual([pushy.categoryId]);
    expect(await call(renamed, 'has_left_share', pushy.categoryId)).toBe(false);
    await remove();
    expect(await restore()).toMatchObject({ categories: 1 });
    expect(await listed(renamed)).toEqual([pushy.categoryId]);
    await inviteToFolder(database, pushy.owner, pushy.folderId, stranger.email, 'editor');
    await call(pushy.owner, 'offer_folder', pushy.folderId, stranger.email);
    await call(stranger, 'take_folder', pushy.folderId);
    expect(await listed(renamed)).toEqual([pushy.categoryId]);
  });

  test('is not put back by what comes from the bin or from rest, and the rest comes', async () => {
    await share(pushy, ['fica@exemplo.com.br', next]);
    const addresses = async () =>
      (
        await queryAs<{ email: string }>(
          database,
          pushy.owner,
          'select email from shared_with where category_id = $1',
          [pushy.categoryId],
        )
      ).rows.map(({ email }) => email);
    await remove();
    const renamed = await takeAddress(next);
    expect(await restore()).toMatchObject({ categories: 1, links: 1 });
    expect(await addresses()).toEqual(['fica@exemplo.com.br']);
    await expect(share(pushy, [next])).rejects.toThrow('saiu deste compartilhamento');

    await share(pushy, []);
    await database.admin.query(
      `insert into private.shares_at_rest (user_id, category_id, email, created_at)
       select $1, $2, email, now() from unnest($3::text[]) email`,
      [pushy.owner.id, pushy.categoryId, ['fica@exemplo.com.br', next]],
    );
    await database.admin.query('select private.share_again($1)', [pushy.owner.id]);
    expect(await addresses()).toEqual(['fica@exemplo.com.br']);
    expect(await listed(renamed)).toEqual([]);
  });
});

test('an older list from the bin brings nobody back who left the category that was made in its place', async () => {
  const { owner, categoryId, folderId } = pushy;
  const remove = () => queryAs(database, owner, 'delete from categories where id = $1', [categoryId]);
  await remove();
  await queryAs(database, owner, `insert into categories (id, name, folder_id) values ($1, 'De novo', $2)`, [
    categoryId,
    folderId,
  ]);
  await share(pushy);
  await call(receiver, 'leave_share', categoryId);
  await remove();
  const { rows } = await queryAs<{ id: string }>(database, owner, 'select id from list_bin() order by id');
  expect(rows).toHaveLength(2);
  await call(owner, 'restore_from_bin', rows[0]?.id);
  expect(await listed()).toEqual([friend.categoryId]);
});
