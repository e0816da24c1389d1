import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../kernel/database.ts';
import { createChangeFeed, type MeasuredChangeFeed } from '../../feed/create-change-feed.ts';
import { type ChangeBench, startChangeBench, toCaller } from '../test-support/start-change-bench.ts';
import { decideByPolicy } from './decide-by-policy.ts';
import { parsePolicy } from './parse-policy.ts';
import { createPolicyListCache } from './policy-list-cache.ts';
import type { ListMembers } from './policy-rule.ts';

const PUBLICATIONS = ['supabase_realtime', 'linkoteca_policy_sources'];

let bench: ChangeBench;
let feed: MeasuredChangeFeed;
let owner: TestUser;
let guest: TestUser;
let other: TestUser;
let category: string;
beforeAll(async () => {
  const openFeed = ({ database, db }: Pick<ChangeBench, 'database' | 'db'>) => {
    const logger = pino({ level: 'silent' });
    const connection = database.connection;
    feed = createChangeFeed({
      connection,
      publications: PUBLICATIONS,
      db,
      logger,
      now: () => new Date(),
      // It asks of the pool whose questions are counted here.
      limits: { backlogEveryMs: 3_600_000 },
    });
    return feed;
  };
  bench = await startChangeBench('', openFeed, PUBLICATIONS);
  const { admin } = bench.database;
  [owner, guest, other] = [
    await createUser(admin, { plan: 'pro' }),
    await createUser(admin),
    await createUser(admin),
  ];
  const folder = await asOwner(`insert into public.folders (name) values ('Casa') returning id`);
  category = await asOwner(
    `insert into public.categories (name, folder_id) values ('Receitas', $1) returning id`,
    [folder],
  );
  await share(guest.email);
});
afterAll(async () => {
  await feed.stop();
  await bench.stop();
});
afterEach(() => vi.restoreAllMocks());

async function asOwner(text: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await queryAs<{ id: string }>(bench.database, owner, text, values);
  return rows[0]?.id ?? '';
}

const share = (email: string) =>
  asOwner('insert into public.shared_with (category_id, email) values ($1, $2)', [category, email]);
const addLink = (title: string) =>
  asOwner(`insert into public.links (title, url, category_id) values ($1, 'https://a.br', $2)`, [
    title,
    category,
  ]);

/** Counts the questions that policies cost from here on. */
function countQuestions({ pool }: Database): () => number {
  const connect = vi.spyOn(pool, 'connect');
  return () => connect.mock.calls.length;
}

/**
 * Time in which nothing changes, so that lists may be kept; what came before must have been received. It begins when the database has been
 * asked what a list is made from: that counts as a change.
 */
async function settle() {
  await bench.settled();
  bench.advanceClock(2_100);
}

/** Hears of every link, so that it is known what the others must have heard of by then. */
async function watchLinks() {
  const { received, subscription } = await bench.listen('service_role', { table: 'links' });
  const decided = async (title: string) => {
    await expect.poll(() => received.at(-1)?.data.record?.['title']).toBe(title);
    await bench.settled();
  };
  return { decided, stop: () => subscription.cancel() };
}

describe('what somebody was shared', () => {
  test('is asked for once while it stays the same, and anew when it changes', async () => {
    const newcomer = await createUser(bench.database.admin);
    const [hers, others] = [
      await bench.listen(guest, { table: 'links' }),
      await bench.listen(newcomer, { table: 'links' }),
    ];
    const titles = ({ received }: typeof hers) => received.map(({ data }) => data.record?.['title']);
    await addLink('um');
    await expect.poll(() => titles(hers)).toEqual(['um']);
    await settle();
    await addLink('e mais um');
    await expect.poll(() => titles(hers)).toEqual(['um', 'e mais um']);
    await bench.settled();

    const questions = countQuestions(bench.db);
    for (let n = 0; n < 20; n += 1) await addLink(`de novo ${n}`);
    await expect.poll(() => titles(hers)).toHaveLength(22);
    await bench.settled();
    expect(questions()).toBe(0);
    expect(others.texts).toEqual([]);

    await share(newcomer.email);
    await addLink('dois');
    await expect.poll(() => titles(others)).toEqual(['dois']);
    await bench.database.admin.query('delete from public.shared_with where email = $1', [guest.email]);
    await addLink('três');
    await expect.poll(() => titles(others)).toEqual(['dois', 'três']);
    expect(titles(hers).slice(22)).toEqual(['dois']);
    for (const { subscription } of [hers, others]) subscription.cancel();
  });

  test('follows plan and choice, which no screen may listen to', async () => {
    const second = await asOwner(
      `insert into public.categories (name, folder_id) select 'Outra', id from public.folders returning id`,
    );
    await bench.database.admin.query('delete from public.shared_with where email = $1', [other.email]);
    await share(other.email);
    await asOwner('insert into public.shared_with (category_id, email) values ($1, $2)', [
      second,
      other.email,
    ]);
    const listener = await bench.listen(other, { table: 'links' });
    const add = (title: string) =>
      asOwner(`insert into public.links (title, url, category_id) values ($1, 'https://a.br', $2)`, [
        title,
        second,
      ]);
    const { decided, stop } = await watchLinks();
    await add('fechada');
    await decided('fechada');
    await settle();
    await add('fechada ainda');
    await decided('fechada ainda');
    await bench.database.admin.query(
      `insert into public.subscribers (user_id, plan, subscription_status) values ($1, 'pro', 'active')`,
      [other.id],
    );
    await add('aberta');
    await expect.poll(() => listener.received.map(({ data }) => data.record?.['title'])).toEqual(['aberta']);
    await bench.database.admin.query(
      `update public.subscribers set plan = 'free', subscription_status = 'canceled' where user_id = $1`,
      [other.id],
    );
    await add('fechada de novo');
    await decided('fechada de novo');
    expect(listener.received).toHaveLength(1);

    await queryAs(bench.database, other, 'select open_share($1)', [second]);
    await addLink('fechada agora');
    await add('escolhida');
    const titles = () => listener.received.map(({ data }) => data.record?.['title']);
    await expect.poll(titles).toEqual(['aberta', 'escolhida']);
    await settle();
    await add('escolhida ainda');
    await expect.poll(titles).toEqual(['aberta', 'escolhida', 'escolhida ainda']);
    await queryAs(bench.database, other, 'select leave_share($1)', [second]);
    await add('deixada');
    await addLink('a outra de novo');
    await expect.poll(titles).toEqual(['aberta', 'escolhida', 'escolhida ainda', 'a outra de novo']);
    stop();
    listener.subscription.cancel();
  });
});

describe('what a query says just after the log told of a change', () => {
  const LIST = {
    schema: 'private',
    name: 'invited_category_ids',
    type: 'uuid',
    expression: '(select private.invited_category_ids())::uuid[]',
  } as const;

  /** A cache with a clock of its own, in which a guest's list is kept. */
  async function keepList() {
    let at = Date.UTC(2026, 2, 1);
    const cache = createPolicyListCache({
      db: bench.db,
      publications: PUBLICATIONS,
      now: () => new Date(at),
    });
    const advance = (ms: number) => {
      at += ms;
    };
    const guestNow = await createUser(bench.database.admin);
    await share(guestNow.email);
    const { rows } = await bench.database.admin.query<{ oid: number }>(
      `select 'public.shared_with'::regclass::oid::integer as oid`,
    );
    const viewer = { caller: toCaller(guestNow), id: guestNow.id, email: guestNow.email };
    await expect
      .poll(async () => {
        advance(10_000);
        await cache.ask(viewer, LIST);
        return cache.known(viewer, LIST);
      })
      .toEqual(new Set([category]));
    return { cache, advance, viewer, email: guestNow.email, sharedWith: rows[0]?.oid ?? 0 };
  }

  test('is not kept: a share that ended is over as soon as queries see it', async () => {
    const { cache, advance, viewer, email, sharedWith } = await keepList();
    const ending = await bench.database.admin.connect();
    try {
      await ending.query('begin');
      await ending.query('delete from public.shared_with where email = $1', [email]);
      // The log has told of it, and queries do not see it yet.
      cache.forget(sharedWith);
      expect(cache.known(viewer, LIST)).toBeUndefined();
      for (const ms of [0, 1_000, 1_000]) {
        advance(ms);
        expect(await cache.ask(viewer, LIST)).toEqual(new Set([category]));
        expect(cache.known(viewer, LIST)).toBeUndefined();
      }
      await ending.query('commit');
    } finally {
      await ending.query('rollback');
      ending.release();
    }
    expect(await cache.ask(viewer, LIST)).toEqual(new Set());
    expect(cache.known(viewer, LIST)).toBeUndefined();
    advance(1);
    await cache.ask(viewer, LIST);
    expect(cache.known(viewer, LIST)).toEqual(new Set());
  });

  test('is not kept either when the change came while the query ran', async () => {
    const { cache, advance, viewer, sharedWith } = await keepList();
    const { admin } = bench.database;
    const inTheWay = await admin.connect();
    try {
      await inTheWay.query('begin; lock table public.shared_with in access exclusive mode');
      const answer = cache.ask(viewer, LIST);
      const waiting = `select from pg_locks where relation = 'public.shared_with'::regclass and not granted`;
      await expect.poll(async () => (await admin.query(waiting)).rowCount).toBe(1);
      cache.forget(sharedWith);
      advance(10_000);
      await inTheWay.query('rollback');
      expect(await answer).toEqual(new Set([category]));
    } finally {
      await inTheWay.query('rollback');
      inTheWay.release();
    }
    expect(cache.known(viewer, LIST)).toBeUndefined();
    await cache.ask(viewer, LIST);
    expect(cache.known(viewer, LIST)).toEqual(new Set([category]));
  });

  test('is kept when the change was of a table that the list is not made from', async () => {
    const { cache, viewer } = await keepList();
    cache.forget(1);
    expect(cache.known(viewer, LIST)).toEqual(new Set([category]));
  });
});

test('whether an account is open is kept, too, and nothing is told to one that is closed', async () => {
  const { admin } = bench.database;
  // Of their own: one of the two is closed.
  const [closing, staying] = [await createUser(admin), await createUser(admin)];
  const [hers, theirs] = [
    await bench.listen(closing, { table: 'folders' }),
    await bench.listen(staying, { table: 'folders' }),
  ];
  const names = ({ received }: typeof hers) => received.map(({ data }) => data.record?.['name']);
  const addFolders = (name: string) =>
    admin.query('insert into public.folders (name, user_id) values ($1, $2), ($1, $3)', [
      name,
      closing.id,
      staying.id,
    ]);
  await addFolders('um');
  await expect.poll(() => [names(hers), names(theirs)]).toEqual([['um'], ['um']]);
  await settle();
  await addFolders('dois');
  await expect.poll(() => names(hers)).toEqual(['um', 'dois']);
  await bench.settled();

  const questions = countQuestions(bench.db);
  for (let n = 0; n < 20; n += 1) await addFolders(`mais ${n}`);
  await expect.poll(() => [names(hers).length, names(theirs).length]).toEqual([22, 22]);
  await bench.settled();
  expect(questions()).toBe(0);

  await queryAs(bench.database, 'service_role', 'select close_account($1)', [closing.id]);
  await addFolders('fechada');
  await expect.poll(() => names(theirs)).toContain('fechada');
  await bench.settled();
  expect(names(hers)).toHaveLength(22);
  for (const { subscription } of [hers, theirs]) subscription.cancel();
});

describe('a list in a policy', () => {
  const decide = (value: string | null | undefined, members: ListMembers | undefined) =>
    decideByPolicy(parsePolicy('(id = ANY (( SELECT private.some() AS some)::uuid[]))'), {
      caller: { id: null, email: null },
      valueOf: () => value,
      listOf: () => members,
    });

  test.each([
    ['a', new Set(['a', 'b']), true],
    ['c', new Set(['a', 'b']), false],
    ['c', new Set(['a', null]), null],
    ['a', new Set(['a', null]), true],
    [null, new Set(['a']), null],
    [null, new Set<string>(), false],
    ['a', new Set<string>(), false],
    ['a', null, null],
    ['a', undefined, undefined],
    [undefined, new Set(['a']), undefined],
  ] as const)('%j in %o is %j, as in SQL', (value, members, verdict) => {
    expect(decide(value, members)).toBe(verdict);
  });

  test.each([
    '(id = ANY (( SELECT private.some() AS some)))',
    '(id = ANY (( SELECT private.some(id) AS some)::uuid[]))',
    '(id = ANY (( SELECT private.some() AS some FROM public.others)::uuid[]))',
    '(id = ALL (( SELECT private.some() AS some)::uuid[]))',
    '(id = ANY (( SELECT private.some() AS some)::integer[]))',
  ])('that is not understood to the last sign is left to the database: %s', (expression) => {
    const facts = { caller: { id: null, email: null }, valueOf: () => 'a', listOf: () => new Set(['a']) };
    expect(decideByPolicy(parsePolicy(expression), facts)).toBeUndefined();
  });
});
