import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';
import {
  createSharedFolder,
  inviteToFolder,
  type MemberRole,
  type SharedFolder,
} from './support/share-folder.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let shared: SharedFolder;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shared = await createSharedFolder(database);
  await database.admin.query('truncate private.share_notifications, private.share_mail_addresses');
});

type Claimed = { readonly id: string; readonly email: string; readonly unsubscribe_token: string };

const ask = async <T>(caller: TestCaller, call: string, values: readonly unknown[]): Promise<T | undefined> =>
  (await queryAs<{ answer: T }>(database, caller, `select ${call} as answer`, values)).rows[0]?.answer;
const claim = async (max = 100) =>
  (await queryAs<Claimed>(database, 'service_role', 'select * from claim_folder_notifications($1)', [max]))
    .rows;
const claimed = async () => (await claim()).map(({ email }) => email).toSorted();
const claimOne = async (): Promise<Claimed> => {
  const [first] = await claim(1);
  if (!first) throw new Error('nothing is due');
  return first;
};
const begin = (id: string) => ask<boolean>('service_role', 'begin_share_notification($1)', [id]);
const finish = (id: string, outcome: string) =>
  ask<boolean>('service_role', 'finish_share_notification($1, $2)', [id, outcome]);
const invite = (email: string, role: MemberRole = 'viewer', caller: TestCaller = shared.owner) =>
  inviteToFolder(database, caller, shared.folderId, email, role);
const inviteMany = (count: number) =>
  queryAs(
    database,
    shared.owner,
    `insert into folder_members (folder_id, email, role)
     select $1, 'a' || n || '@exemplo.com.br', 'viewer' from generate_series(1, $2) n`,
    [shared.folderId, count],
  );
const remove = (email: string) =>
  queryAs(database, shared.owner, 'delete from folder_members where folder_id = $1 and email = $2', [
    shared.folderId,
    email,
  ]);
const queued = async () =>
  (
    await database.admin.query<{ email: string }>('select email from private.share_notifications order by 1')
  ).rows.map(({ email }) => email);
const setPlan = (plan: 'free' | 'pro') =>
  database.admin.query('update profiles set plan = $2 where id = $1', [shared.owner.id, plan]);

describe('an invitation to a folder', () => {
  test('is announced once, with what the mail says and a key to unsubscribe', async () => {
    await invite('Ana@A.br', 'editor');
    const [first, ...others] = await claim();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      folder_id: shared.folderId,
      email: 'ana@a.br',
      folder_name: expect.stringMatching(/\S/),
      role: 'editor',
      sender_name: 'Olga',
      unsubscribe_token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      attempts: 1,
    });
    const id = first?.id ?? '';
    expect(await begin(id)).toBe(true);
    expect(await begin(id)).toBe(false);
    expect(await finish(id, 'sent')).toBe(true);
    expect(await claim()).toEqual([]);
  });

  test('leads to the first category that its members see, and to none where there is none', async () => {
    const first = (
      await queryAs<{ id: string }>(
        database,
        shared.owner,
        `insert into categories (name, folder_id) values ('abacate', $1) returning id`,
        [shared.folderId],
      )
    ).rows[0]?.id;
    await queryAs(
      database,
      shared.owner,
      `insert into categories (name, folder_id, is_held_back) values ('A reservada', $1, true)`,
      [shared.folderId],
    );
    await invite('ana@a.br');
    await inviteToFolder(database, shared.owner, shared.ids['private'] ?? '', 'bia@b.br', 'viewer');
    await queryAs(database, shared.owner, 'delete from categories where folder_id = $1', [
      shared.ids['private'],
    ]);
    const leads = (await claim()).map((row) => [
      row.email,
      (row as { first_category_id?: unknown }).first_category_id,
    ]);
    expect(Object.fromEntries(leads)).toEqual({ 'ana@a.br': first, 'bia@b.br': null });
  });

  test('by a manager names the manager', async () => {
    await invite('ana@a.br', 'viewer', shared.people.manager);
    expect(await claim()).toMatchObject([{ email: 'ana@a.br', sender_name: 'Nome de manager' }]);
  });

  test('is none of those to categories, of which older copies of the server ask', async () => {
    await invite('ana@a.br');
    await ask(shared.owner, 'save_sharing($1, false, $2)', [shared.categoryId, ['bia@b.br']]);
    const { rows } = await queryAs<Claimed>(
      database,
      'service_role',
      'select * from claim_share_notifications(10)',
    );
    expect(rows.map(({ email }) => email)).toEqual(['bia@b.br']);
    expect(await claimed()).toEqual(['ana@a.br']);
  });

  test('tells its sender nothing of who takes no mails', async () => {
    await invite('ana@a.br');
    const { id, unsubscribe_token: token } = await claimOne();
    await finish(id, 'sent');
    await ask('service_role', 'unsubscribe_share_mail($1)', [token]);
    await remove('ana@a.br');
    const insert = `insert into folder_members (folder_id, email, role) values ('${shared.folderId}', '%', 'viewer') returning role`;
    const outcomes = ['ana@a.br', 'nova@a.br'].map((email) =>
      readOutcome(database, shared.owner, insert.replace('%', email)),
    );
    const [unsubscribed, other] = await Promise.all(outcomes);
    expect(unsubscribed).toEqual(other);
  });

  test('whose mail was given up is announced when it is made anew', async () => {
    await invite('ana@a.br');
    await database.admin.query(
      `update private.share_notifications set queued_at = now() - interval '8 days'`,
    );
    expect(await claim()).toEqual([]);
    await remove('ana@a.br');
    await invite('ana@a.br');
    expect(await claimed()).toEqual(['ana@a.br']);
  });
});

describe('nobody is written to', () => {
  test.each(['editor', 'viewer', 'removed', 'unconfirmed', 'stranger', 'guest'] as const)(
    'by %s, who may not invite',
    async (person) => {
      await expect(invite('ana@a.br', 'viewer', shared.people[person])).rejects.toMatchObject({
        code: '42501',
      });
      expect(await queued()).toEqual([]);
    },
  );

  test('through the function for categories, with the id of a folder', async () => {
    await invite('ana@a.br');
    await finish((await claimOne()).id, 'sent');
    await expect(
      ask(shared.owner, 'queue_share_notifications($1, $2)', [shared.folderId, ['bia@b.br']]),
    ).rejects.toMatchObject({ code: 'PT404' });
    expect(await queued()).toEqual(['ana@a.br']);
  });

  test('because of a changed role', async () => {
    await queryAs(database, shared.owner, `update folder_members set role = 'manager' where role = 'viewer'`);
    expect(await queued()).toEqual([]);
  });

  test('by the operator, who adds nobody in a person’s name', async () => {
    await inviteToFolder(database, 'service_role', shared.folderId, 'ana@a.br', 'viewer');
    expect(await queued()).toEqual([]);
  });

  test('twice, removed and invited again, in whatever spelling of the mailbox', async () => {
    await invite('ana@gmail.com');
    await finish((await claimOne()).id, 'sent');
    await remove('ana@gmail.com');
    await invite('ana@gmail.com');
    await invite('a.n.a+x@gmail.com');
    expect(await claim()).toEqual([]);
  });

  test('because a folder came back out of the bin; what still waited goes then', async () => {
    await invite('ana@a.br');
    await finish((await claimOne()).id, 'sent');
    await invite('bia@b.br');
    await database.admin.query(`delete from private.share_notifications where email = 'ana@a.br'`);
    await queryAs(database, shared.owner, 'delete from folders where id = $1', [shared.folderId]);
    expect(await claim()).toEqual([]);
    await undoDeletion(database, shared.owner, 'folder', [shared.folderId]);
    expect(await claimed()).toEqual(['bia@b.br']);
  });

  test('who was removed before it was claimed, or between claim and sending; invited again, they are', async () => {
    await invite('ana@a.br');
    await invite('bia@b.br');
    await remove('ana@a.br');
    const [bia, ...others] = await claim();
    expect([bia?.email, others]).toEqual(['bia@b.br', []]);
    await remove('bia@b.br');
    expect(await begin(bia?.id ?? '')).toBe(false);
    expect(await claim()).toEqual([]);
    await invite('bia@b.br');
    expect(await claimed()).toEqual(['bia@b.br']);
  });

  test('while the owner’s plan does not share, also where it ended between claim and sending', async () => {
    await invite('ana@a.br');
    await setPlan('free');
    expect(await claim()).toEqual([]);
    await setPlan('pro');
    const { id } = await claimOne();
    await setPlan('free');
    expect(await begin(id)).toBe(false);
  });

  test.each(['owner', 'manager'] as const)('while the account of the %s is closed', async (person) => {
    await invite('ana@a.br', 'viewer', shared.people.manager);
    const account = shared.people[person];
    const id = typeof account === 'string' ? '' : account.id;
    await database.admin.query(
      `insert into private.account_closures (user_id, reason, closed_at) values ($1, 'inactivity', now())`,
      [id],
    );
    expect(await claim()).toEqual([]);
    await database.admin.query('update private.account_closures set reopened_at = now() where user_id = $1', [
      id,
    ]);
    expect(await claimed()).toEqual(['ana@a.br']);
  });

  test.each(['owner', 'manager'] as const)(
    'while the account of the %s is banned, also where it was between claim and sending',
    async (person) => {
      await invite('ana@a.br', 'viewer', shared.people.manager);
      const account = shared.people[person];
      const ban = (until: string | null) =>
        database.admin.query('update auth.users set banned_until = $2 where id = $1', [
          typeof account === 'string' ? '' : account.id,
          until,
        ]);
      await ban('infinity');
      expect(await claim()).toEqual([]);
      await ban(null);
      const { id } = await claimOne();
      await ban('infinity');
      expect(await begin(id)).toBe(false);
      await ban(null);
      expect(await claimed()).toEqual(['ana@a.br']);
    },
  );

  test('who unsubscribed, of folders or of categories, before or after the claim, until they want it again', async () => {
    await ask(shared.owner, 'save_sharing($1, false, $2)', [shared.categoryId, ['ana@a.br']]);
    const { rows } = await queryAs<Claimed>(
      database,
      'service_role',
      'select * from claim_share_notifications(1)',
    );
    const unsubscribe = (stop: boolean) =>
      ask('service_role', 'unsubscribe_share_mail($1, $2)', [rows[0]?.unsubscribe_token, stop]);
    await finish(rows[0]?.id ?? '', 'sent');
    await unsubscribe(true);
    await invite('ana@a.br');
    expect(await claim()).toEqual([]);
    await unsubscribe(false);
    const { id } = await claimOne();
    await unsubscribe(true);
    expect(await begin(id)).toBe(false);
  });
});

describe('the limits', () => {
  const sent = (count: number, ago: string, sender: string, email: string) =>
    database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id, state, claimed_at)
       select gen_random_uuid(), $4, $1, 'sent', now() - $3::interval from generate_series(1, $2)`,
      [sender, count, ago, email],
    );

  test('are one for folders and categories of a sender', async () => {
    await sent(20, '10 seconds', shared.owner.id, 'x@a.br');
    await inviteMany(10);
    expect(await claim()).toHaveLength(5);
  });

  test('are one for folders and categories of a mailbox', async () => {
    const stranger = shared.ids['stranger'] ?? '';
    await sent(10, '1 hour', stranger, 'ana@a.br');
    await invite('ana@a.br');
    await invite('bia@b.br');
    expect(await claimed()).toEqual(['bia@b.br']);
  });

  test('hold with workers that claim at once', async () => {
    await inviteMany(40);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(10)));
    const ids = claims.flat().map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([25, 25]);
  });

  test('let a queue grow to a thousand, and inviting goes on', async () => {
    await database.admin.query(
      `insert into private.share_notifications (category_id, email, sender_id)
       select gen_random_uuid(), 'x@a.br', $1 from generate_series(1, 998)`,
      [shared.owner.id],
    );
    await inviteMany(3);
    const { rows } = await database.admin.query(
      `select (select count(*)::int from private.share_notifications where folder_id = $1) as queued,
         (select count(*)::int from folder_members where folder_id = $1 and email like 'a_@exemplo.com.br') as invited`,
      [shared.folderId],
    );
    expect(rows).toEqual([{ queued: 2, invited: 3 }]);
  });
});

test('a notification is of a category or of a folder', async () => {
  for (const ids of ['null, null', 'gen_random_uuid(), gen_random_uuid()'])
    await expect(
      database.admin.query(
        `insert into private.share_notifications (category_id, folder_id, email, sender_id) select ${ids}, 'a@a.br', $1`,
        [shared.owner.id],
      ),
    ).rejects.toMatchObject({ constraint: 'share_notifications_of_one_thing' });
});
