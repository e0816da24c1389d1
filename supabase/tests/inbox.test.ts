import { randomUUID } from 'node:crypto';
import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup, inviteToFolder, shareWithGroup } from './support/share-folder.ts';
import { undoDeletion } from './support/undo-deletion.ts';

let database: ThrowawayDatabase;
let owner: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  owner = await createUser(database.admin);
});

const CAPTURE = 'select capture_link($1, $2, $3, $4, $5) as place';
const REFUSED = { code: '42501' };
const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);

async function readOne(caller: TestCaller, text: string, ...values: unknown[]): Promise<unknown> {
  const { rows } = await queryAs<Record<string, unknown>>(database, caller, text, values);
  return Object.values(rows[0] ?? {})[0];
}

const openInbox = (person: TestUser = owner) => readOne(person, 'select open_inbox()');
const capture = (id: string, { person = owner, title = 'Pão', categoryId = null as string | null } = {}) =>
  readOne(person, CAPTURE, id, 'https://pao.com.br/', title, null, categoryId);

/** The person's categories: name, folder, whether it is the inbox, and how many links it has. */
async function listCategories(person: TestUser = owner): Promise<readonly unknown[]> {
  const { rows } = await queryAs(
    database,
    person,
    `select c.name, f.name as folder, is_inbox(c) as inbox, n.link_count as links
     from categories c join folders f on f.id = c.folder_id join category_counts n on n.category_id = c.id
     where c.user_id = $1 order by c.created_at`,
    [person.id],
  );
  return rows;
}

const INBOX = { name: 'Entrada', folder: 'Minha biblioteca', inbox: true };

describe('the inbox', () => {
  test('is made when it is first needed, once, where a library begins', async () => {
    expect(await listCategories()).toEqual([]);
    const id = await openInbox();
    expect(await openInbox()).toBe(id);
    expect(await listCategories()).toEqual([{ ...INBOX, links: 0 }]);
  });

  test('is a category like others: renamed and moved it stays the inbox, and counts', async () => {
    const { owner: person, folderId } = await createLibrary(database);
    const id = await openInbox(person);
    await queryAs(database, person, `update categories set name = 'Depois', folder_id = $2 where id = $1`, [
      id,
      folderId,
    ]);
    await queryAs(database, person, `delete from folders where name = 'Minha biblioteca'`);
    expect(await openInbox(person)).toBe(id);
    expect(await capture(randomUUID(), { person })).toBe(id);
    expect(await listCategories(person)).toEqual([
      { name: 'Leituras', folder: 'Trabalho', inbox: false, links: 1 },
      { name: 'Depois', folder: 'Trabalho', inbox: true, links: 1 },
    ]);
    expect(await readOne(person, 'select category_count from library_counts')).toBe(2);
  });

  test('goes into a folder of that name where there is one', async () => {
    await queryAs(database, owner, `insert into folders (name) values ('Minha biblioteca')`);
    await openInbox();
    expect(await listCategories()).toEqual([{ ...INBOX, links: 0 }]);
    expect(await readOne(owner, 'select folder_count from library_counts')).toBe(1);
  });

  test('is not made in a folder of that name that others share, by address or group: they would read it', async () => {
    for (const share of ['address', 'group'] as const) {
      const { owner: person, folderId } = await createLibrary(database, { plan: 'plus' });
      const guest = await createUser(database.admin);
      await queryAs(database, person, `update folders set name = 'Minha biblioteca' where id = $1`, [
        folderId,
      ]);
      if (share === 'address') await inviteToFolder(database, person, folderId, guest.email, 'viewer');
      else
        await shareWithGroup(
          database,
          person,
          folderId,
          await createGroup(database, person, 'Turma 9B', []),
          'viewer',
        );
      await capture(randomUUID(), { person });
      if (share === 'group')
        await queryAs(database, person, 'select save_group(id, name, $1) from list_groups()', [
          [guest.email],
        ]);
      expect(await readOne(guest, `select array_agg(title) from links`), share).toEqual(['Exemplo']);
      expect((await listCategories(person)).slice(1)).toEqual([
        { ...INBOX, folder: 'Minha biblioteca (2)', links: 1 },
      ]);
    }
  });

  test('made anew where others share the folder of that name goes into the private one that was made', async () => {
    const { owner: person, folderId } = await createLibrary(database, { plan: 'plus' });
    await queryAs(database, person, `update folders set name = 'Minha biblioteca' where id = $1`, [folderId]);
    await inviteToFolder(database, person, folderId, 'ana@a.br', 'viewer');
    for (let n = 0; n < 2; n += 1) {
      const id = await openInbox(person);
      expect((await listCategories(person)).slice(1)).toEqual([
        { ...INBOX, folder: 'Minha biblioteca (2)', links: 0 },
      ]);
      await queryAs(database, person, 'delete from categories where id = $1', [id]);
    }
    expect(await readOne(person, 'select folder_count from library_counts')).toBe(2);
  });

  test('of two devices that ask at the same moment is one: the second waits for the first', async () => {
    const first = await database.callers.connect();
    try {
      await first.query('begin');
      await first.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
        [JSON.stringify(claimsOf(owner))],
      );
      const made = await first.query<{ id: string }>('select open_inbox() as id');
      const second = openInbox();
      await expect
        .poll(async () => {
          const { rowCount } = await database.admin.query(
            `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          );
          return rowCount;
        })
        .toBe(1);
      await first.query('commit');
      expect(await second).toBe(made.rows[0]?.id);
    } finally {
      first.release(true);
    }
    expect(await listCategories()).toEqual([{ ...INBOX, links: 0 }]);
  });

  test('that is deleted comes back as the inbox when that is undone, and is made anew otherwise', async () => {
    const id = await openInbox();
    await queryAs(database, owner, 'delete from categories where id = $1', [id]);
    await undoDeletion(database, owner, 'category', [String(id)]);
    expect(await openInbox()).toBe(id);
    await queryAs(database, owner, 'delete from categories where id = $1', [id]);
    const next = await openInbox();
    expect(next).not.toBe(id);
    await undoDeletion(database, owner, 'category', [String(id)]);
    expect(await openInbox()).toBe(next);
    expect(await listCategories()).toEqual([
      { ...INBOX, inbox: false, links: 0 },
      { ...INBOX, links: 0 },
    ]);
  });

  test('needs a place in the plan, and leaves nothing behind where there is none', async () => {
    const { owner: person, folderId } = await createLibrary(database);
    await queryAs(
      database,
      person,
      `insert into categories (name, folder_id) select 'C' || n, $1 from generate_series(1, 4) n`,
      [folderId],
    );
    const full = { code: 'P0001', hint: 'plan_limit_categories' };
    expect(await attempt(person, 'select open_inbox()')).toEqual(full);
    expect(await attempt(person, CAPTURE, randomUUID(), 'https://a.br/', 'A', null, null)).toEqual(full);
    expect(await attempt(person, `select from folders where name = 'Minha biblioteca'`)).toEqual({ rows: 0 });
    expect(await attempt(person, 'select from inboxes')).toEqual({ rows: 0 });
  });
});

describe('a captured link', () => {
  test('is saved once, however often it is sent, also where it was moved meanwhile', async () => {
    const id = randomUUID();
    const inbox = await capture(id);
    expect(await capture(id, { title: 'Outro' })).toBe(inbox);
    const { rows } = await queryAs(database, owner, 'select id, title, category_id from links');
    expect(rows).toEqual([{ id, title: 'Pão', category_id: inbox }]);
    const folder = await readOne(owner, 'select folder_id from categories');
    const other = await readOne(
      owner,
      `insert into categories (name, folder_id) values ('Padarias', $1) returning id`,
      folder,
    );
    await queryAs(database, owner, 'select move_links($1, $2)', [[id], other]);
    expect(await capture(id)).toBe(other);
    expect(await readOne(owner, 'select count(*)::int from links')).toBe(1);
  });

  test('that was deleted after its answer was lost does not come back', async () => {
    const id = randomUUID();
    await capture(id);
    await queryAs(database, owner, 'delete from links where id = $1', [id]);
    expect(await capture(id)).toBeNull();
    expect(await readOne(owner, 'select count(*)::int from links')).toBe(0);
  });

  test('goes into the category named; one that is gone or a stranger’s is not found', async () => {
    const mine = await createLibrary(database);
    const theirs = await createLibrary(database);
    expect(await capture(randomUUID(), { person: mine.owner, categoryId: mine.categoryId })).toBe(
      mine.categoryId,
    );
    for (const place of [theirs.categoryId, randomUUID()])
      expect(
        await attempt(mine.owner, CAPTURE, randomUUID(), 'https://a.br/', 'A', null, place),
      ).toMatchObject({ code: 'PT404' });
    expect(await readOne(theirs.owner, 'select count(*)::int from links')).toBe(1);
    expect(await attempt(mine.owner, 'select from inboxes')).toEqual({ rows: 0 });
  });

  test('keeps the rules of links: only http and https, texts of a length, and the plan’s room', async () => {
    for (const [url, title] of [
      ['javascript:alert(1)', 'A'],
      ['data:text/html,<script>', 'A'],
      [`https://a.br/${'a'.repeat(500)}`, 'A'],
      ['https://a.br/', ''],
      ['https://a.br/', 'a'.repeat(101)],
    ])
      expect(await attempt(owner, CAPTURE, randomUUID(), url, title, null, null), url).toMatchObject({
        code: '23514',
      });
    const markup = '<img src=x onerror=alert(1)>';
    await capture(randomUUID(), { title: markup });
    expect(await readOne(owner, 'select title from links')).toBe(markup);
    for (let n = 1; n < 20; n += 1) await capture(randomUUID());
    expect(await attempt(owner, CAPTURE, randomUUID(), 'https://a.br/', 'A', null, null)).toEqual({
      code: 'P0001',
      hint: 'plan_limit_links',
    });
  });

  test('never takes the id of somebody else’s', async () => {
    const theirs = await createLibrary(database);
    expect(await attempt(owner, CAPTURE, theirs.linkId, 'https://a.br/', 'Meu', null, null)).toMatchObject({
      code: '23505',
    });
    expect(await readOne(theirs.owner, 'select title from links')).toBe('Exemplo');
  });
});

describe('a stranger', () => {
  test('does not learn which category is whose inbox, invited or not, and marks none', async () => {
    owner = await createUser(database.admin, { plan: 'plus' });
    const id = await openInbox();
    const stranger = await createUser(database.admin);
    await queryAs(database, owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
      id,
      stranger.email,
    ]);
    expect(await readOne(stranger, 'select is_inbox(c) from categories c')).toBe(false);
    expect(await attempt(stranger, 'select from inboxes')).toEqual({ rows: 0 });
    for (const text of [
      `insert into inboxes (user_id, category_id) values (auth.uid(), '${String(id)}')`,
      'update inboxes set category_id = gen_random_uuid()',
      'delete from inboxes',
    ]) {
      expect(await attempt(stranger, text)).toMatchObject(REFUSED);
      expect(await attempt(owner, text)).toMatchObject(REFUSED);
    }
    expect(await openInbox(stranger)).not.toBe(id);
  });

  test('who took the id of a deleted inbox receives nothing that is captured', async () => {
    const id = await openInbox();
    await queryAs(database, owner, 'delete from categories where id = $1', [id]);
    const theirs = await createLibrary(database, { plan: 'pro' });
    await queryAs(
      database,
      theirs.owner,
      `insert into categories (id, name, folder_id) values ($1, 'Minha', $2)`,
      [id, theirs.folderId],
    );
    await inviteToFolder(database, theirs.owner, theirs.folderId, owner.email, 'editor');
    expect(await attempt(owner, 'select from categories where id = $1', id)).toEqual({ rows: 1 });
    const place = await capture(randomUUID());
    expect(place).not.toBe(id);
    expect(await openInbox()).toBe(place);
    expect(await listCategories()).toEqual([{ ...INBOX, links: 1 }]);
    expect(await attempt(theirs.owner, 'select from links where category_id = $1', id)).toEqual({ rows: 0 });
  });

  test('without an account reaches nothing', async () => {
    expect(await attempt('anon', 'select open_inbox()')).toMatchObject(REFUSED);
    expect(await attempt('anon', 'select from inboxes')).toMatchObject(REFUSED);
    expect(await attempt('anon', CAPTURE, randomUUID(), 'https://a.br/', 'A', null, null)).toMatchObject(
      REFUSED,
    );
  });

  test('whose account is closed saves nothing', async () => {
    await queryAs(database, 'service_role', 'select close_account($1)', [owner.id]);
    expect(await attempt(owner, 'select open_inbox()')).toMatchObject(REFUSED);
    expect(await attempt(owner, CAPTURE, randomUUID(), 'https://a.br/', 'A', null, null)).toMatchObject(
      REFUSED,
    );
  });
});

test('goes with the account', async () => {
  await openInbox();
  await database.admin.query('delete from auth.users where id = $1', [owner.id]);
  const left = await database.admin.query('select from inboxes where user_id = $1', [owner.id]);
  expect(left.rowCount).toBe(0);
});
