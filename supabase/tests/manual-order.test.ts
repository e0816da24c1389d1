import { birthRank } from '@linkoteca/domain/birth-rank';
import { ranksAt } from '@linkoteca/domain/link-ranks';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCategory, createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { undoDeletion } from './support/undo-deletion.ts';

type Placed = {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
  rank: string | null;
};

let database: ThrowawayDatabase;
let mine: Library;
let categoryId: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
/** A category of six links, F to A from the newest to the oldest. */
beforeEach(async () => {
  mine = await createLibrary(database, { plan: 'plus' });
  categoryId = await createCategory(database, mine.owner, mine.folderId, 'Ordenada');
  await addLinks(['A', 'B', 'C', 'D', 'E', 'F']);
});

async function addLinks(titles: readonly string[], into = categoryId): Promise<void> {
  await queryAs(
    database,
    mine.owner,
    `insert into links (url, title, category_id)
     select 'https://a.br/' || t, t, $1 from unnest($2::text[]) with ordinality as w(t, n) order by n`,
    [into, titles],
  );
}

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const PLACE = 'select place_links($1, $2, $3, $4)';
const REFUSED = { code: '42501' };
const GONE = { code: 'PT404' };

/** The links of a category as `arranged_links` gives them. */
async function arranged(
  caller: TestCaller = mine.owner,
  of = categoryId,
  max = 50,
  below: string | null = null,
) {
  const { rows } = await queryAs<Placed>(
    database,
    caller,
    `select id, title, rank, to_json(created_at) #>> '{}' as created_at from arranged_links($1, $2, $3)`,
    [of, max, below],
  );
  return rows;
}

const titlesOf = (links: readonly { readonly title: string }[]) => links.map(({ title }) => title).join('');
const standing = ({ id, rank, created_at }: Placed) => ({ id, rank: rank ?? birthRank({ id, created_at }) });

/** Puts links at a place among the others, as the app does. */
async function place(titles: string, at: number, manual = true): Promise<void> {
  const links = await arranged();
  const moved = [...titles].map((title) => links.find((link) => link.title === title)?.id ?? '');
  const others = links.filter(({ id }) => !moved.includes(id)).map(standing);
  const ranks = ranksAt(others, at, moved, true);
  await queryAs(database, mine.owner, PLACE, [categoryId, [...ranks.keys()], [...ranks.values()], manual]);
}

/** What a visitor's page shows, page after page of so many. */
async function shared(caller: TestCaller, size = 100, of = categoryId): Promise<string> {
  let seen = '';
  let last: { readonly created_at: string; readonly id: string } | undefined;
  for (;;) {
    const { rows }: { rows: { title: string; id: string; created_at: string }[] } = await queryAs(
      database,
      caller,
      `select id, title, created_at::text as created_at from shared_links($1, $2, $3, $4)`,
      [of, size, last?.created_at ?? null, last?.id ?? null],
    );
    seen += titlesOf(rows);
    if (rows.length < size) return seen;
    last = rows.at(-1);
  }
}

const publish = (of = categoryId) =>
  queryAs(database, mine.owner, 'update categories set is_public = true where id = $1', [of]);
const invite = (person: TestUser, of = categoryId) =>
  queryAs(database, mine.owner, 'insert into shared_with (category_id, email) values ($1, $2)', [
    of,
    person.email,
  ]);
/** Whether the category is shown in its owner's order, as the caller sees it. */
async function isManual(caller: TestCaller = mine.owner, of = categoryId): Promise<boolean> {
  const { rowCount } = await queryAs(database, caller, 'select from manual_order where category_id = $1', [
    of,
  ]);
  return rowCount === 1;
}

describe('the order of a category', () => {
  test('is newest first until links are put elsewhere, and what comes later stands on top', async () => {
    expect(titlesOf(await arranged())).toBe('FEDCBA');
    await place('B', 0);
    await place('F', 5);
    expect(titlesOf(await arranged())).toBe('BEDCAF');
    expect(await isManual()).toBe(true);
    await addLinks(['G']);
    expect(titlesOf(await arranged())).toBe('GBEDCAF');
    await place('CG', 3);
    expect(titlesOf(await arranged())).toBe('BEDCGAF');
  });

  test('goes back to the births of its links, and may be laid aside and taken up again', async () => {
    await place('A', 0);
    await queryAs(database, mine.owner, PLACE, [categoryId, [], [], false]);
    expect(await isManual()).toBe(false);
    await queryAs(database, mine.owner, PLACE, [categoryId, [], [], true]);
    expect(titlesOf(await arranged())).toBe('AFEDCB');
    const [first] = await arranged();
    await queryAs(database, mine.owner, PLACE, [categoryId, [first?.id], [''], true]);
    expect(titlesOf(await arranged())).toBe('FEDCBA');
  });

  test('is written as one small row a link, and leaves the link as it was', async () => {
    const versions = 'select id, updated_at from links where category_id = $1 order by id';
    const before = await queryAs(database, mine.owner, versions, [categoryId]);
    await place('D', 1);
    await place('D', 4);
    expect((await queryAs(database, mine.owner, versions, [categoryId])).rows).toEqual(before.rows);
    expect(await attempt(mine.owner, 'select from manual_order where link_id is not null')).toEqual({
      rows: 1,
    });
  });

  test.each(['', '0', 'a0', 'A', 'g', '8 ', 'f'.repeat(256)])('takes no rank %j', async (rank) => {
    const [link] = await arranged();
    const outcome = await attempt(mine.owner, PLACE, categoryId, [link?.id], [rank], true);
    if (rank === '') expect(outcome).toEqual({ rows: 1 });
    else expect(outcome).toMatchObject({ code: '23514', constraint: 'manual_order_rank_known' });
  });

  test('refuses what fits nothing', async () => {
    const place = (...values: unknown[]) => attempt(mine.owner, PLACE, categoryId, ...values);
    const id = crypto.randomUUID();
    expect(await place([id], [], true)).toMatchObject({ code: 'PT400' });
    expect(await place(null, [], true)).toMatchObject({ code: 'PT400' });
    expect(await place([], [], null)).toMatchObject({ code: 'PT400' });
    const many = Array.from({ length: 20_001 }, () => id);
    expect(
      await place(
        many,
        many.map(() => '8'),
        true,
      ),
    ).toMatchObject({ code: 'PT400' });
    expect(await attempt(mine.owner, 'select arranged_links($1, 5, $2)', categoryId, 'x')).toMatchObject({
      code: 'PT400',
    });
  });

  test('of two equal ranks of one person the second is refused', async () => {
    const [one, other] = await arranged();
    expect(await attempt(mine.owner, PLACE, categoryId, [one?.id], ['8'], true)).toEqual({ rows: 1 });
    expect(await attempt(mine.owner, PLACE, categoryId, [other?.id], ['8'], true)).toMatchObject({
      code: '23505',
    });
  });

  test('is read page after page without gap or repetition, also of links born at once', async () => {
    await database.admin.query(
      `insert into links (url, title, category_id, user_id, created_at)
       select 'https://a.br', chr(96 + n), $1, $2, '2024-05-01' from generate_series(1, 20) n`,
      [categoryId, mine.owner.id],
    );
    await place('m', 25);
    await place('g', 3);
    await place('C', 15);
    const whole = titlesOf(await arranged());
    expect([whole[3], whole[15], whole[25]].join('')).toBe('gCm');
    for (const size of [1, 3, 7]) {
      let seen = '';
      let below: string | null = null;
      for (;;) {
        const page: readonly Placed[] = await arranged(mine.owner, categoryId, size, below);
        seen += titlesOf(page);
        const last = page.at(-1);
        if (last === undefined) break;
        below = standing(last).rank;
      }
      expect(seen).toBe(whole);
    }
  });

  test('has its twin in the app: where a birth puts a link', async () => {
    await database.admin.query(
      `insert into links (url, title, category_id, user_id, created_at)
       select 'https://a.br', n, $1, $2, timestamptz '2021-02-03 04:05:06' + n * interval '37.123457 days' from generate_series(0, 40) n`,
      [categoryId, mine.owner.id],
    );
    const { rows } = await database.admin.query<{ id: string; created_at: string; rank: string }>(
      `select id, to_json(created_at) #>> '{}' as created_at, private.birth_rank(created_at, id) as rank
       from links where category_id = $1`,
      [categoryId],
    );
    for (const row of rows) expect(birthRank(row)).toBe(row.rank);
  });
});

describe('a stranger', () => {
  test('reads, places and takes away nothing, and is told the same of it as of what does not exist', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await place('A', 0);
    const before = await arranged();
    const ids = before.map(({ id }) => id);
    const ranks = ids.map((_, n) => `${n + 1}8`);
    for (const id of [categoryId, crypto.randomUUID()]) {
      expect(await attempt(other.owner, PLACE, id, ids, ranks, true)).toMatchObject(GONE);
      expect(await attempt(other.owner, PLACE, id, [], [], false)).toMatchObject(GONE);
      expect(await arranged(other.owner, id)).toEqual([]);
    }
    // Nor by a category of their own.
    expect(await attempt(other.owner, PLACE, other.categoryId, ids, ranks, true)).toEqual({ rows: 1 });
    expect(await attempt(other.owner, 'select from manual_order')).toEqual({ rows: 1 });
    expect(await arranged()).toEqual(before);
  });

  test('writes nothing past the function, nor does the owner', async () => {
    await place('A', 0);
    const other = await createLibrary(database, { plan: 'pro' });
    const [link] = await arranged();
    for (const caller of [other.owner, mine.owner]) {
      const add = `insert into manual_order (user_id, link_id, rank) values ($1, $2, '8')`;
      expect(await attempt(caller, add, caller.id, link?.id)).toMatchObject(REFUSED);
      expect(await attempt(caller, `update manual_order set rank = '8'`)).toMatchObject(REFUSED);
      expect(await attempt(caller, 'delete from manual_order')).toMatchObject(REFUSED);
    }
  });

  test('and a visitor sees the order of a public page on that page alone', async () => {
    const stranger = await createUser(database.admin);
    await place('A', 2);
    await publish();
    for (const caller of ['anon', stranger] as const) expect(await shared(caller)).toBe('FEADCB');
    expect(await attempt(stranger, 'select from manual_order')).toEqual({ rows: 0 });
    expect(await arranged(stranger)).toEqual([]);
    expect(await attempt('anon', 'select from manual_order')).toMatchObject(REFUSED);
    expect(await attempt('anon', 'select arranged_links($1)', categoryId)).toMatchObject(REFUSED);
    expect(await attempt('anon', PLACE, categoryId, [], [], true)).toMatchObject(REFUSED);
  });

  test('who was invited reads the order, and only while the category is shared', async () => {
    const reader = await createUser(database.admin, { plan: 'pro' });
    await place('A', 2);
    expect(await isManual(reader)).toBe(false);
    await invite(reader);
    expect(titlesOf(await arranged(reader))).toBe('FEADCB');
    expect(await isManual(reader)).toBe(true);
    // Where each link stands comes with the links.
    expect(await attempt(reader, 'select from manual_order where link_id is not null')).toEqual({ rows: 0 });
    expect(await attempt(reader, PLACE, categoryId, [], [], false)).toMatchObject(GONE);
    await queryAs(database, mine.owner, 'delete from shared_with where category_id = $1', [categoryId]);
    expect(await arranged(reader)).toEqual([]);
    expect(await isManual(reader)).toBe(false);
  });

  test('on a free plan reads no order of a category that the plan does not open', async () => {
    const reader = await createUser(database.admin);
    await place('A', 2);
    await invite(reader, mine.categoryId);
    await invite(reader);
    expect(await arranged(reader)).toEqual([]);
  });

  test('with the token of a closed account is nobody', async () => {
    await place('A', 0);
    await queryAs(database, 'service_role', 'select close_account($1)', [mine.owner.id]);
    expect(await arranged()).toEqual([]);
    expect(await attempt(mine.owner, 'select from manual_order')).toEqual({ rows: 0 });
    expect(await attempt(mine.owner, PLACE, categoryId, [], [], false)).toMatchObject(GONE);
  });
});

describe('the shared page', () => {
  test('is in the order of the category in pages of any size, and newest first when that is laid aside', async () => {
    await publish();
    await place('AC', 2);
    expect(titlesOf(await arranged())).toBe('FEACDB');
    for (const size of [1, 2, 5, 6]) expect(await shared('anon', size)).toBe('FEACDB');
    await queryAs(database, mine.owner, PLACE, [categoryId, [], [], false]);
    expect(await shared('anon', 4)).toBe('FEDCBA');
  });

  test('goes on where a link stood that has gone meanwhile, and below a moment alone', async () => {
    await publish();
    await place('A', 0);
    const links = await arranged();
    const at = links.find(({ title }) => title === 'D');
    await queryAs(database, mine.owner, 'delete from links where id = $1', [at?.id]);
    const after = 'select title from shared_links($1, 50, $2, $3)';
    const { rows } = await queryAs<Placed>(database, 'anon', after, [categoryId, at?.created_at, at?.id]);
    expect(titlesOf(rows)).toBe('CB');
    const alone = await queryAs<Placed>(database, 'anon', after, [categoryId, at?.created_at, null]);
    expect(titlesOf(alone.rows)).toBe('CB');
    for (const moment of ['-infinity', '0001-01-01'])
      expect(await attempt('anon', after, categoryId, moment, null)).toEqual({ rows: 0 });
    expect(await attempt('anon', after, categoryId, 'infinity', null)).toEqual({ rows: 5 });
  });

  test('tells those who look at it of another order, and nobody of one that is not shared', async () => {
    const told = async () => {
      const { rows } = await database.admin.query<{ topic: string }>(
        'select topic from realtime.messages where topic = $1',
        [`shared:${categoryId}`],
      );
      return rows.length;
    };
    await place('A', 0);
    expect(await told()).toBe(0);
    await publish();
    const before = await told();
    await place('B', 0);
    expect(await told()).toBe(before + 1);
  });

  test('is copied in its order', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await publish();
    await place('A', 2);
    const { rows } = await queryAs<{ copy: string }>(
      database,
      other.owner,
      'select copy_shared_category($1, $2) as copy',
      [categoryId, other.folderId],
    );
    expect(titlesOf(await arranged(other.owner, rows[0]?.copy))).toBe('FEADCB');
    expect(await isManual(other.owner, rows[0]?.copy)).toBe(false);
  });
});

describe('the order survives', () => {
  const idOf = async (title: string) => (await arranged()).find((link) => link.title === title)?.id ?? '';

  test('a deletion of links that is undone', async () => {
    await place('A', 2);
    const ids = [await idOf('A'), await idOf('E')];
    await queryAs(database, mine.owner, 'select delete_links($1)', [ids]);
    expect(titlesOf(await arranged())).toBe('FDCB');
    await undoDeletion(database, mine.owner, 'link', ids);
    expect(titlesOf(await arranged())).toBe('FEADCB');
  });

  test.each(['category', 'folder'] as const)('a deletion of the %s, from the bin', async (kind) => {
    await place('A', 2);
    const [table, id] = kind === 'folder' ? ['folders', mine.folderId] : ['categories', categoryId];
    await queryAs(database, mine.owner, `delete from ${table} where id = $1`, [id]);
    expect(await attempt(mine.owner, 'select from manual_order')).toEqual({ rows: 0 });
    const { rows } = await queryAs<{ kind: string; title: string; manual_order: unknown }>(
      database,
      mine.owner,
      `select kind, content ->> 'title' as title, content -> 'manual_order' as manual_order from list_bin_rows()`,
    );
    expect(rows.find((row) => row.title === 'A')?.manual_order).toMatchObject({ rank: expect.any(String) });
    expect(rows.find((row) => row.title === 'B')?.manual_order).toBeNull();
    expect(rows.filter((row) => row.kind === 'category' && row.manual_order !== null)).toHaveLength(1);
    const bin = await queryAs<{ id: string }>(database, mine.owner, 'select id from list_bin()');
    await queryAs(database, mine.owner, 'select restore_from_bin($1)', [bin.rows[0]?.id]);
    expect(titlesOf(await arranged())).toBe('FEADCB');
    expect(await isManual()).toBe(true);
  });

  test('a move to another category and back', async () => {
    await place('A', 2);
    const id = await idOf('A');
    const move = (to: string) => queryAs(database, mine.owner, 'select move_links($1, $2)', [[id], to]);
    await move(mine.categoryId);
    expect(titlesOf(await arranged())).toBe('FEDCB');
    await move(categoryId);
    expect(titlesOf(await arranged())).toBe('FEADCB');
  });

  test('not the account', async () => {
    await place('A', 0);
    await queryAs(database, mine.owner, 'select delete_links($1)', [[await idOf('A')]]);
    await database.admin.query('delete from auth.users where id = $1', [mine.owner.id]);
    const { rows } = await database.admin.query(
      `select from manual_order where user_id = $1
       union all select from private.deleted_rows where content ->> 'user_id' = $1::text`,
      [mine.owner.id],
    );
    expect(rows).toEqual([]);
  });
});

async function countRead(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ read: string }>(
    `select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relid = 'public.links'::regclass`,
  );
  return Number(rows[0]?.read);
}

test('a page of ten thousand links, wherever it begins, reads no more of them than it gives', async () => {
  mine = await createLibrary(database, { plan: 'pro' });
  categoryId = mine.categoryId;
  await database.admin.query(
    `insert into links (url, title, category_id, user_id)
     select 'https://a.br', n::text, $1, $2 from generate_series(1, 10000) n`,
    [categoryId, mine.owner.id],
  );
  await database.admin.query('vacuum analyze links');
  await queryAs(database, mine.owner, PLACE, [categoryId, [mine.linkId], ['8'], true]);
  const [below] = (await arranged(mine.owner, categoryId, 1000)).slice(-1).map((link) => standing(link).rank);
  const client = await database.admin.connect();
  try {
    await client.query('begin');
    // What this session read before and has not told yet is counted as well.
    const readBefore = await countRead(client);
    const { rows } = await client.query<Placed>('select title from private.arranged_page($1, $2, $3, 50)', [
      categoryId,
      mine.owner.id,
      below,
    ]);
    expect(rows.slice(0, 2).map(({ title }) => title)).toEqual(['9001', '9000']);
    expect((await countRead(client)) - readBefore).toBeLessThan(100);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
