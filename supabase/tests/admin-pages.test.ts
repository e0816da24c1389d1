import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';

let database: ThrowawayDatabase;
let admin: TestUser;

/** Called a second time where the first call only went on record. */
async function ask<Answer>(call: string): Promise<Answer> {
  const once = async () =>
    (await queryAs<{ answer: Answer }>(database, admin, `select ${call} as answer`)).rows[0]?.answer;
  return ((await once()) ?? (await once())) as Answer;
}

type Subscriptions = {
  total: number;
  states: { state: string; count: number }[];
  plans: {
    plan: string;
    billing_interval: string | null;
    currency: string;
    count: number;
    monthly_cents: number;
  }[];
  subscriptions: { email: string; state: string; currency: string; trial_end: string | null }[];
};
const numbers = (list: readonly { email: string }[]) => list.map(({ email }) => Number(email.split('@')[0]));
const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Person 1 is the newest and their subscription the latest to change; 1 to 90 pay, 91 to 210 have paid. */
const PEOPLE = 210;

beforeAll(async () => {
  database = await createThrowawayDatabase();
  admin = await createUser(database.admin, { email: '0@exemplo.com.br' });
  await database.admin.query('update private.installation set admin_user_id = $1', [admin.id]);
  await database.admin.query(
    `update private.user_directory set created_at = '2020-01-01' where user_id = $1`,
    [admin.id],
  );
  await database.admin.query(
    `insert into auth.users (id, email, created_at)
     select gen_random_uuid(), n || '@exemplo.com.br', now() - n * interval '1 hour' from generate_series(1, $1::int) n`,
    [PEOPLE],
  );
  await database.admin.query(
    `insert into subscribers (user_id, plan, subscription_status, billing_interval, amount_cents, currency, updated_at)
     select u.id, case when n <= 30 then 'plus' else 'pro' end, case when n <= 90 then 'active' else 'canceled' end,
       'month', case when n <= 30 then 199 else 399 end, case when n % 2 = 0 then 'usd' end, now() - n * interval '1 minute'
     from auth.users u cross join lateral (select split_part(u.email, '@', 1)::int as n) as place where n > 0`,
  );
});
afterAll(() => database.drop());

describe('subscriptions', () => {
  test('come ten at a time, the latest to change first, each once', async () => {
    const [first, second] = [
      await ask<Subscriptions>('admin_subscriptions()'),
      await ask<Subscriptions>('admin_subscriptions(null, 2)'),
    ];
    expect(numbers(first.subscriptions)).toEqual(between(1, 10));
    expect(numbers(second.subscriptions)).toEqual(between(11, 20));
    expect([first.total, second.total]).toEqual([PEOPLE, PEOPLE]);
    expect(first.subscriptions[0]).toMatchObject({ state: 'active', currency: 'usd', trial_end: null });
  });

  test('are counted by state, most first, and what is paid by plan, of those alone who pay', async () => {
    const { states, plans } = await ask<Subscriptions>('admin_subscriptions()');
    expect(states.map(({ state, count }) => [state, count])).toEqual([
      ['canceled', 120],
      ['active', 90],
    ]);
    expect(plans).toEqual([
      { plan: 'plus', billing_interval: 'month', currency: 'usd', count: 30, monthly_cents: 30 * 199 },
      { plan: 'pro', billing_interval: 'month', currency: 'usd', count: 60, monthly_cents: 60 * 399 },
    ]);
  });

  test.each([
    ['1, null', 10],
    ['1, 0', 1],
    ['1, -3', 1],
    ['1, 100', 100],
    ['1, 101', 100],
    ['0, 3', 3],
    ['null, 3', 3],
    ['-7, 3', 3],
    ['3, 100', 10],
    ['4, 100', 0],
  ])('page %s has %i', async (page, size) => {
    const { subscriptions, total } = await ask<Subscriptions>(`admin_subscriptions('', ${page})`);
    expect([subscriptions.length, total]).toEqual([size, PEOPLE]);
    if (!page.startsWith('3')) expect(numbers(subscriptions)).toEqual(between(1, size));
  });

  test('of one state are listed and counted alone', async () => {
    const { subscriptions, total } = await ask<Subscriptions>(`admin_subscriptions('canceled', 2, 50)`);
    expect(numbers(subscriptions)).toEqual(between(141, 190));
    expect(total).toBe(120);
  });
});

describe('people', () => {
  type People = { total: number; users: { email: string }[] };

  test('are counted on the dashboard with who pays, and the ten newest shown, newest first', async () => {
    const overview = await ask<{
      total_users: number;
      premium_users: number;
      recent_users: { email: string }[];
    }>('admin_overview()');
    expect(overview).toMatchObject({ total_users: PEOPLE + 1, premium_users: 90 });
    expect(numbers(overview.recent_users)).toEqual(between(1, 10));
  });

  test.each([
    [`'', null, 1, null`, between(1, 10)],
    [`'', null, 1, 100`, between(1, 100)],
    [`'', null, 1, 101`, between(1, 100)],
    [`'', null, null, 2`, [1, 2]],
    [`'', 'plus', 3, 10`, between(21, 30)],
    [`'', 'plus', 4, 10`, []],
    [`'10@', null, 1, 2`, [10, 110]],
  ])('admin_list_users(%s) lists them newest first', async (call, expected) => {
    const { users } = await ask<People>(`admin_list_users(${call})`);
    expect(numbers(users)).toEqual(expected);
  });

  test.each([
    [`'', 'plus', 1, 30`, 30],
    [`'', 'plus', 1, 29`, 30],
    [`'', 'plus', 1, 31`, 30],
    [`'', 'plus', 2, 30`, 30],
    [`'', 'pro', 2, 50`, 60],
    [`'', 'nenhum', 1, 10`, 0],
    [`'10@', 'free', 1, 10`, 2],
  ])('admin_list_users(%s) counts %i, whether its page is full or not', async (call, total) => {
    expect((await ask<People>(`admin_list_users(${call})`)).total).toBe(total);
  });

  test('who are closed are listed newest first and a page at a time, and counted without those who came back', async () => {
    const close = (from: number, to: number, reopened: string) =>
      database.admin.query(
        `insert into private.account_closures (user_id, reason, reopened_at)
         select u.id, 'inactivity', ${reopened} from auth.users u where split_part(u.email, '@', 1)::int between $1 and $2`,
        [from, to],
      );
    await close(101, 112, 'null');
    await close(113, 115, 'now()');
    const list = (rest: string) => ask<People>(`admin_list_users(${rest}, closed_for => 'inactivity')`);
    const [first, second] = [await list(`'', null, 1, 10`), await list(`'', null, 2, 10`)];
    expect([numbers(first.users), first.total]).toEqual([between(101, 110), 12]);
    expect([numbers(second.users), second.total]).toEqual([[111, 112], 12]);
    expect(await list(`'10@', 'free'`)).toMatchObject({ total: 1 });
    expect(await list(`'', 'plus'`)).toMatchObject({ total: 0 });
  });
});

describe('a person’s links', () => {
  test.each([
    ['', 50],
    [', null, null', 50],
    [', 1, 200', 200],
    [', 1, 201', 200],
    [', 1, 0', 1],
    [', 0, 3', 3],
    [', 2, 200', 3],
  ])('with%s are %i', async (page, size) => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    await database.admin.query(
      `insert into links (title, url, category_id, user_id) select n::text, 'https://a.br', $1, $2 from generate_series(1, 202) n`,
      [categoryId, owner.id],
    );
    const { links, total } = await ask<{ links: { title: string }[]; total: number }>(
      `admin_user_links('${owner.id}'${page})`,
    );
    expect([links.length, total]).toEqual([size, 203]);
    await database.admin.query('delete from auth.users where id = $1', [owner.id]);
  });
});

describe('the record', () => {
  test.each([
    ['', 20],
    ['1, null', 20],
    ['1, 100', 100],
    ['1, 101', 100],
    ['1, 0', 1],
    ['null, 3', 3],
    ['0, 3', 3],
  ])('admin_audit(%s) has %i, newest first', async (page, size) => {
    await database.admin.query(
      `insert into private.admin_audit_log (admin_id, action) select $1, 'n' || n from generate_series(1, 101) n`,
      [admin.id],
    );
    const { entries } = await ask<{ entries: { action: string; id: number }[] }>(`admin_audit(${page})`);
    expect(entries).toHaveLength(size);
    const { rows } = await database.admin.query<{ id: number }>(
      'select id::int from private.admin_audit_log order by id desc limit $1',
      [size],
    );
    expect(entries.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });
});
