import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let mine: Library;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('delete from private.failing_links; delete from private.link_check_rounds');
  mine = await createLibrary(database, { plan: 'plus' });
});

type Taken = { readonly link_id: string; readonly url: string; readonly round_of: string | null };
type Check = {
  readonly link_id: string;
  readonly url: string;
  readonly outcome: string;
  readonly status?: number;
};

const attempt = (caller: TestCaller, text: string, ...values: unknown[]) =>
  readOutcome(database, caller, text, values);
const turn = (enabled: boolean, { owner } = mine) =>
  queryAs(database, owner, 'select set_link_checks($1)', [enabled]);
const take = async (most = 20) =>
  (await queryAs<Taken>(database, 'service_role', 'select * from take_links_to_check($1)', [most])).rows;
const note = (checks: readonly Check[], roundOf: string | null = null) =>
  queryAs(database, 'service_role', 'select note_link_checks($1, $2)', [JSON.stringify(checks), roundOf]);
const check = (outcome: string, more: object = {}): Check => ({
  link_id: mine.linkId,
  url: 'https://exemplo.com.br/',
  outcome,
  ...more,
});
const readState = async ({ owner } = mine) =>
  (
    await queryAs(
      database,
      owner,
      'select total::int, checked::int, broken::int, ended_at from link_checks()',
    )
  ).rows[0];
const readBroken = async (caller: TestCaller = mine.owner) =>
  (await queryAs(database, caller, 'select * from broken_links($1)', [[mine.linkId]])).rows;
const findBroken = async (caller: TestCaller = mine.owner) => {
  const { rows } = await queryAs<{ id: string; total: number }>(
    database,
    caller,
    'select id, count_links_by(broken => true) as total from search_links_by(broken => true)',
  );
  return rows;
};
/** As if everything that is known had been so much earlier. */
const wait = (by: string) =>
  database.admin.query(
    `update private.failing_links set failed_since = failed_since - '${by}'::interval,
       failed_at = failed_at - '${by}'::interval, due_at = due_at - '${by}'::interval;
     update private.link_check_rounds set began_at = began_at - '${by}'::interval,
       ended_at = ended_at - '${by}'::interval, due_at = due_at - '${by}'::interval`,
  );
const isDue = async () =>
  (await queryAs(database, 'service_role', 'select are_link_checks_due() as due')).rows[0];
const close = (reopened: string | null = null) =>
  database.admin.query(
    `insert into private.account_closures (user_id, reason, reopened_at) values ($1, 'inactivity', $2)
     on conflict (user_id) do update set reopened_at = excluded.reopened_at`,
    [mine.owner.id, reopened],
  );
async function addLinks(count: number): Promise<void> {
  await queryAs(
    database,
    mine.owner,
    `insert into links (url, title, category_id) select 'https://exemplo.com.br/' || n, 'Link ' || n, $1 from generate_series(1, $2::int) as n`,
    [mine.categoryId, count],
  );
}
async function breakLink(): Promise<void> {
  await turn(true);
  await note([check('fails', { status: 404 })]);
  await wait('3 days');
  await note([check('fails', { status: 404 })]);
}

describe('a round', () => {
  test('begins with who wants it, and is over when every link was looked at', async () => {
    expect(await take()).toEqual([]);
    expect(await readState()).toBeUndefined();
    await addLinks(4);
    await turn(true);
    await turn(true);
    expect(await readState()).toEqual({ total: 5, checked: 0, broken: 0, ended_at: null });
    const seen: string[] = [];
    for (const expected of [2, 4, 5]) {
      const taken = await take(2);
      expect(taken.every(({ round_of }) => round_of === mine.owner.id)).toBe(true);
      // Whoever comes meanwhile finds nothing to do.
      expect(await take()).toEqual([]);
      seen.push(...taken.map(({ url }) => url));
      await note(
        taken.map(({ link_id, url }) => ({ link_id, url, outcome: 'works', status: 200 })),
        mine.owner.id,
      );
      expect(await readState()).toMatchObject({ checked: expected, ended_at: null });
    }
    expect(seen.toSorted()).toEqual(['', '1', '2', '3', '4'].map((path) => `https://exemplo.com.br/${path}`));
    expect(await take(2)).toEqual([]);
    expect(await readState()).toMatchObject({ checked: 5, broken: 0, ended_at: expect.any(Date) });
  });

  test('comes once a month', async () => {
    await turn(true);
    await note([check('works')], (await take())[0]?.round_of);
    expect(await take()).toEqual([]);
    await wait('29 days');
    expect(await take()).toEqual([]);
    await wait('1 day');
    expect(await take()).toHaveLength(1);
    expect(await readState()).toMatchObject({ checked: 0, ended_at: expect.any(Date) });
  });

  test('loses nothing where somebody takes links and never comes back', async () => {
    await turn(true);
    const taken = await take();
    await wait('9 minutes');
    expect(await take()).toEqual([]);
    await wait('1 minute');
    expect(await take()).toEqual(taken);
  });

  test('of one person does not keep the others waiting', async () => {
    const other = await createLibrary(database);
    await turn(true);
    await turn(true, other);
    const taken = [...(await take()), ...(await take())];
    expect(taken.map(({ round_of }) => round_of).toSorted()).toEqual(
      [mine.owner.id, other.owner.id].toSorted(),
    );
  });

  test('takes no more than it is told, and never more than a hundred', async () => {
    await addLinks(120);
    await turn(true);
    expect(await take(1_000)).toHaveLength(100);
  });

  test('leaves closed accounts alone, failing links too', async () => {
    await turn(true);
    await note([check('fails')]);
    await close();
    await wait('4 days');
    expect(await take()).toEqual([]);
  });

  test('of a closed account is thought of a day later, and goes on once it is open again', async () => {
    await turn(true);
    await close();
    expect(await take()).toEqual([]);
    await close(new Date().toISOString());
    await wait('23 hours');
    expect(await take()).toEqual([]);
    await wait('1 hour');
    expect(await take()).toHaveLength(1);
  });

  test('that another copy has in hand is left to it', async () => {
    const other = await createLibrary(database);
    await turn(true);
    await turn(true, other);
    const copy = await database.admin.connect();
    try {
      await copy.query('begin');
      await copy.query('select from private.link_check_rounds where user_id = $1 for update', [
        mine.owner.id,
      ]);
      expect(await take()).toMatchObject([{ round_of: other.owner.id }]);
    } finally {
      await copy.query('rollback');
      copy.release();
    }
  });

  test('goes on by what was taken alone: an answer that comes twice moves nothing', async () => {
    await addLinks(2);
    await turn(true);
    const taken = await take(2);
    const noted = taken.map(({ link_id, url }) => ({ link_id, url, outcome: 'works' }));
    for (const _ of ['first', 'second']) {
      await note(noted, mine.owner.id);
      expect(await readState()).toMatchObject({ checked: 2, total: 3 });
    }
    expect(await take(2)).toHaveLength(1);
  });

  test('is due, or not', async () => {
    expect(await isDue()).toEqual({ due: false });
    await turn(true);
    expect(await isDue()).toEqual({ due: true });
    await note([check('fails')], (await take())[0]?.round_of);
    await take();
    expect(await isDue()).toEqual({ due: false });
    await wait('3 days');
    expect(await isDue()).toEqual({ due: true });
  });

  test('is not due for what a closed account has failing, until it is open again', async () => {
    await turn(true);
    await note([check('fails')]);
    await close();
    await wait('4 days');
    expect([await take(), await isDue()]).toEqual([[], { due: false }]);
    await close(new Date().toISOString());
    expect([await isDue(), await take()]).toMatchObject([{ due: true }, [{ link_id: mine.linkId }]]);
  });
});

describe('a link', () => {
  test('is broken when it failed twice, two days apart or more', async () => {
    await turn(true);
    await note([check('fails', { status: 404 })]);
    await wait('47 hours');
    await note([check('fails', { status: 404 })]);
    expect([await readBroken(), await findBroken()]).toEqual([[], []]);
    await wait('1 hour');
    await note([check('fails', { status: 410 })]);
    expect(await readBroken()).toEqual([
      { link_id: mine.linkId, failed_since: expect.any(Date), status: 410 },
    ]);
    expect(await findBroken()).toEqual([{ id: mine.linkId, total: 1 }]);
    expect(await readState()).toMatchObject({ broken: 1 });
  });

  test('that failed is looked at again after three days, and a broken one after seven', async () => {
    await turn(true);
    await note([check('fails')], (await take())[0]?.round_of);
    await take();
    await wait('71 hours');
    expect(await take()).toEqual([]);
    await wait('1 hour');
    expect(await take()).toEqual([{ link_id: mine.linkId, url: 'https://exemplo.com.br/', round_of: null }]);
    expect(await take()).toEqual([]);
    await note([check('fails')]);
    await wait('6 days');
    expect(await take()).toEqual([]);
    await wait('1 day');
    expect(await take()).toHaveLength(1);
  });

  test('that answers is as if it had never failed', async () => {
    await breakLink();
    await note([check('works', { status: 200 })]);
    expect([await readBroken(), await findBroken()]).toEqual([[], []]);
    await note([check('fails')]);
    expect(await readBroken()).toEqual([]);
  });

  test('of which nothing is known stays what it was, and is asked again tomorrow', async () => {
    await breakLink();
    await wait('7 days');
    expect(await take()).toHaveLength(1);
    await note([check('unsure')]);
    expect(await readBroken()).toHaveLength(1);
    await wait('23 hours');
    expect(await take()).not.toContainEqual(expect.objectContaining({ round_of: null }));
    await wait('1 hour');
    expect(await take()).toContainEqual(expect.objectContaining({ round_of: null }));
  });

  test('that leads elsewhere has not failed', async () => {
    await breakLink();
    const move = (column: string, value: string) =>
      queryAs(database, mine.owner, `update links set ${column} = $1 where id = $2`, [value, mine.linkId]);
    await move('title', 'Outro nome');
    expect(await readBroken()).toHaveLength(1);
    await move('url', 'https://exemplo.org/');
    expect(await readBroken()).toEqual([]);
    // What was seen at the old address says nothing of the new one.
    await note([check('fails')]);
    await wait('3 days');
    await note([check('fails')]);
    expect(await readBroken()).toEqual([]);
  });

  test('changes by none of it: no device wakes', async () => {
    const read = async () =>
      (await database.admin.query('select l.*, xmin from links l where id = $1', [mine.linkId])).rows;
    const before = await read();
    await breakLink();
    await note([check('works')]);
    expect(await read()).toEqual(before);
  });

  test('that is deleted is forgotten', async () => {
    await breakLink();
    await queryAs(database, mine.owner, 'delete from links where id = $1', [mine.linkId]);
    const { rows } = await database.admin.query('select from private.failing_links');
    expect(rows).toEqual([]);
    await note([check('fails')]);
  });
});

test('whoever turns it off has everything forgotten, and nothing noted any more', async () => {
  await breakLink();
  await turn(false);
  expect([await readState(), await readBroken(), await findBroken()]).toEqual([undefined, [], []]);
  await note([check('fails')]);
  await wait('3 days');
  await note([check('fails')]);
  expect([await take(), await readBroken()]).toEqual([[], []]);
});

test('is one operator among others', async () => {
  await breakLink();
  await addLinks(3);
  const find = async (parameters: string) =>
    (
      await queryAs<{ id: string }>(database, mine.owner, `select id from search_links_by(${parameters})`)
    ).rows.map(({ id }) => id);
  expect(await find(`term => 'exemplo', broken => true`)).toEqual([mine.linkId]);
  expect(await find(`term => 'nada', broken => true`)).toEqual([]);
  expect(await find(`broken => true, favorite => true`)).toEqual([]);
  expect(await find(`broken => true, site => 'exemplo.com.br'`)).toEqual([mine.linkId]);
  await queryAs(database, mine.owner, `select tag_links(array[$1]::uuid[], array['Ler'])`, [mine.linkId]);
  expect(await find(`broken => true, tags => array['ler']`)).toEqual([mine.linkId]);
  await note([check('works')]);
  expect(await find(`broken => true, tags => array['ler']`)).toEqual([]);
  const { rows } = await queryAs(
    database,
    mine.owner,
    `select total from count_searches('[{"broken": true}, {"broken": false, "site": "exemplo.com.br"}]')`,
  );
  expect(rows).toEqual([{ total: 0 }, { total: 4 }]);
});

describe('a stranger', () => {
  let stranger: TestUser;
  beforeEach(async () => {
    stranger = await createUser(database.admin);
    await breakLink();
  });

  test('learns nothing of another person’s links, public or not', async () => {
    await queryAs(database, mine.owner, 'update categories set is_public = true where id = $1', [
      mine.categoryId,
    ]);
    await queryAs(database, stranger, 'select set_link_checks(true)');
    expect([await readBroken(stranger), await findBroken(stranger)]).toEqual([[], []]);
    await queryAs(database, stranger, 'select set_link_checks(false)');
    expect(await readBroken()).toHaveLength(1);
  });

  test('has a round of their own, which begins, fails and ends without another’s', async () => {
    const theirs = await createLibrary(database);
    await turn(true, theirs);
    await note([{ ...check('fails'), link_id: theirs.linkId }]);
    const counts = await queryAs(database, mine.owner, 'select total::int from link_checks()');
    expect(counts.rows).toEqual([{ total: 1 }]);
    const readDue = async () => {
      const { rows } = await database.admin.query<{ due_at: Date }>(
        'select due_at from private.failing_links where link_id = $1',
        [mine.linkId],
      );
      return rows[0]?.due_at;
    };
    const due = await readDue();
    await note([{ ...check('unsure'), link_id: theirs.linkId }]);
    expect(await readDue()).toEqual(due);
    await turn(false, theirs);
    expect(await readState()).toMatchObject({ total: 1 });
    expect(await readState(theirs)).toBeUndefined();
    expect(await readBroken()).toHaveLength(1);
  });

  test('and nobody but the service takes or notes', async () => {
    for (const caller of [stranger, mine.owner, 'anon'] as const)
      for (const text of [
        'select take_links_to_check()',
        `select note_link_checks('[]', '${mine.owner.id}')`,
        'select are_link_checks_due()',
        'select * from private.failing_links',
        'select * from private.link_check_rounds',
      ])
        expect(await attempt(caller, text), text).toMatchObject({ code: '42501' });
    for (const text of ['select set_link_checks(true)', 'select link_checks()', `select broken_links('{}')`])
      expect(await attempt('anon', text), text).toMatchObject({ code: '42501' });
  });

  test('a closed account turns nothing on', async () => {
    await database.admin.query(
      `insert into private.account_closures (user_id, reason) values ($1, 'inactivity')`,
      [stranger.id],
    );
    expect(await attempt(stranger, 'select set_link_checks(true)')).toMatchObject({ code: 'PT401' });
  });
});

test('what makes no sense is refused', async () => {
  expect(await attempt(mine.owner, 'select set_link_checks(null)')).toMatchObject({ code: 'PT400' });
  const many = Array.from({ length: 1_001 }, () => mine.linkId);
  expect(await attempt(mine.owner, 'select broken_links($1)', many)).toMatchObject({ code: 'PT400' });
});
