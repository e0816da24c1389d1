import { claimsOf } from '@linkoteca/test-kit/claims-of';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { eventually } from '@linkoteca/test-kit/eventually';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

const PASSWORD = 'abre-te sésamo';

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
  await publish(library.categoryId);
  await setPassword(PASSWORD);
});

const publish = (id: string, isPublic = true) =>
  queryAs(database, library.owner, 'select save_sharing($1, $2, $3)', [id, isPublic, []]);
const setPassword = (password: string | null, caller: TestCaller = library.owner, id = library.categoryId) =>
  readOutcome(database, caller, 'select set_page_password($1, $2)', [id, password]);

type Headers = Readonly<Record<string, string>>;

/** As a request with these headers; rows, or the code of the refusal. */
async function ask(caller: TestCaller, headers: Headers, text: string, values: readonly unknown[]) {
  const client = await database.callers.connect();
  try {
    await client.query('begin');
    await client.query(
      `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.headers', $3, true),
         set_config('search_path', 'public', true)`,
      [
        typeof caller === 'string' ? caller : 'authenticated',
        JSON.stringify(typeof caller === 'string' ? { role: caller } : claimsOf(caller)),
        JSON.stringify(headers),
      ],
    );
    const { rows } = await client.query(text, [...values]);
    await client.query('commit');
    return rows as Record<string, unknown>[];
  } catch (error) {
    await client.query('rollback');
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.code;
  } finally {
    client.release();
  }
}
const from = (address: string): Headers => ({ 'x-forwarded-for': address });
async function unlock(password: string, headers = from('192.0.2.1'), id = library.categoryId) {
  const answer = await ask('anon', headers, 'select open_locked_page($1, $2) as proof', [id, password]);
  return Array.isArray(answer) ? (answer[0]?.['proof'] as string | null) : answer;
}
const accessBy = async (proof: string | null, caller: TestCaller = 'anon', id = library.categoryId) => {
  const headers: Headers = proof === null ? {} : { 'x-page-proof': proof };
  const answer = await ask(caller, headers, 'select * from shared_category($1)', [id]);
  return Array.isArray(answer) ? (answer[0]?.['access'] ?? null) : answer;
};
const linksBy = async (proof: string, caller: TestCaller = 'anon') => {
  const answer = await ask(caller, { 'x-page-proof': proof }, 'select title from shared_links($1)', [
    library.categoryId,
  ]);
  return Array.isArray(answer) ? answer.length : answer;
};

describe('a public page with a password', () => {
  test('tells nothing but that it asks for one, in every way', async () => {
    for (const caller of ['anon', stranger] as const) {
      const answer = await ask(caller, {}, 'select * from shared_category($1)', [library.categoryId]);
      expect(answer).toEqual([
        {
          id: library.categoryId,
          access: 'locked',
          name: null,
          description: null,
          owner_name: null,
          link_count: null,
          created_at: null,
          updated_at: null,
        },
      ]);
      const ways = [
        'select * from shared_links($1)',
        `select * from category_covers($1, array['${library.linkId}']::uuid[])`,
        ...(caller === 'anon'
          ? []
          : [
              'select * from arranged_links($1)',
              'select * from categories where id = $1',
              'select * from links where category_id = $1',
            ]),
      ];
      for (const text of ways) expect(await ask(caller, {}, text, [library.categoryId]), text).toEqual([]);
    }
    const [folder] = (await ask(
      stranger,
      {},
      `insert into folders (name) values ('F') returning id`,
      [],
    )) as {
      id: string;
    }[];
    expect(
      await ask(stranger, {}, 'select copy_shared_category($1, $2)', [library.categoryId, folder?.id]),
    ).toBe('PT404');
  });

  test('opens with the proof of its password, for visitors and for people', async () => {
    const proof = await unlock(PASSWORD);
    expect(proof).toMatch(/^[0-9a-f]{48}$/);
    for (const caller of ['anon', stranger] as const) {
      expect(await accessBy(proof ?? '', caller)).toBe('public');
      expect(await linksBy(proof ?? '', caller)).toBe(1);
    }
  });

  test('stays closed for a wrong password, and for proofs that are none, over, or of another page', async () => {
    expect(await unlock('abre-te cevada')).toBeNull();
    expect(await unlock('')).toBeNull();
    expect(await unlock(`${PASSWORD}${'x'.repeat(80)}`)).toBeNull();
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    await publish(other);
    await setPassword('outra senha', library.owner, other);
    const proof = (await unlock(PASSWORD)) ?? '';
    expect(await accessBy(proof, 'anon', other)).toBe('locked');
    for (const none of ['', 'x', proof.slice(1), `${proof} `]) expect(await accessBy(none)).toBe('locked');
    await database.admin.query(`update private.page_proofs set expires_at = now() - interval '1 second'`);
    expect(await accessBy(proof)).toBe('locked');
  });

  test('counts each page’s guesses by themselves, and takes no more of a password than there is', async () => {
    const other = await createCategory(database, library.owner, library.folderId, 'Outra');
    await publish(other);
    const longest = 'ã'.repeat(36);
    await setPassword(longest, library.owner, other);
    expect(await unlock(`${longest}x`, from('192.0.2.9'), other)).toBeNull();
    await unlock('errada', from('192.0.2.9'), other);
    for (let guess = 0; guess < 9; guess += 1) await unlock('errada', from('192.0.2.9'));
    expect(await unlock(longest, from('192.0.2.9'), other)).toMatch(/^[0-9a-f]{48}$/);
  });

  test('asks for nothing of its owner, and is nobody’s once it is private or over', async () => {
    expect(await accessBy(null, library.owner)).toBe('owner');
    const proof = (await unlock(PASSWORD)) ?? '';
    await database.admin.query(`update private.public_pages set ends_at = now() - interval '1 s'`);
    expect([await accessBy(proof), await accessBy(null), await unlock(PASSWORD)]).toEqual([null, null, null]);
    await database.admin.query('update private.public_pages set ends_at = null');
    await publish(library.categoryId, false);
    expect([await accessBy(proof), await accessBy(null), await unlock(PASSWORD)]).toEqual([null, null, null]);
    // It is asked for again when the page is public again.
    await publish(library.categoryId);
    expect(await accessBy(null)).toBe('locked');
  });

  test('is hashed, and in no answer', async () => {
    const { rows } = await database.admin.query<{ hash: string }>(
      'select password_hash as hash from private.public_pages where category_id = $1',
      [library.categoryId],
    );
    expect(rows[0]?.hash).toMatch(/^\$2a\$10\$/);
    const limits = await ask(library.owner, {}, 'select * from page_limits($1)', [library.categoryId]);
    expect(limits).toEqual([{ id: library.categoryId, ends_at: null, has_password: true }]);
    expect(await ask(library.owner, {}, 'select * from page_limits()', [])).toEqual(limits);
    expect(await ask(stranger, {}, 'select * from page_limits()', [])).toEqual([]);
  });

  test('is listed with the pages that end, and without those that have neither', async () => {
    const ending = await createCategory(database, library.owner, library.folderId, 'Termina');
    await createCategory(database, library.owner, library.folderId, 'Sem limites');
    await ask(library.owner, {}, `select set_page_end($1, now() + interval '1 day')`, [ending]);
    expect(await ask(library.owner, {}, 'select id, has_password from page_limits()', [])).toEqual([
      { id: library.categoryId, has_password: true },
      { id: ending, has_password: false },
    ]);
  });

  test('is asked for when the page comes back from the bin, also where its owner has limited another since', async () => {
    await ask(library.owner, {}, 'delete from categories where id = $1', [library.categoryId]);
    await setPassword(
      'outra senha',
      library.owner,
      await createCategory(database, library.owner, library.folderId),
    );
    await undoDeletion(database, library.owner, 'category', [library.categoryId]);
    expect(await accessBy(null)).toBe('locked');
  });

  test('stays its owner’s while the page is in the bin, whoever tries to take its id', async () => {
    const thief = await createLibrary(database, { plan: 'plus' });
    const take = () =>
      readOutcome(
        database,
        thief.owner,
        `insert into categories (id, name, folder_id) values ($1, 'Roubada', $2)`,
        [library.categoryId, thief.folderId],
      );
    const drop = (caller: TestUser) =>
      ask(caller, {}, 'delete from categories where id = $1', [library.categoryId]);
    const taken = { code: '23505', constraint: 'categories_pkey' };
    expect(await take()).toEqual(taken);
    await drop(library.owner);
    expect(await take()).toEqual(taken);
    expect(await setPassword('senha roubada', thief.owner)).toEqual({ code: 'PT404' });
    await drop(thief.owner);
    await undoDeletion(database, library.owner, 'category', [library.categoryId]);
    expect(await accessBy(null)).toBe('locked');
    expect(await unlock('senha roubada')).toBeNull();
    expect(await unlock(PASSWORD)).toMatch(/^[0-9a-f]{48}$/);
    // What is gone for good holds no id.
    await drop(library.owner);
    await database.admin.query('delete from private.deletions where user_id = $1', [library.owner.id]);
    expect(await take()).toEqual({ rows: 1 });
    expect(await ask(thief.owner, {}, 'select * from page_limits()', [])).toEqual([]);
  });

  test('of a stranger who has taken the id of a page without one does not come with the page', async () => {
    const open = await createCategory(database, library.owner, library.folderId, 'Aberta');
    await ask(library.owner, {}, 'delete from categories where id = $1', [open]);
    const thief = await createLibrary(database, { plan: 'plus' });
    const take = `insert into categories (id, name, folder_id) values ($1, 'Roubada', $2)`;
    await ask(thief.owner, {}, take, [open, thief.folderId]);
    await setPassword('senha roubada', thief.owner, open);
    await ask(thief.owner, {}, 'delete from categories where id = $1', [open]);
    await undoDeletion(database, library.owner, 'category', [open]);
    const back = await ask(library.owner, {}, `select id from categories where name = 'Aberta'`, []);
    expect(back).toEqual([{ id: expect.not.stringContaining(open) }]);
    expect(await ask(library.owner, {}, 'select id from page_limits()', [])).toEqual([
      { id: library.categoryId },
    ]);
  });

  test('is forgotten with its owner, and with it its proofs and guesses', async () => {
    await unlock(PASSWORD);
    await unlock('errada123');
    await database.admin.query('delete from auth.users where id = $1', [library.owner.id]);
    for (const table of ['public_pages', 'page_proofs', 'page_attempts']) {
      const { rowCount } = await database.admin.query(`select from private.${table} where category_id = $1`, [
        library.categoryId,
      ]);
      expect(rowCount, table).toBe(0);
    }
  });
});

describe('another password', () => {
  test('ends the proofs of the one before; so does none, which opens the page', async () => {
    const proof = (await unlock(PASSWORD)) ?? '';
    await setPassword('outra senha');
    expect(await accessBy(proof)).toBe('locked');
    expect(await unlock(PASSWORD)).toBeNull();
    expect(await unlock('outra senha')).toMatch(/^[0-9a-f]{48}$/);
    await setPassword(null);
    expect(await accessBy(null)).toBe('public');
    expect(await unlock('outra senha')).toBeNull();
  });

  test('that is set while the one before is being proven leaves no proof of that', async () => {
    const other = await database.admin.connect();
    try {
      await other.query('begin');
      await other.query(
        `update private.public_pages set password_hash = extensions.crypt('outra senha', extensions.gen_salt('bf', 4))
         where category_id = $1`,
        [library.categoryId],
      );
      const proof = unlock(PASSWORD);
      await eventually(async () => {
        const { rowCount } = await database.admin.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        expect(rowCount).toBe(1);
      });
      await other.query('commit');
      expect(await proof).toBeNull();
    } finally {
      other.release(true);
    }
    const { rowCount } = await database.admin.query(
      'select from private.page_proofs where category_id = $1',
      [library.categoryId],
    );
    expect(rowCount).toBe(0);
  });

  test('tells the viewers', async () => {
    const told = async () =>
      (
        await database.admin.query('select from realtime.messages where topic = $1', [
          `shared:${library.categoryId}`,
        ])
      ).rowCount ?? 0;
    const before = await told();
    await setPassword('outra senha');
    await queryAs(database, library.owner, `update links set title = 'Novo' where id = $1`, [library.linkId]);
    expect(await told()).toBe(before + 2);
  });

  test('is the owner’s alone, of 8 to 72 characters, and none is no way around the plan', async () => {
    const { owner: neighbour } = await createLibrary(database, { plan: 'plus' });
    for (const other of [stranger, neighbour])
      expect(await setPassword('outra senha', other)).toEqual({ code: 'PT404' });
    expect(await setPassword(null, 'anon')).toMatchObject({ code: '42501' });
    for (const bad of ['', '1234567', 'x'.repeat(73), 'é'.repeat(40)])
      expect(await setPassword(bad)).toEqual({ code: 'PT400' });
    await setPlan(database.admin, library.owner.id, 'free');
    expect(await setPassword(null)).toEqual({ code: 'P0001', hint: 'plan_sharing' });
    expect(await setPassword('outra senha')).toEqual({ rows: 1 });
  });
});

describe('guesses', () => {
  const guess = (address: string) => unlock('errada123', from(address));

  test('end after ten in a quarter of an hour from one network, also made at once; others go on', async () => {
    const outcomes = await Promise.all(Array.from({ length: 14 }, () => guess('192.0.2.1')));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'PT429')).toHaveLength(4);
    expect(await unlock(PASSWORD, from('192.0.2.1'))).toBe('PT429');
    expect(await unlock(PASSWORD, from('192.0.2.2'))).toMatch(/^[0-9a-f]{48}$/);
    await database.admin.query(`update private.page_attempts set since = now() - interval '16 minutes'`);
    expect(await unlock(PASSWORD, from('192.0.2.1'))).toMatch(/^[0-9a-f]{48}$/);
    // The next quarter is as long, and has as many.
    for (let n = 0; n < 10; n += 1) expect(await guess('192.0.2.1')).toBeNull();
    expect(await guess('192.0.2.1')).toBe('PT429');
  });

  test('of one IPv6 network count together', async () => {
    for (let n = 0; n < 10; n += 1) expect(await guess(`2001:db8:1:2::${n}`)).toBeNull();
    expect(await guess('2001:db8:1:2:ffff::1')).toBe('PT429');
    expect(await guess('2001:db8:1:3::1')).toBeNull();
  });

  test('from everywhere end after a thousand in an hour', async () => {
    await database.admin.query(
      `insert into private.page_attempts (category_id, network, wrong)
       select $1, '198.51.100.0'::inet + n, 10 from generate_series(1, 100) n`,
      [library.categoryId],
    );
    expect(await unlock(PASSWORD, from('192.0.2.9'))).toBe('PT429');
    await database.admin.query(`update private.page_attempts set since = now() - interval '61 minutes'`);
    expect(await unlock(PASSWORD, from('192.0.2.9'))).toMatch(/^[0-9a-f]{48}$/);
  });

  test('that are right count for nothing, and pages without a password keep none', async () => {
    for (let n = 0; n < 12; n += 1) expect(await unlock(PASSWORD)).toMatch(/^[0-9a-f]{48}$/);
    const open = await createCategory(database, library.owner, library.folderId, 'Aberta');
    await publish(open);
    for (const id of [open, stranger.id]) expect(await unlock('qualquer', from('192.0.2.1'), id)).toBeNull();
    const { rows } = await database.admin.query(
      'select wrong from private.page_attempts where category_id = any ($1)',
      [[library.categoryId, open]],
    );
    expect(rows).toEqual([{ wrong: 0 }]);
  });
});
