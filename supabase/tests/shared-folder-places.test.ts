import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup, createSharedFolder, inviteToFolder, shareWithGroup } from './support/share-folder.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const INVITE = `insert into folder_members (folder_id, email, role) values ($1, $2, 'editor')`;
const ADD = `insert into links (url, title, category_id) values ('https://n.br/', 'N', $1)`;
/** A category of somebody else's, to whoever may not write there. */
const NOT_THEIRS = { code: '23503', constraint: 'links_category_of_same_owner' };

async function read<Row extends object>(caller: TestCaller, text: string, values: readonly unknown[] = []) {
  return (await queryAs<Row & Record<string, unknown>>(database, caller, text, values)).rows;
}
const places = (caller: TestCaller) => read(caller, 'select name, role, may_write from received_folders()');

/** A folder of a plan, shared with one new person. */
async function shareWithOne(plan: 'plus' | 'pro', role: 'viewer' | 'editor' | 'manager') {
  const library = await createLibrary(database, { plan, name: 'Olga' });
  const member = await createUser(database.admin, { name: 'Ana' });
  await inviteToFolder(database, library.owner, library.folderId, member.email, role);
  return { ...library, member };
}

describe('how many share a folder', () => {
  test('follows the owner’s plan: none, three, a hundred', async () => {
    const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@exemplo.com.br`);
    const ADD_MANY = `insert into folder_members (folder_id, email, role) select $1, unnest($2::text[]), 'viewer'`;
    const free = await createLibrary(database);
    expect(await readOutcome(database, free.owner, INVITE, [free.folderId, 'a@a.br'])).toEqual({
      code: 'P0001',
      hint: 'plan_sharing',
    });
    const full = { code: 'P0001', hint: 'plan_limit_folder_members' };
    for (const [plan, most] of [
      ['plus', 3],
      ['pro', 100],
    ] as const) {
      const { owner, folderId } = await createLibrary(database, { plan });
      const add = (emails: readonly string[]) => readOutcome(database, owner, ADD_MANY, [folderId, emails]);
      expect(await add(people(most + 1))).toEqual(full);
      expect(await add(people(most))).toEqual({ rows: most });
      expect(await add(['mais@exemplo.com.br'])).toEqual(full);
    }
  });

  test('is one too many for all but one of those who race for the last place, also in two folders of one person', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    for (const email of ['a@a.br', 'b@a.br'])
      await inviteToFolder(database, owner, folderId, email, 'viewer');
    const race = await Promise.all(
      Array.from({ length: 6 }, (_, n) => readOutcome(database, owner, INVITE, [folderId, `c${n}@a.br`])),
    );
    expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    const { rows } = await database.admin.query('select from folder_members where folder_id = $1', [
      folderId,
    ]);
    expect(rows).toHaveLength(3);
  });

  test('is counted by one at a time: who comes second waits, and sees what the first has written', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    for (const email of ['a@a.br', 'b@a.br'])
      await inviteToFolder(database, owner, folderId, email, 'viewer');
    const first = await database.callers.connect();
    try {
      await first.query('begin');
      await first.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify(claimsOf(owner))],
      );
      await first.query(INVITE, [folderId, 'c@a.br']);
      const second = readOutcome(database, owner, INVITE, [folderId, 'd@a.br']);
      await expect
        .poll(async () => {
          const { rowCount } = await database.admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rowCount;
        })
        .toBe(1);
      await first.query('commit');
      expect(await second).toEqual({ code: 'P0001', hint: 'plan_limit_folder_members' });
    } finally {
      first.release(true);
    }
  });

  test('ends with the invitations of a person, whatever they are to', async () => {
    const { owner, folderId, categoryId } = await createLibrary(database, { plan: 'pro' });
    await database.admin.query(
      `with f as (insert into folders (name, user_id) select 'F' || n, $1 from generate_series(1, 100) n returning id)
       insert into folder_members (folder_id, email, role)
       select id, 'p' || n || '@a.br', 'viewer' from f, generate_series(1, 100) n limit 9999`,
      [owner.id],
    );
    expect(await readOutcome(database, owner, INVITE, [folderId, 'a@a.br'])).toEqual({ rows: 1 });
    const beyond = { code: 'P0001', hint: 'bound_invitations' };
    expect(await readOutcome(database, owner, INVITE, [folderId, 'b@a.br'])).toEqual(beyond);
    const share = `insert into shared_with (category_id, email) values ($1, 'b@a.br')`;
    expect(await readOutcome(database, owner, share, [categoryId])).toEqual(beyond);
  });

  test('is the owner’s limit for managers too, who do not learn of the plan', async () => {
    const { folderId, member } = await shareWithOne('plus', 'manager');
    for (const email of ['b@a.br', 'c@a.br'])
      await inviteToFolder(database, member, folderId, email, 'viewer');
    await expect(queryAs(database, member, INVITE, [folderId, 'd@a.br'])).rejects.toMatchObject({
      message: 'Limite de 3 pessoas por pasta atingido',
      detail: '{"max" : 3, "plan" : null}',
    });
  });
});

test('nobody is invited without a role', async () => {
  const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
  const NOTHING = `insert into folder_members (folder_id, email, role) values ($1, 'a@a.br', null)`;
  expect(await readOutcome(database, owner, NOTHING, [folderId])).toMatchObject({ code: '23502' });
});

test('whom a manager invites has the place at once, as if the owner had', async () => {
  const { folderId, member } = await shareWithOne('plus', 'manager');
  const invited = await createUser(database.admin);
  expect(await places(invited)).toEqual([]);
  await inviteToFolder(database, member, folderId, invited.email, 'viewer');
  expect(await places(invited)).toEqual([{ name: 'Trabalho', role: 'viewer', may_write: false }]);
});

test('of folders of two people in one statement each follows its own owner’s plan', async () => {
  const small = await shareWithOne('plus', 'manager');
  const large = await createLibrary(database, { plan: 'pro' });
  await inviteToFolder(database, large.owner, large.folderId, small.member.email, 'manager');
  for (const email of ['b@a.br', 'c@a.br', 'd@a.br'])
    await inviteToFolder(database, large.owner, large.folderId, email, 'viewer');
  const inviteToBoth = `insert into folder_members (folder_id, email, role) select unnest($1::uuid[]), $2, 'viewer'`;
  const invite = (email: string) =>
    readOutcome(database, small.member, inviteToBoth, [[small.folderId, large.folderId], email]);
  expect([await invite('e@a.br'), await invite('f@a.br')]).toEqual([{ rows: 2 }, { rows: 2 }]);
  expect(await invite('g@a.br')).toEqual({ code: 'P0001', hint: 'plan_limit_folder_members' });
});

test('a folder comes back from the bin with all its people, also to a plan that has room for fewer', async () => {
  const { owner, folderId, member } = await shareWithOne('pro', 'editor');
  for (const email of ['b@a.br', 'c@a.br', 'd@a.br'])
    await inviteToFolder(database, owner, folderId, email, 'viewer');
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  await setPlan(database.admin, owner.id, 'plus');
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  expect(await places(member)).toEqual([{ name: 'Trabalho', role: 'editor', may_write: true }]);
  expect(await read(owner, 'select email from folder_members where folder_id = $1', [folderId])).toHaveLength(
    4,
  );
  expect(await readOutcome(database, owner, INVITE, [folderId, 'e@a.br'])).toEqual({
    code: 'P0001',
    hint: 'plan_limit_folder_members',
  });
});

describe('when the owner’s plan lapses', () => {
  test('members look on, nobody is lost, and nobody is added or raised; when it is paid again all is as before', async () => {
    const { owner, folderId, categoryId, member } = await shareWithOne('plus', 'manager');
    await inviteToFolder(database, owner, folderId, 'bia@a.br', 'viewer');
    await setPlan(database.admin, owner.id, 'free');
    expect(await places(member)).toEqual([{ name: 'Trabalho', role: 'manager', may_write: false }]);
    expect(await read(member, 'select title from links where category_id = $1', [categoryId])).toHaveLength(
      1,
    );
    for (const text of [
      ADD,
      `update categories set name = 'N' where id = $1 returning id`,
      `delete from links where category_id = $1 returning id`,
    ]) {
      const outcome = await readOutcome(database, member, text, [categoryId]);
      expect([{ rows: 0 }, NOT_THEIRS], text).toContainEqual(outcome);
    }
    expect(await readOutcome(database, member, INVITE, [folderId, 'c@a.br'])).toEqual({ code: '42501' });
    const RAISE = `update folder_members set role = $2 where folder_id = $1 and email = 'bia@a.br'`;
    expect(await readOutcome(database, owner, INVITE, [folderId, 'c@a.br'])).toMatchObject({
      hint: 'plan_sharing',
    });
    expect(await readOutcome(database, owner, RAISE, [folderId, 'editor'])).toMatchObject({
      hint: 'plan_sharing',
    });
    expect(await readOutcome(database, owner, RAISE, [folderId, 'viewer'])).toEqual({ rows: 1 });
    await setPlan(database.admin, owner.id, 'plus');
    expect(await readOutcome(database, member, ADD, [categoryId])).toEqual({ rows: 1 });
  });
});

describe('whose plan counts', () => {
  test('is the owner’s, raced: many editors share one last place', async () => {
    const { owner, folderId, categoryId } = await createLibrary(database, { plan: 'plus' });
    const editors = [await createUser(database.admin), await createUser(database.admin)];
    for (const { email } of editors) await inviteToFolder(database, owner, folderId, email, 'editor');
    await database.admin.query('update library_counts set link_count = 499 where user_id = $1', [owner.id]);
    const race = await Promise.all(
      [owner, ...editors, ...editors, ...editors].map((who) => readOutcome(database, who, ADD, [categoryId])),
    );
    expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    expect(race).toContainEqual({ code: 'P0001', hint: 'plan_limit_links' });
  });

  test('of the editor nothing counts: a full free account adds, and its own figures stay', async () => {
    const { folderId, categoryId, member, owner } = await shareWithOne('pro', 'editor');
    await database.admin.query('update library_counts set link_count = 20 where user_id = $1', [member.id]);
    expect(await readOutcome(database, member, ADD, [categoryId])).toEqual({ rows: 1 });
    await createCategory(database, member, folderId, 'Nova');
    const counts = await database.admin.query(
      'select link_count, category_count from library_counts where user_id = any ($1) order by link_count',
      [[member.id, owner.id]],
    );
    expect(counts.rows).toEqual([
      { link_count: 2, category_count: 2 },
      { link_count: 20, category_count: 0 },
    ]);
  });

  test('what editors add is the owner’s and says who added it; what the owner adds says nothing', async () => {
    const { owner, categoryId, member } = await shareWithOne('plus', 'editor');
    await queryAs(database, member, ADD, [categoryId]);
    const seen =
      'select user_id, added_by, added_by_name from links where category_id = $1 order by created_at';
    const expected = [
      { user_id: owner.id, added_by: null, added_by_name: null },
      { user_id: owner.id, added_by: member.id, added_by_name: 'Ana' },
    ];
    for (const who of [owner, member]) expect(await read(who, seen, [categoryId])).toEqual(expected);
    const found = await read(owner, `select title from search_links('n.br')`);
    expect(found).toEqual([{ title: 'N' }]);
  });

  test('who added a link is what happened, whatever a client says', async () => {
    const { owner, categoryId, linkId, member } = await shareWithOne('plus', 'editor');
    const FORGE = `insert into links (url, title, category_id, added_by, added_by_name) values ('https://f.br/', 'F', $1, $2, 'Falsa')
      returning id, added_by, added_by_name`;
    const [forged] = await read<{ id: string }>(member, FORGE, [categoryId, owner.id]);
    expect(forged).toMatchObject({ added_by: member.id, added_by_name: 'Ana' });
    const [own] = await read<{ id: string }>(owner, FORGE, [categoryId, member.id]);
    expect(own).toMatchObject({ added_by: null, added_by_name: null });
    const CHANGE = `update links set title = 'Novo', added_by = $2, added_by_name = 'Falsa' where id = $1
      returning title, added_by, added_by_name`;
    expect(await read(owner, CHANGE, [forged?.id, null])).toEqual([
      { title: 'Novo', added_by: member.id, added_by_name: 'Ana' },
    ]);
    expect(await read(member, CHANGE, [linkId, member.id])).toEqual([
      { title: 'Novo', added_by: null, added_by_name: null },
    ]);
    // A row that was read whole is written back whole.
    const UPSERT = `insert into links (id, url, title, category_id, user_id, added_by, added_by_name)
      select id, url, 'De volta', category_id, user_id, added_by, added_by_name from links where id = $1
      on conflict (id) do update set title = excluded.title, added_by = excluded.added_by, added_by_name = excluded.added_by_name
      returning title, added_by`;
    expect(await read(owner, UPSERT, [forged?.id])).toEqual([{ title: 'De volta', added_by: member.id }]);
  });

  test('a link comes back from the bin also where whoever added it is gone', async () => {
    const { owner, categoryId, member } = await shareWithOne('plus', 'editor');
    const [link] = await read<{ id: string }>(member, `${ADD} returning id`, [categoryId]);
    await queryAs(database, owner, 'select delete_links($1)', [[link?.id]]);
    await database.admin.query('delete from auth.users where id = $1', [member.id]);
    await queryAs(database, owner, `select undo_deletion('link', $1)`, [[link?.id]]);
    expect(await read(owner, 'select added_by from links where id = $1', [link?.id])).toEqual([
      { added_by: null },
    ]);
  });

  test('a category that an editor makes bears the owner’s name', async () => {
    const { folderId, member } = await shareWithOne('plus', 'editor');
    const text = `insert into categories (name, folder_id, name_users) values ('N', $1, 'Falsa') returning name_users`;
    expect(await read(member, text, [folderId])).toEqual([{ name_users: 'Olga' }]);
  });
});

describe('an invited address', () => {
  test('has its place from the moment somebody has confirmed it, and not before', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    const email = 'Futura@Exemplo.com.br';
    await inviteToFolder(database, owner, folderId, ` ${email} `, 'editor');
    const person = await createUser(database.admin, { email: email.toLowerCase() });
    expect(await places(person)).toHaveLength(1);
    const confirm = (at: Date | null) =>
      database.admin.query('update auth.users set email_confirmed_at = $2 where id = $1', [person.id, at]);
    await confirm(null);
    expect(await places(person)).toEqual([]);
    expect(await read(person, 'select id from folder_members')).toEqual([]);
    await confirm(new Date());
    expect(await places(person)).toHaveLength(1);
    // Who had the address before has no place any more, whatever their token says.
    await database.admin.query(`update auth.users set email = 'outra@exemplo.com.br' where id = $1`, [
      person.id,
    ]);
    expect(await places(person)).toEqual([]);
  });

  test('that an owner’s own address becomes gives nobody anything', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    expect(await readOutcome(database, owner, INVITE, [folderId, owner.email])).toEqual({ code: 'PT400' });
    const { member, ...theirs } = await shareWithOne('plus', 'manager');
    await inviteToFolder(database, member, theirs.folderId, theirs.owner.email, 'viewer');
    expect(await places(theirs.owner)).toEqual([]);
    expect(await readOutcome(database, theirs.owner, ADD, [theirs.categoryId])).toEqual({ rows: 1 });
  });

  test('is invited to a folder once', async () => {
    const { owner, folderId, member } = await shareWithOne('plus', 'viewer');
    expect(await readOutcome(database, owner, INVITE, [folderId, member.email])).toMatchObject({
      code: '23505',
    });
  });
});

describe('whoever leaves or is removed', () => {
  test('sees nothing any more, and what they added stays', async () => {
    for (const end of ['leaves', 'removed'] as const) {
      const { owner, folderId, categoryId, member } = await shareWithOne('plus', 'editor');
      await queryAs(database, member, ADD, [categoryId]);
      await queryAs(
        database,
        end === 'leaves' ? member : owner,
        'delete from folder_members where email = $1',
        [member.email],
      );
      expect(await places(member)).toEqual([]);
      expect(await read(member, 'select id from categories where folder_id = $1', [folderId])).toEqual([]);
      expect(await read(member, 'select id from links where category_id = $1', [categoryId])).toEqual([]);
      expect(await readOutcome(database, member, ADD, [categoryId])).toEqual(NOT_THEIRS);
      expect(await read(owner, 'select id from links where added_by = $1', [member.id])).toHaveLength(1);
    }
  });
});

describe('what a member deletes', () => {
  const UNDO = `select (undo_deletion('link', $1) ->> 'links')::int as links`;

  test('lies in the owner’s bin whole, and whoever deleted it takes it back while they may write', async () => {
    const { owner, folderId, categoryId, linkId, member } = await shareWithOne('plus', 'editor');
    await queryAs(database, member, ADD, [categoryId]);
    await queryAs(database, owner, 'insert into favorites (link_id) values ($1)', [linkId]);
    await queryAs(database, owner, `select tag_links($1, '{lida}', '{}')`, [[linkId]]);
    const whole = `select l.*, (select count(*)::int from favorites f where f.link_id = l.id) as stars,
      (select count(*)::int from link_tags t where t.link_id = l.id) as tags
      from links l where category_id = $1 order by created_at`;
    const before = await read(owner, whole, [categoryId]);
    const gone = await read<{ id: string }>(member, 'delete from links where category_id = $1 returning id', [
      categoryId,
    ]);
    const ids = gone.map(({ id }) => id);
    expect(await read(owner, 'select link_count from list_bin()')).toEqual([{ link_count: 2 }]);
    expect(await read(member, 'select link_count from list_bin()')).toEqual([]);
    const stranger = await createUser(database.admin);
    expect(await read(stranger, UNDO, [ids])).toEqual([{ links: 0 }]);
    await queryAs(database, owner, `update folder_members set role = 'viewer' where folder_id = $1`, [
      folderId,
    ]);
    expect(await read(member, UNDO, [ids])).toEqual([{ links: 0 }]);
    await queryAs(database, owner, `update folder_members set role = 'editor' where folder_id = $1`, [
      folderId,
    ]);
    expect(await read(member, UNDO, [ids])).toEqual([{ links: 2 }]);
    expect(await read(member, UNDO, [ids])).toEqual([{ links: 0 }]);
    // As it was, but for the trigger's moment of change: who added what, stars and tags.
    expect(await read(owner, whole, [categoryId])).toEqual(before);
  });

  test('of two owners at once comes back to each', async () => {
    const first = await shareWithOne('plus', 'editor');
    const second = await createLibrary(database, { plan: 'plus' });
    await inviteToFolder(database, second.owner, second.folderId, first.member.email, 'editor');
    for (const { owner, linkId } of [first, second])
      await queryAs(database, owner, `select tag_links($1, '{lida}', '{}')`, [[linkId]]);
    const ids = [first.linkId, second.linkId];
    expect(await read(first.member, 'select delete_links($1) as gone', [ids])).toEqual([{ gone: 2 }]);
    for (const { owner } of [first, second])
      expect(await read(owner, 'select link_count from list_bin()')).toEqual([{ link_count: 1 }]);
    expect(await read(first.member, UNDO, [ids])).toEqual([{ links: 2 }]);
    for (const { owner, linkId } of [first, second])
      expect(
        await read(owner, 'select id from link_tags join links on id = link_id where id = $1', [linkId]),
      ).toHaveLength(1);
  });

  test('is not what the owner deleted: that no member takes back', async () => {
    const { owner, linkId, member } = await shareWithOne('plus', 'manager');
    await queryAs(database, owner, 'select delete_links($1)', [[linkId]]);
    expect(await read(member, UNDO, [[linkId]])).toEqual([{ links: 0 }]);
  });
});

test('a folder that is deleted and restored has its members, what is held back and who added what', async () => {
  const { people, ids, owner, folderId } = await createSharedFolder(database);
  const editor = people.editor as TestUser;
  await queryAs(database, editor, ADD, [ids['category']]);
  const members = 'select id, email, role, invited_by, created_at from folder_members order by email';
  const before = await read(owner, members);
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  expect(await places(editor)).toEqual([]);
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  expect(await read(owner, members)).toEqual(before);
  expect(await places(editor)).toHaveLength(1);
  expect(
    await read(editor, 'select name from categories where folder_id = $1 order by name', [folderId]),
  ).toEqual([{ name: 'Leituras' }, { name: 'Segunda' }]);
  expect(await read(owner, 'select added_by_name from links where added_by is not null')).toEqual([
    { added_by_name: 'Nome de editor' },
  ]);
});

test('a folder comes back from the bin also where whoever invited somebody to it is gone', async () => {
  const { owner, folderId, member } = await shareWithOne('plus', 'manager');
  const invited = await createUser(database.admin);
  await inviteToFolder(database, member, folderId, invited.email, 'viewer');
  await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
  await database.admin.query('delete from auth.users where id = $1', [member.id]);
  await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
  expect(await places(invited)).toEqual([{ name: 'Trabalho', role: 'viewer', may_write: false }]);
  expect(
    await read(owner, 'select invited_by from folder_members where email = $1', [invited.email]),
  ).toEqual([{ invited_by: null }]);
});

describe('accounts that close', () => {
  /** Opens the account again; that it ever was closed is forgotten, else a token without a date would count as one from before. */
  const reopen = async ({ id }: TestUser) => {
    await database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [id]);
    await database.admin.query('delete from private.account_closures where user_id = $1', [id]);
  };
  const shareInEveryWay = async () => {
    const shared = await shareWithOne('pro', 'editor');
    const { owner, folderId, member } = shared;
    const grouped = await createUser(database.admin);
    const groupId = await createGroup(database, owner, 'Turma 9B', [grouped.email]);
    await shareWithGroup(database, owner, folderId, groupId, 'viewer');
    await queryAs(database, owner, 'select offer_folder($1, $2)', [folderId, member.email]);
    await queryAs(
      database,
      owner,
      `update folders set is_public = true, shared_with = '{c@c.br}' where id = $1`,
      [folderId],
    );
    return { ...shared, grouped, groupId };
  };
  const sharing = async (folderId: string) =>
    (
      await database.admin.query(
        `select f.is_public, f.shared_with, (select count(*)::int from folder_members m where m.folder_id = f.id) as members,
           (select count(*)::int from private.folder_groups g where g.folder_id = f.id) as groups,
           (select count(*)::int from private.folder_offers o where o.folder_id = f.id) as offers
         from folders f where f.id = $1`,
        [folderId],
      )
    ).rows[0];
  const ALONE = { is_public: false, shared_with: [], members: 0, groups: 0, offers: 0 };

  test('take their folders out of sight; from rest they come back as they were, and after a deletion to their owner alone', async () => {
    for (const [close, isShared] of [
      [`insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`, true],
      ['select close_account($1)', false],
    ] as const) {
      const { owner, folderId, categoryId, member, grouped } = await shareInEveryWay();
      const before = await sharing(folderId);
      await database.admin.query(close, [owner.id]);
      for (const person of [member, grouped]) {
        expect(await places(person), close).toEqual([]);
        expect(await read(person, 'select id from links where category_id = $1', [categoryId])).toEqual([]);
      }
      expect(await sharing(folderId), close).toEqual(before);
      await reopen(owner);
      expect(await sharing(folderId), close).toEqual(isShared ? before : ALONE);
      for (const person of [member, grouped])
        expect(await places(person), close).toHaveLength(isShared ? 1 : 0);
    }
  });

  test('after a deletion share nothing that their bin gives back, and anew what their owner shares', async () => {
    const { owner, folderId, categoryId, member, grouped, groupId } = await shareInEveryWay();
    await queryAs(database, owner, `select save_sharing($1, true, '{d@d.br}')`, [categoryId]);
    const [other] = await read<{ id: string }>(
      owner,
      `insert into folders (name) values ('Outra') returning id`,
    );
    const apartId = await createCategory(database, owner, other?.id ?? '');
    await queryAs(database, owner, `select save_sharing($1, true, '{d@d.br}')`, [apartId]);
    await queryAs(database, owner, 'delete from categories where id = $1', [apartId]);
    await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
    await database.admin.query('select close_account($1)', [owner.id]);
    await reopen(owner);
    await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
    await queryAs(database, owner, `select undo_deletion('category', $1)`, [[apartId]]);
    expect(await sharing(folderId)).toEqual(ALONE);
    for (const person of [member, grouped]) expect(await places(person)).toEqual([]);
    expect(
      await read(owner, 'select is_public from categories where id = any ($1)', [[categoryId, apartId]]),
    ).toEqual([{ is_public: false }, { is_public: false }]);
    expect(await read(owner, 'select email from shared_with')).toEqual([]);

    await inviteToFolder(database, owner, folderId, member.email, 'viewer');
    await shareWithGroup(database, owner, folderId, groupId, 'viewer');
    for (const person of [member, grouped]) expect(await places(person)).toHaveLength(1);
  });

  test('leave no name and no address with others when they are gone for good', async () => {
    const { owner, categoryId, folderId, member } = await shareWithOne('plus', 'editor');
    await queryAs(database, member, ADD, [categoryId]);
    await queryAs(database, member, ADD, [categoryId]);
    await queryAs(
      database,
      owner,
      'delete from links where id = (select max(id::text)::uuid from links where added_by = $1)',
      [member.id],
    );
    await queryAs(database, owner, 'delete from folders where id <> $1 returning id', [folderId]);
    await database.admin.query('select private.forget_person($1)', [member.id]);
    const { rows } = await database.admin.query<{ text: string }>(
      `select to_jsonb(l)::text as text from links l where user_id = $1
       union all select r.content::text from private.deleted_rows r join private.deletions d on d.id = r.deletion_id where d.user_id = $1
       union all select to_jsonb(m)::text from folder_members m where owner_id = $1`,
      [owner.id],
    );
    expect(rows).toHaveLength(3);
    for (const { text } of rows) {
      expect(text).not.toContain('Ana');
      expect(text).not.toContain(member.email);
      expect(text).not.toContain(member.id);
    }
  });
});

describe('members are told', () => {
  const CHANGES: readonly (readonly [what: string, text: string])[] = [
    ['a folder’s new name', `update folders set name = 'Outra' where id = $1`],
    ['a new category', `insert into categories (name, folder_id) values ('Nova', $1)`],
    ['a category’s new name', `update categories set name = 'Outro' where folder_id = $1`],
    ['a category that is held back', `update categories set is_held_back = true where folder_id = $1`],
    ['a category that goes', `delete from categories where folder_id = $1`],
  ];
  const toldAt = async (folderId: string) =>
    (
      await database.admin.query<{ at: string }>(
        'select updated_at::text as at from folder_members where folder_id = $1',
        [folderId],
      )
    ).rows[0]?.at;

  test.each(CHANGES)('of %s', async (_, text) => {
    const { owner, folderId } = await shareWithOne('plus', 'viewer');
    const before = await toldAt(folderId);
    await queryAs(database, owner, text, [folderId]);
    expect(await toldAt(folderId)).not.toBe(before);
  });

  test('of the owner’s plan, and of nothing else', async () => {
    const { owner, folderId, categoryId } = await shareWithOne('plus', 'viewer');
    const before = await toldAt(folderId);
    await queryAs(database, owner, ADD, [categoryId]);
    await queryAs(database, owner, `insert into folders (name) values ('Outra')`);
    await queryAs(database, owner, 'update folders set shared_with = $1', [[]]);
    expect(await toldAt(folderId)).toBe(before);
    await setPlan(database.admin, owner.id, 'free');
    expect(await toldAt(folderId)).not.toBe(before);
  });
});
