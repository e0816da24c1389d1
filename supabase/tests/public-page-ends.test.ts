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
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let library: Library;
let stranger: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  library = await createLibrary(database, { plan: 'plus', name: 'Marta' });
  stranger = await createUser(database.admin, { plan: 'plus' });
  await publish(true);
});

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const publish = (isPublic: boolean) =>
  queryAs(database, library.owner, 'select save_sharing($1, $2, $3)', [library.categoryId, isPublic, []]);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const setEnd = (end: Date | null, caller: TestCaller = library.owner) =>
  attempt(caller, 'select set_page_end($1, $2)', library.categoryId, end);
/** As if the moment had come. */
const end = () =>
  database.admin.query(
    `insert into private.public_pages (category_id, user_id, ends_at) values ($1, $2, now() - interval '1 second')
     on conflict (category_id) do update set ends_at = excluded.ends_at`,
    [library.categoryId, library.owner.id],
  );
const readEnd = async (caller: TestCaller = library.owner) =>
  (
    await queryAs<{ ends_at: Date | null }>(database, caller, 'select ends_at from page_limits($1)', [
      library.categoryId,
    ])
  ).rows[0]?.ends_at;
/** Every way in that knows an id, and what comes of it. */
const ways = async (caller: TestCaller, id = library.categoryId) => {
  const found: Record<string, unknown> = {};
  const folder =
    caller === 'anon'
      ? null
      : await queryAs<{ id: string }>(
          database,
          caller,
          `insert into folders (name) values (gen_random_uuid()::text) returning id`,
        );
  for (const text of [
    'select * from shared_category($1)',
    'select * from shared_links($1)',
    'select * from category_covers($1, array[$2]::uuid[])',
    ...(caller === 'anon'
      ? []
      : [
          'select * from arranged_links($1)',
          'select * from categories where id = $1',
          'select * from links where category_id = $1',
          'select * from search_received_links($3)',
          'select copy_shared_category($1, $4)',
          'select * from shared_tags(array[$2]::uuid[])',
        ]),
  ]) {
    const values = [id, library.linkId, 'exemplo', folder?.rows[0]?.id].slice(
      0,
      Math.max(...[...text.matchAll(/\$(\d)/g)].map(([, at]) => Number(at))),
    );
    const used = new Set([...text.matchAll(/\$(\d)/g)].map(([, at]) => Number(at)));
    const numbered = [...used].reduce((sql, at, place) => sql.replaceAll(`$${at}`, `#${place + 1}`), text);
    found[text] = await attempt(
      caller,
      numbered.replaceAll('#', '$'),
      ...[...used].map((at) => values[at - 1]),
    );
  }
  return found;
};
const told = async () =>
  (
    await database.admin.query(`select from realtime.messages where topic = $1`, [
      `shared:${library.categoryId}`,
    ])
  ).rowCount ?? 0;

describe('a public page with an end', () => {
  test('is open until then, and afterwards is in every way as if it were private', async () => {
    await setEnd(inDays(1));
    const before = await ways('anon');
    expect(before['select * from shared_category($1)']).toEqual({ rows: 1 });
    await publish(false);
    const asPrivate = { visitor: await ways('anon'), person: await ways(stranger) };
    await publish(true);
    expect(await ways('anon')).toEqual(before);
    await end();
    expect({ visitor: await ways('anon'), person: await ways(stranger) }).toEqual(asPrivate);
    expect(before).not.toEqual(asPrivate.visitor);
  });

  test('is its owner’s still, and of the people in its folder', async () => {
    await inviteToFolder(database, library.owner, library.folderId, stranger.email, 'viewer');
    await end();
    for (const [caller, access] of [
      [library.owner, 'owner'],
      [stranger, 'invited'],
    ] as const)
      expect(
        (await queryAs(database, caller, 'select access from shared_category($1)', [library.categoryId]))
          .rows,
      ).toEqual([{ access }]);
  });

  test('tells nobody of changes once it has ended, and its viewers when it opens again', async () => {
    await end();
    const before = await told();
    await queryAs(database, library.owner, `update links set title = 'Outro' where id = $1`, [
      library.linkId,
    ]);
    await queryAs(database, library.owner, `update categories set name = 'Outra' where id = $1`, [
      library.categoryId,
    ]);
    expect(await told()).toBe(before);
    await setEnd(inDays(7));
    expect(await told()).toBe(before + 1);
  });

  test('stays ended when it was deleted and brought back', async () => {
    await end();
    await queryAs(database, library.owner, 'delete from categories where id = $1', [library.categoryId]);
    await undoDeletion(database, library.owner, 'category', [library.categoryId]);
    expect(await attempt('anon', 'select * from shared_category($1)', library.categoryId)).toEqual({
      rows: 0,
    });
  });

  test('stays ended when a closed account comes back', async () => {
    await end();
    await database.admin.query('select private.withdraw_accounts($1)', [[library.owner.id]]);
    await database.admin.query(
      'insert into private.shares_at_rest (user_id, category_id, created_at) select $1, $2, now() where not exists (select from private.shares_at_rest where category_id = $2)',
      [library.owner.id, library.categoryId],
    );
    await database.admin.query('select private.share_again($1)', [library.owner.id]);
    const { rows } = await database.admin.query('select is_public from categories where id = $1', [
      library.categoryId,
    ]);
    expect(rows).toEqual([{ is_public: true }]);
    expect(await attempt('anon', 'select * from shared_category($1)', library.categoryId)).toEqual({
      rows: 0,
    });
  });

  test('that has ended begins anew when its owner publishes it anew', async () => {
    await end();
    await publish(false);
    await publish(true);
    expect(await readEnd()).toBeNull();
    expect(await attempt('anon', 'select * from shared_category($1)', library.categoryId)).toEqual({
      rows: 1,
    });
  });

  test('keeps an end that is still to come when it is published anew, and is not opened by another page', async () => {
    const week = inDays(7);
    await setEnd(week);
    await publish(false);
    await publish(true);
    expect(await readEnd()).toEqual(week);
    await end();
    const second = await createCategory(database, library.owner, library.folderId, 'Segunda');
    await queryAs(database, library.owner, 'select save_sharing($1, true, $2)', [second, []]);
    expect(await attempt('anon', 'select * from shared_category($1)', library.categoryId)).toEqual({
      rows: 0,
    });
  });
});

describe('the end', () => {
  test('is set, moved and taken away by the owner, who reads it', async () => {
    expect(await readEnd()).toBeNull();
    for (const date of [inDays(1), inDays(30), inDays(7), null]) {
      expect(await setEnd(date)).toEqual({ rows: 1 });
      expect(await readEnd()).toEqual(date);
    }
  });

  test('is nobody else’s to set or to read', async () => {
    await setEnd(inDays(1));
    await inviteToFolder(database, library.owner, library.folderId, stranger.email, 'manager');
    const { owner: neighbour } = await createLibrary(database, { plan: 'plus' });
    for (const other of [stranger, neighbour]) expect(await setEnd(null, other)).toEqual({ code: 'PT404' });
    expect(await readEnd(stranger)).toBeUndefined();
    expect(await setEnd(null, 'anon')).toMatchObject({ code: '42501' });
    expect(await attempt('anon', 'select * from page_limits($1)', library.categoryId)).toMatchObject({
      code: '42501',
    });
  });

  test('lies in the future, in ten years at most', async () => {
    for (const date of [inDays(-1), new Date(0), inDays(4000)])
      expect(await setEnd(date)).toEqual({ code: 'PT400' });
  });

  test('comes no later on a plan that does not share any more, but sooner', async () => {
    const week = inDays(7);
    await setEnd(week);
    await setPlan(database.admin, library.owner.id, 'free');
    const refused = { code: 'P0001', hint: 'plan_sharing' };
    expect(await setEnd(week)).toEqual({ rows: 1 });
    expect([await setEnd(inDays(8)), await setEnd(null)]).toEqual([refused, refused]);
    expect(await setEnd(inDays(1))).toEqual({ rows: 1 });
    await end();
    expect(await setEnd(inDays(1))).toEqual(refused);
  });

  test('is forgotten with its category for good, and with its owner', async () => {
    const kept = async () =>
      (await database.admin.query('select from private.public_pages where user_id = $1', [library.owner.id]))
        .rowCount;
    await setEnd(inDays(1));
    await database.admin.query('delete from auth.users where id = $1', [library.owner.id]);
    expect(await kept()).toBe(0);
  });
});
