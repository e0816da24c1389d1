import { randomUUID } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup, inviteToFolder, shareWithGroup } from './support/share-folder.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const SAVE = 'select save_group($1, $2, $3)';
const TAKE = 'select save_group($1, $2, $3, $4)';
const SHARE = 'select share_folder_with_group($1, $2, $3)';
const ADD = `insert into links (url, title, category_id) values ('https://n.br/', 'N', $1)`;
const FULL = { code: 'P0001', hint: 'plan_limit_folder_members' };
const people = (count: number, name = 'p') => Array.from({ length: count }, (_, n) => `${name}${n}@a.br`);

async function read<Row extends object>(caller: TestCaller, text: string, values: readonly unknown[] = []) {
  return (await queryAs<Row & Record<string, unknown>>(database, caller, text, values)).rows;
}
const places = (caller: TestCaller) => read(caller, 'select role, may_write from received_folders()');
const countMembers = async (folderId: string) =>
  (
    await database.admin.query<{ count: number }>(
      'select count(distinct email)::int as count from folder_members where folder_id = $1',
      [folderId],
    )
  ).rows[0]?.count;

/** A folder shared with a group of one person. */
async function shareWithTeam(plan: 'plus' | 'pro' = 'pro') {
  const library = await createLibrary(database, { plan });
  const member = await createUser(database.admin);
  const groupId = await createGroup(database, library.owner, 'Redação', [member.email]);
  await shareWithGroup(database, library.owner, library.folderId, groupId, 'editor');
  return { ...library, member, groupId };
}

describe('a group', () => {
  test('is a name and addresses, each once, without its owner’s', async () => {
    const owner = await createUser(database.admin);
    const groupId = await createGroup(database, owner, ' Turma 9B ', [
      'Ana@A.br ',
      'ana@a.br',
      owner.email.toUpperCase(),
      'bia@a.br',
    ]);
    const list = 'select name, emails, folder_count from list_groups()';
    expect(await read(owner, list)).toEqual([
      { name: 'Turma 9B', emails: ['ana@a.br', 'bia@a.br'], folder_count: 0 },
    ]);
    await queryAs(database, owner, TAKE, [groupId, 'Turma 1A', ['caio@a.br'], ['ANA@a.br']]);
    expect(await read(owner, list)).toEqual([
      { name: 'Turma 1A', emails: ['bia@a.br', 'caio@a.br'], folder_count: 0 },
    ]);
  });

  test.each([
    ['a name that is empty', '', ['a@a.br'], 'groups_name_length'],
    ['a name that is too long', 'x'.repeat(101), [], 'groups_name_length'],
    ['what is no address', 'G', ['ana'], 'group_members_email_valid'],
    ['an address that is too long', 'G', [`${'x'.repeat(300)}@a.br`], 'group_members_email_valid'],
  ])('takes no %s, and nothing of it is kept', async (_, name, emails, constraint) => {
    const owner = await createUser(database.admin);
    expect(await readOutcome(database, owner, SAVE, [randomUUID(), name, emails])).toMatchObject({
      constraint,
    });
    expect(await read(owner, 'select id from list_groups()')).toEqual([]);
  });

  test('has a name of its own among its owner’s', async () => {
    const owner = await createUser(database.admin);
    await createGroup(database, owner, 'Turma', []);
    expect(await readOutcome(database, owner, SAVE, [randomUUID(), 'TURMA', []])).toMatchObject({
      constraint: 'groups_name_once',
    });
    await createGroup(database, await createUser(database.admin), 'Turma', []);
  });

  test('is nothing to a stranger, a member or a visitor: they read, change, delete and share with none of it', async () => {
    const { owner, groupId, member } = await shareWithTeam();
    const before = await read(owner, 'select * from list_groups()');
    const stranger = await createLibrary(database, { plan: 'pro' });
    for (const who of [stranger.owner, member, 'anon'] as const) {
      const refused = { code: who === 'anon' ? '42501' : 'PT404' };
      const attempt = (text: string, ...values: unknown[]) => readOutcome(database, who, text, values);
      expect(await attempt(SAVE, groupId, 'Minha', ['x@a.br'])).toEqual(refused);
      expect(await attempt('select delete_group($1)', groupId)).toEqual(refused);
      expect(
        await attempt('select restore_group($1, $2)', groupId, { name: 'N', emails: [], folders: [] }),
      ).toEqual(refused);
      expect(await attempt(SHARE, stranger.folderId, groupId, 'viewer')).toEqual(refused);
      expect(await attempt('select end_group_share($1, $2)', stranger.folderId, groupId)).toEqual(refused);
      if (who !== 'anon') expect(await attempt('select from list_groups()')).toEqual({ rows: 0 });
    }
    expect(await read(owner, 'select * from list_groups()')).toEqual(before);
  });

  test('ends with the bounds of groups and of addresses, also where two race for the last place', async () => {
    const owner = await createUser(database.admin);
    const beyond = (what: string) => ({ code: 'P0001', hint: `bound_${what}` });
    const many = `select save_group(gen_random_uuid(), 'G' || n) from generate_series(1, $1::int) n`;
    expect(await readOutcome(database, owner, many, [101])).toEqual(beyond('groups'));
    expect(await readOutcome(database, owner, many, [99])).toEqual({ rows: 99 });
    const race = await Promise.all(
      people(6).map((name) => readOutcome(database, owner, SAVE, [randomUUID(), name, []])),
    );
    expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    const [first] = await read<{ id: string }>(owner, 'select id from list_groups() limit 1');
    expect(await readOutcome(database, owner, SAVE, [first?.id, 'G', people(501)])).toEqual(
      beyond('group_emails'),
    );
    expect(await readOutcome(database, owner, SAVE, [first?.id, 'G', people(500)])).toEqual({ rows: 1 });
  });
});

describe('whoever is in a group', () => {
  test('has a place in its folders at once, and loses it on leaving the group', async () => {
    const { owner, groupId, categoryId, member } = await shareWithTeam();
    expect(await places(member)).toEqual([{ role: 'editor', may_write: true }]);
    expect(await readOutcome(database, member, ADD, [categoryId])).toEqual({ rows: 1 });
    const late = await createUser(database.admin);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', [late.email]]);
    expect(await places(late)).toHaveLength(1);
    await queryAs(database, owner, TAKE, [groupId, 'Redação', [], [member.email]]);
    expect(await places(member)).toEqual([]);
    expect(await readOutcome(database, member, ADD, [categoryId])).toMatchObject({ code: '23503' });
    expect(await places(late)).toHaveLength(1);
    await queryAs(database, owner, 'delete from folders');
    expect(await places(late)).toEqual([]);
  });

  test('follows the group’s role, and meets an invitation in the higher of the two', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam();
    const role = async () => (await places(member))[0]?.['role'];
    await inviteToFolder(database, owner, folderId, member.email, 'viewer');
    expect(await role()).toBe('editor');
    await queryAs(database, owner, SHARE, [folderId, groupId, 'manager']);
    expect(await role()).toBe('manager');
    await queryAs(database, owner, SHARE, [folderId, groupId, 'viewer']);
    await queryAs(database, owner, `update folder_members set role = 'editor' where folder_id = $1`, [
      folderId,
    ]);
    expect(await role()).toBe('editor');
    await queryAs(database, owner, 'delete from folder_members where folder_id = $1 and group_id is null', [
      folderId,
    ]);
    expect(await role()).toBe('viewer');
    await queryAs(database, owner, 'select end_group_share($1, $2)', [folderId, groupId]);
    expect(await places(member)).toEqual([]);
  });

  test('leaves a folder for good, without leaving the group', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam();
    await queryAs(database, member, 'delete from folder_members where folder_id = $1 and email = $2', [
      folderId,
      member.email,
    ]);
    expect(await places(member)).toEqual([]);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', ['outra@a.br']]);
    await queryAs(database, owner, SHARE, [folderId, groupId, 'viewer']);
    expect(await places(member)).toEqual([]);
    expect(await read(owner, 'select cardinality(emails) as count from list_groups()')).toEqual([
      { count: 2 },
    ]);
  });

  test('is mailed once a folder, however often they come to it', async () => {
    const { owner, folderId, member } = await shareWithTeam();
    await inviteToFolder(database, owner, folderId, member.email, 'manager');
    const claimed = await database.admin.query(
      'select email, role from claim_folder_notifications(100) where folder_id = $1',
      [folderId],
    );
    expect(claimed.rows).toEqual([{ email: member.email, role: 'manager' }]);
  });

  test('sees no other address, and a manager every one of the folder’s', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam();
    await queryAs(database, owner, SAVE, [groupId, 'Redação', ['outra@a.br']]);
    const seen = 'select email from folder_members order by email';
    expect(await read(member, seen)).toEqual([{ email: member.email }]);
    await queryAs(database, owner, SHARE, [folderId, groupId, 'manager']);
    expect(await read(member, seen)).toHaveLength(2);
  });
});

describe('the owner’s plan', () => {
  test('counts people, however they come to a folder: three, also by groups that meet', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    const [a, b] = [
      await createGroup(database, owner, 'A', people(3)),
      await createGroup(database, owner, 'B', people(2)),
    ];
    await shareWithGroup(database, owner, folderId, a, 'viewer');
    await shareWithGroup(database, owner, folderId, b, 'editor');
    await inviteToFolder(database, owner, folderId, 'p0@a.br', 'manager');
    expect(await countMembers(folderId)).toBe(3);
    expect(await readOutcome(database, owner, SAVE, [b, 'B', ['mais@a.br']])).toEqual(FULL);
    expect(
      await readOutcome(database, owner, SHARE, [
        folderId,
        await createGroup(database, owner, 'C', ['c@a.br']),
        'viewer',
      ]),
    ).toEqual(FULL);
    expect(
      await readOutcome(
        database,
        owner,
        `insert into folder_members (folder_id, email, role) values ($1, 'x@a.br', 'viewer')`,
        [folderId],
      ),
    ).toEqual(FULL);
    expect(await countMembers(folderId)).toBe(3);
  });

  test('holds where an address, a group’s folder and an invitation race for the last place', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
      const a = await createGroup(database, owner, 'A', people(2));
      const b = await createGroup(database, owner, 'B', ['b@a.br']);
      await shareWithGroup(database, owner, folderId, a, 'viewer');
      const race = await Promise.all([
        readOutcome(database, owner, SAVE, [a, 'A', ['c@a.br']]),
        readOutcome(database, owner, SHARE, [folderId, b, 'viewer']),
        readOutcome(
          database,
          owner,
          `insert into folder_members (folder_id, email, role) values ($1, 'd@a.br', 'viewer')`,
          [folderId],
        ),
      ]);
      expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
      expect(race.filter((outcome) => 'code' in outcome)).toEqual([FULL, FULL]);
      expect(await countMembers(folderId)).toBe(3);
    }
  });

  test('that does not share keeps groups, and adds nobody by them', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam('plus');
    await setPlan(database.admin, owner.id, 'free');
    const refused = { code: 'P0001', hint: 'plan_sharing' };
    expect(await places(member)).toEqual([{ role: 'editor', may_write: false }]);
    expect(await readOutcome(database, owner, SAVE, [groupId, 'Redação', ['x@a.br']])).toEqual(refused);
    expect(await readOutcome(database, owner, SHARE, [folderId, groupId, 'manager'])).toEqual(refused);
    const empty = await createGroup(database, owner, 'Vazio', []);
    expect(await readOutcome(database, owner, SHARE, [folderId, empty, 'viewer'])).toEqual(refused);
    expect(await readOutcome(database, owner, SHARE, [folderId, groupId, 'viewer'])).toEqual({ rows: 1 });
    expect(await readOutcome(database, owner, TAKE, [groupId, 'Redação', [], [member.email]])).toEqual({
      rows: 1,
    });
    expect(await places(member)).toEqual([]);
  });
});

test('of an address that comes while its group is being shared nobody loses the place', async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
    const groupId = await createGroup(database, owner, 'A', ['a@a.br']);
    const race = await Promise.all([
      readOutcome(database, owner, SAVE, [groupId, 'A', ['b@a.br']]),
      readOutcome(database, owner, SHARE, [folderId, groupId, 'viewer']),
      readOutcome(database, owner, TAKE, [groupId, 'A', ['c@a.br'], ['a@a.br']]),
    ]);
    expect(race).toEqual([{ rows: 1 }, { rows: 1 }, { rows: 1 }]);
    expect(
      await read(owner, 'select email from folder_members where folder_id = $1 order by email', [folderId]),
    ).toEqual([{ email: 'b@a.br' }, { email: 'c@a.br' }]);
  }
});

describe('a deleted group', () => {
  test('takes its places along and gives back exactly those when it is had back', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam();
    const left = await createUser(database.admin);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', [left.email]]);
    await queryAs(database, left, 'delete from folder_members where email = $1', [left.email]);
    const before = await read(owner, 'select name, emails, folder_count from list_groups()');
    const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
    expect(await places(member)).toEqual([]);
    expect(await read(owner, 'select id from list_groups()')).toEqual([]);
    await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
    expect(await read(owner, 'select name, emails, folder_count from list_groups()')).toEqual(before);
    expect(await places(member)).toEqual([{ role: 'editor', may_write: true }]);
    expect(await places(left)).toEqual([]);
    expect(await countMembers(folderId)).toBe(1);
  });

  test('mails nobody anew when it is had back, and still mails who waits for it', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam();
    const queued = async () =>
      (
        await database.admin.query(
          'select email, state from private.share_notifications where folder_id = $1',
          [folderId],
        )
      ).rows;
    const deleteAndRestore = async () => {
      const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
      await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
      expect(await places(member)).toEqual([{ role: 'editor', may_write: true }]);
    };
    await deleteAndRestore();
    expect(await queued()).toEqual([{ email: member.email, state: 'waiting' }]);
    // What was mailed is forgotten after thirty days.
    await database.admin.query('delete from private.share_notifications where folder_id = $1', [folderId]);
    await deleteAndRestore();
    expect(await queued()).toEqual([]);
  });

  test('has its people in its folders since they came', async () => {
    const { owner, categoryId, groupId, member } = await shareWithTeam();
    const editor = await createUser(database.admin);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', [editor.email]]);
    await queryAs(database, member, ADD, [categoryId]);
    const seen = () =>
      Promise.all([
        read(owner, 'select email, created_at from folder_members order by email'),
        read(editor, 'select category_id, added from folder_news()'),
        read(editor, 'select act from category_history($1)', [categoryId]),
      ]);
    const before = await seen();
    expect(before.slice(1)).toEqual([[{ category_id: categoryId, added: 1 }], [{ act: 'saved' }]]);
    const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
    await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
    expect(await seen()).toEqual(before);
  });

  test('comes back with its addresses also where a folder can no longer be shared with it', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam('plus');
    const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
    await setPlan(database.admin, owner.id, 'free');
    await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
    expect(await read(owner, 'select name, emails, folder_count from list_groups()')).toEqual([
      { name: 'Redação', emails: [member.email], folder_count: 0 },
    ]);
    expect(await countMembers(folderId)).toBe(0);
  });

  test('comes back to the folders that have room for it', async () => {
    const { owner, folderId, groupId } = await shareWithTeam('plus');
    const [other] = await read<{ id: string }>(
      owner,
      `insert into folders (name) values ('Outra') returning id`,
    );
    await shareWithGroup(database, owner, other?.id ?? '', groupId, 'viewer');
    const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
    for (const email of people(3)) await inviteToFolder(database, owner, folderId, email, 'viewer');
    await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
    expect(await read(owner, 'select folder_count from list_groups()')).toEqual([{ folder_count: 1 }]);
    expect([await countMembers(folderId), await countMembers(other?.id ?? '')]).toEqual([3, 1]);
  });

  test('comes back to a full folder that has room without whoever had left it', async () => {
    const { owner, folderId, groupId, member } = await shareWithTeam('plus');
    const left = await createUser(database.admin);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', [left.email, 'p0@a.br']]);
    await queryAs(database, left, 'delete from folder_members where email = $1', [left.email]);
    await queryAs(database, owner, SAVE, [groupId, 'Redação', ['p1@a.br']]);
    const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
    await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
    expect(await read(owner, 'select folder_count from list_groups()')).toEqual([{ folder_count: 1 }]);
    expect(await countMembers(folderId)).toBe(3);
    expect(await places(member)).toEqual([{ role: 'editor', may_write: true }]);
    expect(await places(left)).toEqual([]);
    // Who enters later has a place.
    await queryAs(database, owner, TAKE, [groupId, 'Redação', ['p2@a.br'], ['p1@a.br']]);
    expect(await countMembers(folderId)).toBe(3);
  });

  test.each([undefined, null, 'x', { 'a@a.br': null }, { 'a@a.br': 'infinity', 'b@a.br': '2020-01-01' }])(
    'comes back with its addresses also where they are said to be in it since %j',
    async (since) => {
      const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
      const emails = ['a@a.br'];
      const folders = [{ folder_id: folderId, role: 'viewer', emails, since }];
      const content = { name: 'G', emails, folders, since };
      await queryAs(database, owner, 'select restore_group($1, $2)', [randomUUID(), content]);
      expect(await read(owner, 'select emails from list_groups()')).toEqual([{ emails: ['a@a.br'] }]);
      const { rows } = await database.admin.query(
        `select m.created_at > now() - interval '1 hour' and m.created_at <= clock_timestamp() as is_new
         from (
           select group_id, created_at from private.group_members
           union all select group_id, created_at from public.folder_members
         ) as m join private.groups g on g.id = m.group_id where g.user_id = $1`,
        [owner.id],
      );
      expect(rows).toEqual([{ is_new: true }, { is_new: true }]);
    },
  );

  test('comes back to nobody else’s folder, whatever it is said to have had', async () => {
    const { owner } = await createLibrary(database, { plan: 'pro' });
    const theirs = await createLibrary(database, { plan: 'pro' });
    const content = {
      name: 'G',
      emails: ['a@a.br'],
      folders: [{ folder_id: theirs.folderId, role: 'manager', emails: ['a@a.br'] }],
    };
    expect(
      await readOutcome(database, owner, 'select restore_group($1, $2)', [randomUUID(), content]),
    ).toEqual({ rows: 1 });
    expect(await countMembers(theirs.folderId)).toBe(0);
  });
});

test('a folder that comes back from the bin has its group, who entered since, and nobody who had left', async () => {
  const { owner, folderId, groupId, member } = await shareWithTeam();
  const [left, out, late] = [
    await createUser(database.admin),
    await createUser(database.admin),
    await createUser(database.admin),
  ] as readonly [TestUser, TestUser, TestUser];
  await queryAs(database, owner, SAVE, [groupId, 'Redação', [left.email, out.email]]);
  await queryAs(database, left, 'delete from folder_members where email = $1', [left.email]);
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  await queryAs(database, owner, TAKE, [groupId, 'Redação', [late.email], [out.email]]);
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  for (const who of [member, late]) expect(await places(who)).toEqual([{ role: 'editor', may_write: true }]);
  for (const who of [left, out]) expect(await places(who)).toEqual([]);
  expect(
    await read(owner, 'select name, role, member_count from list_folder_groups($1)', [folderId]),
  ).toEqual([{ name: 'Redação', role: 'editor', member_count: 2 }]);
});

test('a folder that comes back from the bin has nobody who had left it, also where its group went and came back meanwhile', async () => {
  const { owner, folderId, groupId, member } = await shareWithTeam();
  const [left, late] = [await createUser(database.admin), await createUser(database.admin)];
  await queryAs(database, owner, SAVE, [groupId, 'Redação', [left.email]]);
  await queryAs(database, left, 'delete from folder_members where email = $1', [left.email]);
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  await queryAs(database, owner, SAVE, [groupId, 'Redação', [late.email]]);
  const [gone] = await read(owner, 'select delete_group($1) as content', [groupId]);
  await queryAs(database, owner, 'select restore_group($1, $2)', [groupId, gone?.['content']]);
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  for (const who of [member, late]) expect(await places(who)).toEqual([{ role: 'editor', may_write: true }]);
  expect(await places(left)).toEqual([]);
});

test('a folder whose group was empty when it went to the bin comes back with who entered since', async () => {
  const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
  const groupId = await createGroup(database, owner, 'Redação', []);
  await shareWithGroup(database, owner, folderId, groupId, 'editor');
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  const late = await createUser(database.admin);
  await queryAs(database, owner, SAVE, [groupId, 'Redação', [late.email]]);
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  expect(await places(late)).toEqual([{ role: 'editor', may_write: true }]);
});

test('a folder comes back from the bin also where its owner has an address now that it was shared with', async () => {
  const { owner, folderId } = await createLibrary(database, { plan: 'pro' });
  const next = `depois-${randomUUID()}@a.br`;
  const groupId = await createGroup(database, owner, 'Redação', [next, 'ana@a.br']);
  await shareWithGroup(database, owner, folderId, groupId, 'editor');
  await inviteToFolder(database, owner, folderId, next, 'viewer');
  await database.admin.query('update auth.users set email = $2 where id = $1', [owner.id, next]);
  const renamed = { ...owner, email: next };
  await queryAs(database, renamed, 'delete from folders where id = $1', [folderId]);
  expect(await read(renamed, `select undo_deletion('folder', $1) as given`, [[folderId]])).toEqual([
    { given: expect.objectContaining({ folders: 1, categories: 1, links: 1 }) },
  ]);
  const [other] = await read<{ id: string }>(
    renamed,
    `insert into folders (name) values ('Outra') returning id`,
  );
  await shareWithGroup(database, renamed, other?.id ?? '', groupId, 'viewer');
  expect(await read(renamed, 'select email from folder_members where folder_id = $1', [other?.id])).toEqual([
    { email: 'ana@a.br' },
  ]);
  expect(
    await readOutcome(
      database,
      renamed,
      `insert into folder_members (folder_id, email, role) values ($1, $2, 'viewer')`,
      [other?.id, next],
    ),
  ).toEqual({ code: 'PT400' });
});

test('whose account is gone for good is in no group of others, and their own groups went with it', async () => {
  const { owner, member, folderId } = await shareWithTeam();
  await createGroup(database, member, 'Do membro', ['x@a.br']);
  await database.admin.query('select private.forget_person($1)', [member.id]);
  expect(await read(owner, 'select emails from list_groups()')).toEqual([{ emails: [] }]);
  expect(await countMembers(folderId)).toBe(0);
  await database.admin.query('delete from auth.users where id = $1', [member.id]);
  const { rows } = await database.admin.query('select from private.groups where user_id = $1', [member.id]);
  expect(rows).toEqual([]);
});

test('addresses in groups take room in the figures', async () => {
  const owner = await createUser(database.admin);
  const used = async () =>
    (
      await database.admin.query<{ bytes: string }>(
        'select bytes from private.storage_used(array[$1]::uuid[])',
        [owner.id],
      )
    ).rows[0]?.bytes;
  const before = Number(await used());
  await createGroup(database, owner, 'G', ['abc@a.br']);
  expect(Number(await used())).toBe(before + 24 + 8);
});
