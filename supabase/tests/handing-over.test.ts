import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCategory, createFolder, createLibrary } from './support/create-library.ts';
import {
  countLibrary,
  countsOf,
  OFFER,
  offerToTaker,
  type Plan,
  shareWithTaker,
  TAKE,
} from './support/offer-folder.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup, inviteToFolder, type MemberRole, shareWithGroup } from './support/share-folder.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());

const END = 'select end_folder_offer($1)';
const ADD = `insert into links (url, title, category_id) values ('https://n.br/', 'N', $1) returning id`;
const GONE = { code: 'PT404' };

async function read<Row extends object>(caller: TestCaller, text: string, values: readonly unknown[] = []) {
  return (await queryAs<Row & Record<string, unknown>>(database, caller, text, values)).rows;
}
const run = (caller: TestCaller, text: string, ...values: unknown[]) =>
  queryAs(database, caller, text, values);
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const available = (caller: TestCaller) =>
  read(caller, 'select name, owner_name, is_closed, category_count, link_count from available_folders()');

const shareWith = (role: MemberRole) => shareWithTaker(database, role);
const offerTo = (role: 'editor' | 'manager', plan?: Plan) => offerToTaker(database, role, plan);
const counts = (user: TestUser) => countLibrary(database, user);

describe('an offer', () => {
  test('is made to who may write in the folder, seen by them and by its owner alone, and says what it would add', async () => {
    const { owner, taker, folderId } = await offerTo('editor');
    expect(await read(taker, 'select refusal from available_folders()')).toEqual([{ refusal: null }]);
    const viewer = await createUser(database.admin);
    await inviteToFolder(database, owner, folderId, viewer.email, 'viewer');
    expect(await attempt(owner, OFFER, folderId, viewer.email)).toEqual({ code: 'PT409' });
    expect(await attempt(owner, OFFER, folderId, 'outra@a.br')).toEqual({ code: 'PT409' });
    expect(await available(taker)).toEqual([
      { name: 'Trabalho', owner_name: 'Olga', is_closed: false, category_count: 1, link_count: 1 },
    ]);
    expect(await available(viewer)).toEqual([]);
    expect(await read(owner, 'select folder_offer($1)', [folderId])).toEqual([{ folder_offer: taker.email }]);
    for (const who of [taker, viewer])
      expect(await read(who, 'select folder_offer($1)', [folderId])).toEqual([{ folder_offer: null }]);
  });

  test('is made, ended and taken by nobody else', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    const manager = await createUser(database.admin, { plan: 'pro' });
    await inviteToFolder(database, owner, folderId, manager.email, 'manager');
    const stranger = await createUser(database.admin, { plan: 'pro' });
    for (const who of [manager, stranger, 'anon'] as const) {
      const refused = who === 'anon' ? { code: '42501' } : GONE;
      expect(await attempt(who, OFFER, folderId, manager.email)).toEqual(refused);
      expect(await attempt(who, TAKE, folderId)).toEqual(refused);
      expect(await attempt(who, END, folderId)).toEqual(who === 'anon' ? refused : { rows: 1 });
      if (who !== 'anon') expect(await available(who)).toEqual([]);
    }
    expect(await attempt(owner, TAKE, folderId)).toEqual(GONE);
    expect(await attempt(taker, OFFER, folderId, manager.email)).toEqual(GONE);
    expect(await available(taker)).toHaveLength(1);
    const { rows } = await database.admin.query('select user_id from categories where id = $1', [categoryId]);
    expect(rows).toEqual([{ user_id: owner.id }]);
  });

  test('keeps nobody waiting to whom it is not made', async () => {
    const { folderId } = await offerTo('editor');
    const stranger = await createUser(database.admin, { plan: 'pro' });
    const holder = await database.admin.connect();
    try {
      await holder.query('begin');
      await holder.query('select from folders where id = $1 for update', [folderId]);
      expect(await attempt(stranger, TAKE, folderId)).toEqual(GONE);
    } finally {
      holder.release(true);
    }
  });

  test.each([
    'declined',
    'taken back',
    'given to another',
    'of a removed member',
    'of one who only looks on now',
  ])('%s is none any more', async (how) => {
    const { owner, taker, folderId } = await offerTo('manager');
    if (how === 'declined') await run(taker, END, folderId);
    else if (how === 'taken back') await run(owner, END, folderId);
    else if (how === 'given to another') {
      await inviteToFolder(database, owner, folderId, 'outra@a.br', 'editor');
      await run(owner, OFFER, folderId, 'outra@a.br');
    } else if (how === 'of a removed member') await run(owner, 'delete from folder_members');
    else await run(owner, `update folder_members set role = 'viewer'`);
    expect(await available(taker)).toEqual([]);
    expect(await attempt(taker, TAKE, folderId)).toEqual(GONE);
  });

  test('is told to the screens of whom it concerns, when it comes and when it ends, and of no other folder', async () => {
    const { owner, taker, folderId } = await shareWith('editor');
    const other = await createLibrary(database, { plan: 'plus' });
    await inviteToFolder(database, other.owner, other.folderId, taker.email, 'editor');
    const told = async (id = folderId) =>
      (
        await database.admin.query<{ at: string }>(
          'select updated_at::text as at from folder_members where email = $1 and folder_id = $2',
          [taker.email, id],
        )
      ).rows[0]?.at;
    const [before, elsewhere] = [await told(), await told(other.folderId)];
    await run(owner, OFFER, folderId, taker.email);
    const offered = await told();
    await run(owner, END, folderId);
    expect(new Set([before, offered, await told()])).toHaveProperty('size', 3);
    expect(await told(other.folderId)).toBe(elsewhere);
  });
});

describe('whoever accepts', () => {
  test('owns the folder with all that is in it, under the same ids, and the old owner manages it', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await shareWith('editor');
    const held = await createCategory(database, owner, folderId, 'Reservada');
    await run(owner, 'update categories set is_held_back = true where id = $1', held);
    await run(owner, 'update categories set is_public = true where id = $1', categoryId);
    const [mine] = await read<{ id: string }>(taker, ADD, [categoryId]);
    await run(owner, `select tag_links($1, '{Lida,Doce}', '{}')`, [linkId]);
    await run(owner, `update tags set color = 'red' where name = 'Lida'`);
    const own = await createLibrary(database, { plan: 'plus' });
    await run(owner, `insert into folder_looks (folder_id, color, emoji) values ($1, 'red', '🍞')`, folderId);
    await run(owner, `select place_links($1, $2, '{8}', true)`, categoryId, [linkId]);
    for (const who of [owner, taker]) {
      await run(who, 'insert into favorites (link_id) values ($1)', linkId);
      await run(who, 'insert into favorites (category_id) values ($1)', categoryId);
    }
    const viewer = own.owner;
    await inviteToFolder(database, owner, folderId, viewer.email, 'viewer');
    await run(owner, OFFER, folderId, taker.email);
    const seen =
      'select id, url, title, description, category_id, created_at, updated_at from links order by id';
    const page = 'select id, title from shared_links($1) order by id';
    const [before, publicBefore] = [await read(owner, seen), await read('anon', page, [categoryId])];
    const counted = await counts(taker);
    expect(counted).toEqual(countsOf(0, 0, 0));

    await run(taker, TAKE, folderId);

    expect(await read(taker, seen)).toEqual(before);
    expect(await read('anon', page, [categoryId])).toEqual(publicBefore);
    expect(await counts(taker)).toEqual(countsOf(2, 2, 1));
    expect(await counts(owner)).toEqual(countsOf(0, 0, 0));
    expect(
      await read(taker, 'select name, is_public, is_held_back, name_users from categories order by name'),
    ).toEqual([
      { name: 'Leituras', is_public: true, is_held_back: false, name_users: 'Ana' },
      { name: 'Reservada', is_public: false, is_held_back: true, name_users: 'Ana' },
    ]);
    // Who added what is told from where one stands now.
    expect(await read(taker, 'select id, added_by, added_by_name from links order by added_by_name')).toEqual(
      [
        { id: linkId, added_by: owner.id, added_by_name: 'Olga' },
        { id: mine?.id, added_by: null, added_by_name: null },
      ],
    );
    expect(await read(taker, 'select color, emoji from folder_looks')).toEqual([
      { color: 'red', emoji: '🍞' },
    ]);
    expect(await read(taker, 'select name, color, link_count from tags order by name')).toEqual([
      { name: 'Doce', color: null, link_count: 1 },
      { name: 'Lida', color: 'red', link_count: 1 },
    ]);
    expect(await read(owner, 'select name, link_count from tags order by name')).toEqual([
      { name: 'Doce', link_count: 0 },
      { name: 'Lida', link_count: 0 },
    ]);
    expect(await read(taker, 'select link_id, rank from manual_order where link_id is not null')).toEqual([
      { link_id: linkId, rank: '8' },
    ]);
    for (const who of [owner, taker])
      expect(await read(who, 'select link_id, category_id from favorites order by link_id')).toEqual([
        { link_id: linkId, category_id: null },
        { link_id: null, category_id: categoryId },
      ]);
    expect(await read(taker, 'select email, role from folder_members order by role')).toEqual([
      { email: owner.email, role: 'manager' },
      { email: viewer.email, role: 'viewer' },
    ]);
    expect(await read(owner, 'select name, role, may_write from received_folders()')).toEqual([
      { name: 'Trabalho', role: 'manager', may_write: true },
    ]);
    // The old owner writes as a manager does, and owns nothing of it.
    expect(await attempt(owner, ADD, categoryId)).toEqual({ rows: 1 });
    expect(await attempt(owner, 'update categories set is_public = false where id = $1', categoryId)).toEqual(
      { code: '42501' },
    );
    expect(await attempt(owner, 'delete from folders where id = $1 returning id', folderId)).toEqual({
      rows: 0,
    });
    expect(await read(owner, 'select id from list_bin()')).toEqual([]);
    expect(await read(taker, `select title from search_links('exemplo')`)).toEqual([{ title: 'Exemplo' }]);
    expect(await read(owner, `select title from search_links('exemplo')`)).toEqual([]);
    expect(await read(viewer, 'select name from received_folders()')).toEqual([{ name: 'Trabalho' }]);
  });

  test('has the links’ tags by their names, as far as they had them already', async () => {
    const { owner, taker, folderId, linkId } = await offerTo('editor');
    const theirs = await createCategory(
      database,
      taker,
      (await read<{ id: string }>(taker, `insert into folders (name) values ('Minha') returning id`))[0]
        ?.id ?? '',
    );
    const [link] = await read<{ id: string }>(taker, ADD, [theirs]);
    await run(taker, `select tag_links($1, '{lída}', '{}')`, [link?.id]);
    await run(owner, `select tag_links($1, '{LIDA}', '{}')`, [linkId]);
    const tagged = 'select tagged_at from tags';
    const before = await read(taker, tagged);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select name, link_count from tags')).toEqual([{ name: 'lída', link_count: 2 }]);
    expect(await read(taker, tagged)).not.toEqual(before);
  });

  test('and has a folder of that name gets it under another', async () => {
    const { taker, folderId } = await offerTo('editor');
    for (const name of ['Trabalho', 'Trabalho (2)'])
      await run(taker, 'insert into folders (name) values ($1)', name);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select name from folders where id = $1', [folderId])).toEqual([
      { name: 'Trabalho (3)' },
    ]);
    // It had no colour, and has none now.
    expect(await read(taker, 'select from folder_looks')).toEqual([]);
  });

  test('keeps the order of its links, also where a link of their own has the same rank', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const [below] = await read<{ id: string }>(owner, ADD, [categoryId]);
    const [above] = await read<{ id: string }>(owner, ADD, [categoryId]);
    await run(owner, `select place_links($1, $2, '{8,7,8001}', true)`, categoryId, [
      linkId,
      below?.id,
      above?.id,
    ]);
    const [folder] = await read<{ id: string }>(
      taker,
      `insert into folders (name) values ('Minha') returning id`,
    );
    const theirs = await createCategory(database, taker, folder?.id ?? '');
    const [own] = await read<{ id: string }>(taker, ADD, [theirs]);
    await run(taker, `select place_links($1, $2, '{8}', true)`, theirs, [own?.id]);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select id from arranged_links($1)', [categoryId])).toEqual([
      { id: above?.id },
      { id: linkId },
      { id: below?.id },
    ]);
    expect(await read(taker, 'select rank from manual_order where link_id = $1', [own?.id])).toEqual([
      { rank: '8' },
    ]);
  });

  test('finds the people of the old owner’s groups as people, with what they might do', async () => {
    const { owner, taker, folderId } = await offerTo('editor');
    const groupId = await createGroup(database, owner, 'Turma', ['ana@a.br']);
    await inviteToFolder(database, owner, folderId, 'ana@a.br', 'viewer');
    await shareWithGroup(database, owner, folderId, groupId, 'editor');
    await run(taker, TAKE, folderId);
    const members = 'select email, role, group_id from folder_members where email <> $1';
    expect(await read(taker, members, [owner.email])).toEqual([
      { email: 'ana@a.br', role: 'editor', group_id: null },
    ]);
    await run(owner, 'select save_group($1, $2, $3, $4)', groupId, 'Turma', ['bia@a.br'], ['ana@a.br']);
    expect(await read(taker, members, [owner.email])).toHaveLength(1);
  });

  test('keeps the passwords of its pages, also of those in the bin, and can change them', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    const binned = await createCategory(database, owner, folderId, 'Na lixeira');
    for (const id of [categoryId, binned]) {
      await run(owner, 'update categories set is_public = true where id = $1', id);
      await run(owner, 'select set_page_password($1, $2)', id, 'abre-te sésamo');
    }
    await run(owner, 'delete from categories where id = $1', binned);
    await run(taker, TAKE, folderId);
    await run(taker, `select undo_deletion('category', $1)`, [binned]);
    for (const id of [categoryId, binned])
      expect(await read('anon', 'select access from shared_category($1)', [id])).toEqual([
        { access: 'locked' },
      ]);
    expect(await read(taker, 'select id, has_password from page_limits() order by id')).toEqual(
      [categoryId, binned].toSorted().map((id) => ({ id, has_password: true })),
    );
    expect(await read(owner, 'select id from page_limits()')).toEqual([]);
    // With the old owner's account they do not go.
    await database.admin.query('delete from auth.users where id = $1', [owner.id]);
    expect(await attempt(taker, 'select set_page_password($1, null)', categoryId)).toEqual({ rows: 1 });
    expect(await read('anon', 'select access from shared_category($1)', [binned])).toEqual([
      { access: 'locked' },
    ]);
  });

  test('gets no page of another folder: those keep their passwords, in the bin and out of it', async () => {
    const { owner, taker, folderId } = await offerTo('editor');
    const other = await createFolder(database, owner, 'Outra');
    const [open, binned] = [
      await createCategory(database, owner, other, 'Fica'),
      await createCategory(database, owner, other, 'Na lixeira'),
    ];
    for (const id of [open, binned]) {
      await run(owner, 'update categories set is_public = true where id = $1', id);
      await run(owner, 'select set_page_password($1, $2)', id, 'abre-te sésamo');
    }
    await run(owner, 'delete from categories where id = $1', binned);
    await run(taker, TAKE, folderId);
    await run(owner, 'delete from categories where id = $1', open);
    for (const id of [open, binned]) {
      await run(owner, `select undo_deletion('category', $1)`, [id]);
      expect(await read('anon', 'select access from shared_category($1)', [id])).toEqual([
        { access: 'locked' },
      ]);
    }
  });

  test('sees in its history what happened and by whom, and no more', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    await run(taker, ADD, categoryId);
    const history = 'select act, person from category_history($1)';
    const before = await read(owner, history, [categoryId]);
    expect(before).toEqual([
      { act: 'saved', person: 'Ana' },
      { act: 'saved', person: null },
    ]);
    await run(taker, TAKE, folderId);
    expect(await read(taker, history, [categoryId])).toEqual([
      { act: 'saved', person: null },
      { act: 'saved', person: 'Olga' },
    ]);
    expect(await read(owner, history, [categoryId])).toEqual([]);
  });

  test('leaves every other category the history that it has', async () => {
    const { taker, folderId } = await offerTo('editor');
    const other = await createLibrary(database);
    const history = () => read(other.owner, 'select id, act from category_history($1)', [other.categoryId]);
    const before = await history();
    expect(before).toMatchObject([{ act: 'saved' }]);
    await run(taker, TAKE, folderId);
    expect(await history()).toEqual(before);
  });

  test('has the requests for access that wait, and the old owner no longer', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    const asker = await createUser(database.admin);
    await run(asker, 'select request_access($1)', categoryId);
    // What they ask the new owner for already is no reason not to.
    await database.admin.query(
      'insert into private.access_requests (asker_id, category_id, owner_id, email) values ($1, gen_random_uuid(), $2, $3)',
      [asker.id, taker.id, asker.email],
    );
    const waiting = 'select id, email from list_access_requests()';
    const before = await read<{ id: string }>(owner, waiting);
    expect(before).toMatchObject([{ email: asker.email }]);
    await run(taker, TAKE, folderId);
    expect([await read(owner, waiting), await read(taker, waiting)]).toEqual([[], before]);
    await run(taker, 'select answer_access_request($1, true)', before[0]?.id);
    expect(await read(asker, 'select access from shared_category($1)', [categoryId])).toEqual([
      { access: 'invited' },
    ]);
  });

  test('is asked by nobody whom they have refused before, nor by themselves', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    const other = await createLibrary(database, { plan: 'plus' });
    const asker = await createUser(database.admin);
    await run(asker, 'select request_access($1)', categoryId);
    await database.admin.query(
      `insert into private.access_requests (asker_id, category_id, owner_id, email, refused_at)
       values ($1, $2, $3, 'x@exemplo.com.br', now())`,
      [asker.id, other.categoryId, taker.id],
    );
    await database.admin.query(
      `insert into private.access_requests (asker_id, category_id, owner_id, email) values ($1, $2, $3, $4)`,
      [taker.id, categoryId, owner.id, taker.email],
    );
    await run(taker, TAKE, folderId);
    for (const person of [owner, taker])
      expect(await read(person, 'select email from list_access_requests()')).toEqual([]);
  });

  test('has the requests of its categories alone, whomever else they have refused and whoever has refused the asker', async () => {
    const { owner, taker, folderId, categoryId } = await offerTo('editor');
    const kept = await createCategory(database, owner, await createFolder(database, owner, 'Outra'));
    const [asker, refused, third] = [
      await createUser(database.admin),
      await createUser(database.admin),
      await createUser(database.admin),
    ];
    for (const id of [categoryId, kept]) await run(asker, 'select request_access($1)', id);
    for (const [who, by] of [
      [refused, taker],
      [asker, third],
    ] as const)
      await database.admin.query(
        `insert into private.access_requests (asker_id, category_id, owner_id, email, refused_at)
         values ($1, gen_random_uuid(), $2, $3, now())`,
        [who.id, by.id, who.email],
      );
    await run(taker, TAKE, folderId);
    const waiting = 'select category_id from list_access_requests()';
    expect([await read(taker, waiting), await read(owner, waiting)]).toEqual([
      [{ category_id: categoryId }],
      [{ category_id: kept }],
    ]);
  });

  test('finds who was invited to its categories where they were: each at their old place, and not oneself', async () => {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const guest = await createUser(database.admin);
    const other = await createLibrary(database, { plan: 'plus' });
    // What was shared first is what a free person opens.
    await run(owner, 'select save_sharing($1, false, $2)', categoryId, [guest.email, taker.email]);
    await run(other.owner, 'select save_sharing($1, false, $2)', other.categoryId, [guest.email]);
    const listed =
      'select category_id, email, created_at from shared_with where email = $1 order by created_at';
    const before = await read(guest, listed, [guest.email]);
    expect(before).toHaveLength(2);
    await run(taker, TAKE, folderId);
    expect(await read(guest, listed, [guest.email])).toEqual(before);
    expect(await read(guest, 'select id from links')).toEqual([{ id: linkId }]);
    expect(await read(taker, 'select email from shared_with')).toEqual([{ email: guest.email }]);
  });
});

describe('the new owner’s plan', () => {
  const unchanged = async (offered: Awaited<ReturnType<typeof offerTo>>) => {
    expect(await counts(offered.owner)).toEqual(countsOf(1, 1, 1));
    expect(await available(offered.taker)).toHaveLength(1);
    expect(await read(offered.owner, 'select role from folder_members')).toHaveLength(1);
  };

  test('must share, and have room for links, categories and people: else nothing happens', async () => {
    const free = await offerTo('editor', 'free');
    const refusal = async (who: TestUser) =>
      (await read(who, 'select refusal from available_folders()'))[0]?.['refusal'];
    expect(await refusal(free.taker)).toBe('plan_sharing');
    expect(await attempt(free.taker, TAKE, free.folderId)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    await unchanged(free);
    for (const [column, most, hint] of [
      ['link_count', 500, 'plan_limit_links'],
      ['category_count', 50, 'plan_limit_categories'],
    ] as const) {
      const full = await offerTo('editor');
      const { rows } = await database.admin.query<{ most: number }>(
        `select max_${column === 'link_count' ? 'links' : 'categories'} as most from private.plan_limits where plan = 'plus'`,
      );
      await database.admin.query(`update library_counts set ${column} = $2 where user_id = $1`, [
        full.taker.id,
        rows[0]?.most ?? most,
      ]);
      expect(await refusal(full.taker)).toBe(hint);
      expect(await attempt(full.taker, TAKE, full.folderId)).toEqual({ code: 'P0001', hint });
      await unchanged(full);
    }
    const many = await createLibrary(database, { plan: 'pro' });
    const taker = await createUser(database.admin, { plan: 'plus' });
    await inviteToFolder(database, many.owner, many.folderId, taker.email, 'manager');
    for (const n of [1, 2, 3])
      await inviteToFolder(database, many.owner, many.folderId, `p${n}@a.br`, 'viewer');
    await run(many.owner, OFFER, many.folderId, taker.email);
    expect(await refusal(taker)).toBe('plan_limit_folder_members');
    expect(await attempt(taker, TAKE, many.folderId)).toEqual({
      code: 'P0001',
      hint: 'plan_limit_folder_members',
    });
    expect(await available(taker)).toHaveLength(1);
    // Who is there by a group as well is one person.
    await run(many.owner, `delete from folder_members where email = 'p3@a.br'`);
    const group = await createGroup(database, many.owner, 'Turma', ['p1@a.br', 'p2@a.br']);
    await shareWithGroup(database, many.owner, many.folderId, group, 'viewer');
    expect(await refusal(taker)).toBeNull();
    expect(await attempt(taker, TAKE, many.folderId)).toEqual({ rows: 1 });
  });

  test('must have room for the tags that come with the links, and says so before', async () => {
    const full = await offerTo('editor');
    await run(full.owner, `select tag_links($1, '{Nova,Velha}', '{}')`, [full.linkId]);
    await database.admin.query(
      `insert into tags (user_id, name) select $1, 'tag ' || n
       from generate_series(1, (select max_links - 1 from private.plan_limits where plan = 'plus')) as n`,
      [full.taker.id],
    );
    const refusal = () => read(full.taker, 'select refusal from available_folders()');
    expect(await refusal()).toEqual([{ refusal: 'plan_limit_tags' }]);
    expect(await attempt(full.taker, TAKE, full.folderId)).toEqual({
      code: 'P0001',
      hint: 'plan_limit_tags',
    });
    await unchanged(full);
    // A tag that they have already takes no place.
    await database.admin.query(`update tags set name = 'velha' where user_id = $1 and name = 'tag 1'`, [
      full.taker.id,
    ]);
    expect(await refusal()).toEqual([{ refusal: null }]);
    expect(await attempt(full.taker, TAKE, full.folderId)).toEqual({ rows: 1 });
  });

  test.each([
    ['free', false],
    ['plus', true],
    ['pro', false],
  ] as const)('counts tags only where they can refuse the folder: %s', async (plan, isAsked) => {
    const { owner, taker, linkId } = await offerTo('editor', plan);
    await run(owner, `select tag_links($1, '{Nova}', '{}')`, [linkId]);
    const client = await database.admin.connect();
    const scans = async () => {
      const { rows } = await client.query<{ scans: number }>(
        `select sum(seq_scan + idx_scan)::int as scans from pg_stat_xact_user_tables
         where relid in ('public.tags'::regclass, 'public.link_tags'::regclass)`,
      );
      return rows[0]?.scans ?? 0;
    };
    try {
      await client.query('begin');
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(claimsOf(taker)),
      ]);
      const before = await scans();
      expect((await client.query('select from available_folders()')).rowCount).toBe(1);
      expect((await scans()) > before).toBe(isAsked);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test.each(['link_count', 'category_count', 'tags'])(
    'that has become too small keeps nobody from what adds nothing to it: %s',
    async (over) => {
      const { owner, taker, folderId, categoryId } = await offerTo('editor');
      if (over === 'link_count') await run(owner, 'delete from links where category_id = $1', categoryId);
      if (over === 'category_count') await run(owner, 'delete from categories where id = $1', categoryId);
      if (over === 'tags') {
        await setPlan(database.admin, taker.id, 'pro');
        await database.admin.query(
          `insert into tags (user_id, name) select $1, 'tag ' || n from generate_series(1, 600) as n`,
          [taker.id],
        );
        await setPlan(database.admin, taker.id, 'plus');
      } else
        await database.admin.query(`update library_counts set ${over} = 600 where user_id = $1`, [taker.id]);
      expect(await read(taker, 'select refusal from available_folders()')).toEqual([{ refusal: null }]);
      expect(await attempt(taker, TAKE, folderId)).toEqual({ rows: 1 });
    },
  );

  test('takes twenty thousand links at once at most, of that folder alone', async () => {
    const { taker, folderId, categoryId } = await offerTo('editor', 'pro');
    const other = await createLibrary(database);
    const count = (links: number, category: string) =>
      database.admin.query('update category_counts set link_count = $1 where category_id = $2', [
        links,
        category,
      ]);
    await count(20_001, categoryId);
    expect(await attempt(taker, TAKE, folderId)).toEqual({ code: 'PT409', hint: 'too_many_links' });
    await count(20_001, other.categoryId);
    await count(1, categoryId);
    expect(await attempt(taker, TAKE, folderId)).toEqual({ rows: 1 });
    await count(1, other.categoryId);
  });

  test('holds where two folders and a link race for the last place', async () => {
    const taker = await createUser(database.admin, { plan: 'plus' });
    const [mine] = await read<{ id: string }>(
      taker,
      `insert into folders (name) values ('Minha') returning id`,
    );
    const own = await createCategory(database, taker, mine?.id ?? '');
    const folders = await Promise.all(
      [1, 2].map(async () => {
        const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
        await inviteToFolder(database, owner, folderId, taker.email, 'editor');
        await run(owner, OFFER, folderId, taker.email);
        return folderId;
      }),
    );
    await database.admin.query(
      `update library_counts set link_count = (select max_links - 1 from private.plan_limits where plan = 'plus') where user_id = $1`,
      [taker.id],
    );
    const race = await Promise.all([
      ...folders.map((id) => attempt(taker, TAKE, id)),
      attempt(taker, ADD, own),
    ]);
    expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
    expect(race.filter((outcome) => 'code' in outcome)).toEqual([
      { code: 'P0001', hint: 'plan_limit_links' },
      { code: 'P0001', hint: 'plan_limit_links' },
    ]);
  });
});

test('what is written while a folder changes hands is in it or refused, and never lost', async () => {
  for (let round = 0; round < 8; round++) {
    const { owner, taker, folderId, categoryId, linkId } = await offerTo('editor');
    const [taken, ...written] = await Promise.all([
      attempt(taker, TAKE, folderId),
      attempt(owner, ADD, categoryId),
      attempt(taker, ADD, categoryId),
      attempt(owner, `update links set title = 'Novo' where id = $1 returning id`, linkId),
    ]);
    expect(taken).toEqual({ rows: 1 });
    const added = written.slice(0, 2).filter((outcome) => 'rows' in outcome).length;
    expect(await counts(taker)).toEqual(countsOf(1 + added, 1, 1));
    expect(await counts(owner)).toEqual(countsOf(0, 0, 0));
    const title = (await read<{ title: string }>(taker, 'select title from links where id = $1', [linkId]))[0]
      ?.title;
    const [renamed] = written.slice(2);
    expect(title).toBe(renamed && 'rows' in renamed && renamed.rows === 1 ? 'Novo' : 'Exemplo');
  }
});

test('a folder is taken once, however often it is accepted', async () => {
  const { taker, folderId } = await offerTo('editor');
  const race = await Promise.all([1, 2, 3].map(() => attempt(taker, TAKE, folderId)));
  expect(race.filter((outcome) => 'rows' in outcome)).toHaveLength(1);
  expect(race.filter((outcome) => 'code' in outcome)).toEqual([GONE, GONE]);
  expect(await counts(taker)).toEqual(countsOf(1, 1, 1));
});

describe('the folder of a closed account', () => {
  const close = (user: TestUser) => database.admin.query('select close_account($1)', [user.id]);

  test('is taken over by a manager, with who was in it, until the account is gone', async () => {
    const { owner, taker, folderId, linkId } = await shareWith('manager');
    const editor = await createUser(database.admin, { plan: 'pro' });
    await inviteToFolder(database, owner, folderId, editor.email, 'editor');
    await run(owner, OFFER, folderId, editor.email);
    expect(await available(taker)).toEqual([]);
    await close(owner);
    expect(await available(editor)).toEqual([]);
    expect(await attempt(editor, TAKE, folderId)).toEqual(GONE);
    expect(await available(taker)).toEqual([
      { name: 'Trabalho', owner_name: 'Olga', is_closed: true, category_count: 1, link_count: 1 },
    ]);
    await run(taker, TAKE, folderId);
    expect(await read(taker, 'select id from links')).toEqual([{ id: linkId }]);
    expect(await read(editor, 'select name, role from received_folders()')).toEqual([
      { name: 'Trabalho', role: 'editor' },
    ]);
    // Whoever comes back manages it; whoever does not leaves nothing of theirs in it.
    await database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [owner.id]);
    const places = await database.admin.query('select role from private.folder_places where person_id = $1', [
      owner.id,
    ]);
    expect(places.rows).toEqual([{ role: 'manager' }]);
    await database.admin.query('select private.forget_person($1)', [owner.id]);
    expect(await read(taker, 'select email from folder_members')).toEqual([{ email: editor.email }]);
    expect(await read(taker, 'select added_by, added_by_name from links')).toEqual([
      { added_by: null, added_by_name: null },
    ]);
  });

  test('goes with its people to a manager who has begun to take it when its owner comes back', async () => {
    const { owner, taker, folderId } = await shareWith('manager');
    const editor = await createUser(database.admin);
    await inviteToFolder(database, owner, folderId, editor.email, 'editor');
    await close(owner);
    const client = await database.admin.connect();
    try {
      // What taking it does first.
      await client.query('begin');
      await client.query('select from folders where id = $1 for update', [folderId]);
      const comesBack = database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [
        owner.id,
      ]);
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like 'update auth.users set last_sign_in_at%'`;
      await expect.poll(async () => (await database.admin.query(waiting)).rowCount).toBe(1);
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify(claimsOf(taker))],
      );
      await client.query('select public.take_folder($1)', [folderId]);
      await client.query('commit');
      await comesBack;
    } finally {
      client.release();
    }
    const places = await database.admin.query(
      'select person_id, role from private.folder_places where folder_id = $1 order by role',
      [folderId],
    );
    expect(places.rows).toEqual([
      { person_id: editor.id, role: 'editor' },
      { person_id: owner.id, role: 'manager' },
    ]);
  });

  test.each(['opened again', 'past its thirty days', 'being purged', 'at rest'])(
    'is nobody’s to take when it is %s',
    async (how) => {
      const { owner, taker, folderId } = await shareWith('manager');
      if (how === 'at rest')
        await database.admin.query(
          `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
          [owner.id],
        );
      else await close(owner);
      if (how === 'opened again')
        await database.admin.query('update auth.users set last_sign_in_at = now() where id = $1', [owner.id]);
      else if (how === 'past its thirty days')
        await database.admin.query(
          `update private.account_closures set purge_after = now() where user_id = $1`,
          [owner.id],
        );
      else if (how === 'being purged')
        await database.admin.query(
          'update private.account_closures set purge_started_at = now() where user_id = $1',
          [owner.id],
        );
      expect(await available(taker)).toEqual([]);
      expect(await attempt(taker, TAKE, folderId)).toEqual(GONE);
    },
  );
});

test('a taker whose own account is closed, or whose session has ended, takes nothing', async () => {
  const { taker, folderId } = await offerTo('editor');
  await database.admin.query('select close_account($1)', [taker.id]);
  expect(await attempt(taker, TAKE, folderId)).toEqual(GONE);
});

test('a lapsed plan of the old owner keeps nobody from handing over', async () => {
  const { owner, taker, folderId } = await shareWith('editor');
  await setPlan(database.admin, owner.id, 'free');
  await run(owner, OFFER, folderId, taker.email);
  expect(await attempt(taker, TAKE, folderId)).toEqual({ rows: 1 });
  expect(await attempt(owner, 'select folder_offer($1)', randomUUID())).toEqual({ rows: 1 });
});
