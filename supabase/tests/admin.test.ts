import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let admin: TestUser;
let former: TestUser;
let payer: Library;

/** What a function answers whose one value is JSON: called a second time where the first call only went on record. */
async function ask<Answer>(caller: TestUser, call: string, values: readonly unknown[] = []): Promise<Answer> {
  const once = async () =>
    (await queryAs<{ answer: Answer }>(database, caller, `select ${call} as answer`, values)).rows[0]?.answer;
  return ((await once()) ?? (await once())) as Answer;
}

const appoint = (id: string | null) =>
  database.admin.query(`update private.installation set admin_user_id = $1`, [id]);

// Its lists, figures and records are of the whole installation: each test has one of its own.
beforeEach(async () => {
  database = await createThrowawayDatabase();
  former = await createUser(database.admin, { name: 'Antiga' });
  await appoint(former.id);
  admin = await createUser(database.admin, { email: 'diane@linkoteca.com.br', name: 'Diane' });
  await appoint(admin.id);
  payer = await createLibrary(database, { email: 'Pagante_100%@Exemplo.com.br', name: 'Paga', plan: 'pro' });
});
afterEach(() => database.drop());

type Page = {
  total: number;
  users: { id: string; email: string; [field: string]: unknown }[];
};
const list = (search: string | null, plan: string | null = null, page = 1, size = 10) =>
  ask<Page>(admin, 'admin_list_users($1, $2, $3, $4)', [search, plan, page, size]);

const JSON_CALLS = [
  'admin_list_users()',
  `admin_list_users('diane', 'free', 1, 100)`,
  'admin_user_links(:user)',
  `admin_change_plan(:user, 'pro')`,
  'admin_overview()',
  'admin_subscriptions()',
  `admin_statistics('2020-01-01', null, 'month')`,
  'admin_audit()',
];
const ROW_CALLS = ['get_all_profiles()', 'get_all_user_emails()'];

describe('whoever is not the administrator', () => {
  test.each([...JSON_CALLS, ...ROW_CALLS])('gets nothing from %s, and leaves no record', async (call) => {
    const bound = call.replace(':user', `'${payer.owner.id}'`);
    const size = async () =>
      (await database.admin.query('select count(*)::int as n from private.admin_audit_log')).rows[0].n;
    const before = await size();
    const stranger = await createUser(database.admin);
    for (const caller of [stranger, payer.owner, former]) {
      const { rows } = await queryAs(database, caller, `select x.* from ${bound} x`);
      const values = rows.flatMap((row) => Object.values(row));
      expect(values.every((value) => value === null)).toBe(true);
      if (ROW_CALLS.includes(call)) expect(rows).toEqual([]);
    }
    for (const caller of ['anon', 'service_role'] as const)
      expect(await readOutcome(database, caller, `select ${bound}`)).toMatchObject({ code: '42501' });
    expect(await size()).toBe(before);
  });

  test('is told so about themselves, and visitors may not even ask', async () => {
    expect(await ask(admin, 'is_admin()')).toBe(true);
    for (const caller of [former, payer.owner]) expect(await ask(caller, 'is_admin()')).toBe(false);
    expect(await readOutcome(database, 'anon', 'select is_admin()')).toMatchObject({ code: '42501' });
  });

  test('cannot appoint themselves or reach what the functions read', async () => {
    for (const text of [
      `update private.installation set admin_user_id = auth.uid()`,
      `select * from private.user_directory`,
      `select * from private.admin_audit_log`,
      `select * from private.user_activity`,
      `select private.enter_admin_area('x')`,
      `select private.describe_users(array[auth.uid()])`,
      `update library_counts set row_bytes = 0`,
    ])
      for (const caller of [payer.owner, admin])
        expect(await readOutcome(database, caller, text), text).toMatchObject({ code: '42501' });
  });
});

describe('the record of looks', () => {
  const newest = async () =>
    (
      await database.admin.query(
        'select action, admin_id, user_id, details from private.admin_audit_log order by id desc limit 1',
      )
    ).rows[0];

  test.each([
    {
      call: `admin_list_users(' Zé% ', 'pro', 3)`,
      action: 'users',
      details: { search: 'zé%', plan: 'pro', page: 3 },
    },
    // It outlives accounts: no whole address stands in it.
    {
      call: `admin_list_users('Marta.Sumida@Exemplo.com.br z@z.br')`,
      action: 'users',
      details: { search: 'm…@exemplo.com.br z…@z.br', search_check: 'c4', page: 1 },
    },
    {
      call: `admin_list_users(closed_for => 'deletion')`,
      action: 'users',
      details: { closed_for: 'deletion', page: 1 },
    },
    { call: 'admin_user_links(:user)', action: 'user_links', about: true, details: { page: 1 } },
    {
      call: `admin_change_plan(:user, 'pro')`,
      action: 'change_plan_refused',
      about: true,
      details: { plan: 'pro' },
    },
    {
      call: `admin_list_users(repeat('a', 400), repeat('b', 30), 1, 10, repeat('c', 30))`,
      action: 'users',
      details: { search: 'a'.repeat(320), plan: 'b'.repeat(20), closed_for: 'c'.repeat(20), page: 1 },
    },
    {
      call: `admin_change_plan(:user, repeat('b', 30))`,
      action: 'change_plan_refused',
      about: true,
      details: { plan: 'b'.repeat(20) },
    },
    { call: 'admin_overview()', action: 'overview', details: {} },
    { call: `admin_subscriptions('active')`, action: 'subscriptions', details: { state: 'active', page: 1 } },
    {
      call: `admin_statistics('2026-01-01', '2026-01-31')`,
      action: 'statistics',
      details: { from: '2026-01-01', to: '2026-01-31', unit: 'day' },
    },
    { call: 'admin_audit()', action: 'audit', details: { page: 1 } },
    { call: 'get_all_profiles()', action: 'profiles', details: {} },
    { call: 'get_all_user_emails()', action: 'emails', details: {} },
  ])('$call', async ({ call, action, about, details }) => {
    await forget();
    await queryAs(database, admin, `select ${call.replace(':user', `'${payer.owner.id}'`)}`);
    expect(await newest()).toEqual({
      action,
      admin_id: admin.id,
      user_id: about ? payer.owner.id : null,
      details,
    });
  });

  const calls = [...JSON_CALLS, ...ROW_CALLS];
  const record = async () =>
    (await database.admin.query('select count(*)::int as n from private.admin_audit_log')).rows[0].n;
  /** Ten seconds pass. */
  const forget = async () => {
    await database.admin.query('alter table private.admin_audit_log disable trigger user');
    await database.admin.query(
      `update private.admin_audit_log set happened_at = happened_at - interval '11 seconds'`,
    );
    await database.admin.query('alter table private.admin_audit_log enable trigger user');
  };
  const answered = async (caller: TestUser, call: string) => {
    const { rows } = await queryAs(
      database,
      caller,
      `select x.* from ${call.replace(':user', `'${payer.owner.id}'`)} x`,
    );
    return rows.flatMap((row) => Object.values(row)).some((value) => value !== null);
  };

  test.each(calls)('comes before anything is read by %s, each time', async (call) => {
    await forget();
    const before = await record();
    expect(await answered(admin, call)).toBe(false);
    expect(await record()).toBe(before + 1);
    expect(await answered(admin, call)).toBe(true);
    await forget();
    expect(await answered(admin, call)).toBe(false);
    expect(await record()).toBe(before + 2);
  });

  test('of one address covers no other of the same domain and first letter', async () => {
    const look = (address: string) => answered(admin, `admin_list_users('${address}')`);
    expect(await look('marta@exemplo.com.br')).toBe(false);
    expect(await look('mario@exemplo.com.br')).toBe(false);
    expect(await look('marta@exemplo.com.br')).toBe(true);
  });

  test.each(calls)('that is taken back opens nothing: %s', async (call) => {
    await forget();
    const bound = `select x.* from ${call.replace(':user', `'${payer.owner.id}'`)} x`;
    const client = await database.callers.connect();
    try {
      await client.query('begin');
      await client.query(
        `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true), set_config('search_path', 'public', true)`,
        [JSON.stringify({ sub: admin.id, role: 'authenticated' })],
      );
      for (let n = 0; n < 3; n += 1) {
        const { rows } = await client.query(bound);
        expect(rows.flatMap((row) => Object.values(row)).every((value) => value === null)).toBe(true);
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await answered(admin, call)).toBe(false);
  });

  test('of one look opens no other, and nobody else’s', async () => {
    await forget();
    const first = createUser(database.admin);
    const call = (id: string, page = 1) => `admin_user_links('${id}', ${page})`;
    expect(await answered(admin, call(payer.owner.id))).toBe(false);
    expect(await answered(admin, call(payer.owner.id, 2))).toBe(false);
    expect(await answered(admin, call((await first).id))).toBe(false);
    await appoint(former.id);
    expect(await answered(former, call(payer.owner.id))).toBe(false);
    await appoint(admin.id);
    expect(await answered(admin, call(payer.owner.id))).toBe(true);
  });

  test('cannot be changed or shortened, not by the service role and not by the owner of the database', async () => {
    const count = () => database.admin.query('select count(*)::int as n from private.admin_audit_log');
    await ask(admin, 'admin_overview()');
    const before = (await count()).rows[0].n;
    for (const text of [
      `update private.admin_audit_log set action = 'nothing'`,
      `delete from private.admin_audit_log`,
      `truncate private.admin_audit_log`,
    ]) {
      expect(await readOutcome(database, 'service_role', text)).toMatchObject({ code: '42501' });
      await expect(database.admin.query(text)).rejects.toMatchObject({ code: '42501' });
    }
    const forged = `insert into private.admin_audit_log (admin_id, action) values ('${admin.id}', 'x')`;
    expect(await readOutcome(database, 'service_role', forged)).toMatchObject({ code: '42501' });
    expect((await count()).rows[0].n).toBe(before);
    expect(before).toBeGreaterThan(0);
  });

  test('outlives an account that was looked at, and says who looked', async () => {
    await forget();
    const { owner } = await createLibrary(database, { email: 'some@exemplo.com.br' });
    await ask(admin, 'admin_user_links($1)', [owner.id]);
    const read = () => ask<{ total: number; entries: Record<string, unknown>[] }>(admin, 'admin_audit(1, 2)');
    expect((await read()).entries[1]).toMatchObject({
      action: 'user_links',
      admin_email: admin.email,
      user_email: owner.email,
    });
    await database.admin.query('delete from auth.users where id = $1', [owner.id]);
    const { entries, total } = await read();
    expect(entries.map(({ action }) => action)).toEqual(['audit', 'user_links']);
    expect(total).toBeGreaterThanOrEqual(entries.length);
    const { rows } = await database.admin.query('select from private.admin_audit_log where user_id = $1', [
      owner.id,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('the list of users', () => {
  test('finds by any part of the address, whatever its case, and takes every character for itself', async () => {
    const found = async (search: string) => (await list(search)).users.map(({ email }) => email);
    for (const search of ['PAGANTE', ' nte_100%@ex ', '_100%', '%@exemplo.com.br'])
      expect(await found(search)).toEqual(['Pagante_100%@Exemplo.com.br']);
    for (const search of [
      'pagante_1000',
      'p%e',
      '\\',
      `' or true --`,
      `'; drop table profiles; --`,
      `%' union select null --`,
      '$1',
      'a'.repeat(5000),
    ])
      expect(await list(search)).toEqual({ total: 0, users: [] });
    expect((await list(null)).total).toBe((await list('   ')).total);
  });

  test('filters by plan, pages through everybody exactly once, newest first, and stays calm beyond the end', async () => {
    await database.admin.query(
      `insert into auth.users (id, email, created_at) select gen_random_uuid(), 'n' || n || '@pagina.br', now() - n * interval '1 hour'
       from generate_series(1, 23) n`,
    );
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list('@pagina.br', null, page)));
    expect(pages.map(({ total }) => total)).toEqual([23, 23, 23, 23]);
    expect(pages.map(({ users }) => users.length)).toEqual([10, 10, 3, 0]);
    expect(pages.flatMap(({ users }) => users.map(({ email }) => email))).toEqual(
      Array.from({ length: 23 }, (_, n) => `n${n + 1}@pagina.br`),
    );
    expect((await list('n2', null, 1, 2)).total).toBe(5);
    expect((await list('', 'pro')).users.map(({ id }) => id)).toEqual([payer.owner.id]);
    expect((await list('@pagina.br', 'free', 2_147_483_647, 100)).total).toBe(23);
    expect((await list('', 'gold')).total).toBe(0);
    expect((await list('@pagina.br', '', -5, -5)).users).toHaveLength(1);
    expect((await list('@pagina.br', null, 1, 1_000_000)).users).toHaveLength(23);
  });

  test('follows a new address, a new plan and a deletion', async () => {
    const { owner } = await createLibrary(database, { email: 'antes@exemplo.com.br' });
    await database.admin.query(`update auth.users set email = 'Depois@exemplo.com.br' where id = $1`, [
      owner.id,
    ]);
    await database.admin.query(
      `insert into subscribers (user_id, plan, subscription_status) values ($1, 'plus', 'active')`,
      [owner.id],
    );
    expect((await list('antes@')).total).toBe(0);
    expect((await list('depois@', 'plus')).users[0]).toMatchObject({
      email: 'Depois@exemplo.com.br',
      plan: 'plus',
    });
    await database.admin.query(`update subscribers set subscription_status = 'expired' where user_id = $1`, [
      owner.id,
    ]);
    expect((await list('depois@', 'plus')).total).toBe(0);
    await database.admin.query('delete from auth.users where id = $1', [owner.id]);
    expect((await list('depois@')).total).toBe(0);
  });

  test('has those who have no address, and those whose account does not say since when it is', async () => {
    const before = (await list(null)).total;
    const { rows } = await database.admin.query<{ id: string }>(
      `insert into auth.users (id, email, created_at) values (gen_random_uuid(), null, null), (gen_random_uuid(), 'sem@data.br', null)
       returning id`,
    );
    expect((await list(null)).total).toBe(before + 2);
    await database.admin.query('update auth.users set email = null where id = $1', [rows[1]?.id]);
    const listed = (await list(null)).users.filter(({ id }) => rows.some((row) => row.id === id));
    expect(listed.map(({ email }) => email)).toEqual([null, null]);
    expect((await list('sem@data')).total).toBe(0);
    const { rows: moments } = await database.admin.query(
      `select now() - created_at < interval '1 minute' as fresh from private.user_directory where user_id = any ($1)`,
      [rows.map(({ id }) => id)],
    );
    expect(moments).toEqual([{ fresh: true }, { fresh: true }]);
  });

  test('of all profiles and addresses comes newest first', async () => {
    const { rows } = await database.admin.query<{ id: string }>(
      `insert into auth.users (id, email, created_at)
       select gen_random_uuid(), 'o' || n || '@ordem.br', now() + n * interval '1 hour' from generate_series(1, 4) n returning id`,
    );
    await database.admin.query(
      `update profiles p set created_at = u.created_at from auth.users u where u.id = p.id and u.email like '%@ordem.br'`,
    );
    const newest = rows.map(({ id }) => id).reverse();
    for (const call of ROW_CALLS) {
      const read = async () =>
        (await queryAs<{ id: string }>(database, admin, `select x.id from ${call} x`)).rows;
      await read();
      expect(
        (await read()).slice(0, 4).map(({ id }) => id),
        call,
      ).toEqual(newest);
    }
  });

  test('marks who is closed, why and until when, lists them alone, and forgets it when they are back', async () => {
    const people = await Promise.all(
      ['sai@fechada.br', 'dorme@fechada.br', 'volta@fechada.br', 'fica@fechada.br'].map((email) =>
        createUser(database.admin, { email }),
      ),
    );
    await database.admin.query(
      `insert into private.account_closures (user_id, reason, purge_after, reopened_at) values
       ($1, 'deletion', '2027-03-31T12:00:00Z', null), ($2, 'inactivity', null, null), ($3, 'deletion', '2027-03-31T12:00:00Z', now())`,
      people.slice(0, 3).map(({ id }) => id),
    );
    const closed = (reason: string, search = '@fechada.br', plan: string | null = null, page = 1) =>
      ask<Page>(admin, 'admin_list_users($1, $2, $3, 1, $4)', [search, plan, page, reason]);
    const marks = ({ users }: Page) =>
      Object.fromEntries(users.map((user) => [user.email, [user['closed_for'], user['restorable_until']]]));
    expect(marks(await list('@fechada.br'))).toEqual({
      'sai@fechada.br': ['deletion', '2027-03-31T12:00:00+00:00'],
      'dorme@fechada.br': ['inactivity', null],
      'volta@fechada.br': [null, null],
      'fica@fechada.br': [null, null],
    });
    expect(marks(await closed('deletion'))).toEqual({ 'sai@fechada.br': ['deletion', expect.any(String)] });
    expect(marks(await closed('inactivity'))).toEqual({ 'dorme@fechada.br': ['inactivity', null] });
    expect((await closed('')).total).toBe(4);
    expect(marks(await closed('deletion', 'sai@fechada.br', 'free'))).toHaveProperty(['sai@fechada.br']);
    expect((await closed('deletion', 'sai@')).total).toBe(1);
    expect(await closed('deletion', '@fechada.br', null, 2)).toEqual({ total: 1, users: [] });
    for (const nobody of [
      closed('deletion', 'dorme@'),
      closed('deletion', '', 'pro'),
      closed(`' or true --`),
    ])
      expect(await nobody).toEqual({ total: 0, users: [] });
  });

  test('tells of each what they keep, measured, and when they were last here', async () => {
    await database.admin.query(
      `update auth.users set last_sign_in_at = '2026-01-02T03:04:05Z' where id = $1`,
      [payer.owner.id],
    );
    await queryAs(
      database,
      payer.owner,
      `insert into shared_with (category_id, email) values ($1, 'ze@a.br')`,
      [payer.categoryId],
    );
    // Folder 'Trabalho', category 'Leituras' of 'Paga', one link, one address: what private.folder_bytes and its like say they weigh.
    const weight = 49 + 8 + (65 + 8 + 4) + (64 + 'https://exemplo.com.br/'.length + 7) + (24 + 7);
    expect((await list('pagante')).users).toEqual([
      {
        id: payer.owner.id,
        email: 'Pagante_100%@Exemplo.com.br',
        name: 'Paga',
        created_at: expect.any(String),
        plan: 'pro',
        link_count: 1,
        folder_count: 1,
        last_login: '2026-01-02T03:04:05+00:00',
        storage_used: weight,
        storage_limit: 1000 * 1024 * 1024,
        closed_for: null,
        restorable_until: null,
      },
    ]);
  });

  test('counts the bytes of people’s files, and not those of nobody', async () => {
    const used = async () => (await list('pagante')).users[0]?.['storage_used'] as number;
    const before = await used();
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       values ('arquivos', $1 || '/a.txt', $1, '{"size": 5000}'), ('arquivos', 'b.txt', null, '{"size": 7}')`,
      [payer.owner.id],
    );
    expect((await used()) - before).toBe(5000);
    const { storage_used: total } = await ask<{ storage_used: number }>(admin, 'admin_overview()');
    await ask(admin, `admin_statistics(null, null, 'day')`);
    await database.admin.query(
      `begin; set local storage.allow_delete_query = 'true'; delete from storage.objects; commit`,
    );
    expect(await used()).toBe(before);
    expect(total - (await ask<{ storage_used: number }>(admin, 'admin_overview()')).storage_used).toBe(5000);
  });
});

describe('a user’s links', () => {
  test('come with their category, newest first, a page at a time; nobody has favourites', async () => {
    const { owner, categoryId, linkId } = await createLibrary(database, { plan: 'plus' });
    await queryAs(
      database,
      owner,
      `insert into links (title, url, category_id) select 'L' || n, 'https://a.br/' || n, $1 from generate_series(1, 3) n`,
      [categoryId],
    );
    const page = (at: number) =>
      ask<{ total: number; links: Record<string, unknown>[] }>(admin, 'admin_user_links($1, $2, 2)', [
        owner.id,
        at,
      ]);
    const first = await page(1);
    expect(first.total).toBe(4);
    expect(first.links.map(({ title }) => title)).toEqual(['L3', 'L2']);
    expect((await page(2)).links[1]).toEqual({
      id: linkId,
      title: 'Exemplo',
      url: 'https://exemplo.com.br/',
      created_at: expect.any(String),
      category: { id: categoryId, name: 'Leituras' },
      favorite: false,
    });
    // Of one moment each is shown once, by its id.
    const other = await createLibrary(database, { plan: 'plus' });
    const ids = ['1', '2', '3', '4'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    await database.admin.query(
      `insert into links (id, title, url, category_id, user_id, created_at)
       select id, 'A', 'https://a.br', $2, $3, '2024-03-01T03:00:00Z' from unnest($1::uuid[]) id`,
      [ids, other.categoryId, other.owner.id],
    );
    const idsOf = async (at: number) =>
      (
        await ask<{ links: { id: string }[] }>(admin, 'admin_user_links($1, $2, 2)', [other.owner.id, at])
      ).links.map(({ id }) => id);
    expect([await idsOf(1), await idsOf(2), await idsOf(3)]).toEqual([
      [other.linkId, ids[3]],
      [ids[2], ids[1]],
      [ids[0]],
    ]);
    expect(await ask(admin, `admin_user_links('99999999-9999-4999-8999-999999999999')`)).toEqual({
      total: 0,
      links: [],
    });
    expect(await ask(admin, `admin_user_links(null)`)).toEqual({ total: 0, links: [] });
  });
});

test('a plan is not changed by hand: the administrator is refused and nothing moves', async () => {
  const user = await createUser(database.admin);
  for (const plan of ['pro', 'plus', 'free', 'gold', null])
    expect(await ask(admin, 'admin_change_plan($1, $2)', [user.id, plan])).toMatchObject({
      code: '42501',
      hint: 'payment_provider_only',
    });
  const { rows } = await database.admin.query(
    'select plan, (select count(*)::int from subscribers where user_id = $1) as n from profiles where id = $1',
    [user.id],
  );
  expect(rows).toEqual([{ plan: 'free', n: 0 }]);
});

describe('figures', () => {
  type State = { state: string; count: number; monthly_revenue: { currency: string; cents: number }[] };
  beforeEach(async () => {
    await database.admin.query('delete from subscribers');
    const rows: [string, string, object][] = [
      ['plus', 'active', { billing_interval: 'month', amount_cents: 199, currency: 'usd' }],
      ['plus', 'active', { billing_interval: 'year', amount_cents: 1990, currency: 'usd' }],
      [
        'pro',
        'active',
        { billing_interval: 'year', amount_cents: 3990, currency: 'usd', cancel_at_period_end: true },
      ],
      [
        'pro',
        'active',
        { billing_interval: 'month', amount_cents: 399, currency: 'usd', trial_end: '2999-01-01' },
      ],
      [
        'pro',
        'active',
        { billing_interval: 'month', amount_cents: 1500, currency: 'brl', trial_end: '2020-01-01' },
      ],
      ['pro', 'payment_failed', { billing_interval: 'month', amount_cents: 399, currency: 'usd' }],
      ['pro', 'refunded', { billing_interval: 'month', amount_cents: 399, currency: 'usd' }],
      ['plus', 'canceled', {}],
    ];
    for (const [plan, status, fields] of rows) {
      const { id } = await createUser(database.admin);
      await database.admin.query(
        `insert into subscribers select * from jsonb_populate_record(null::subscribers, jsonb_build_object('user_id', $1::uuid, 'plan', $2::text,
           'subscription_status', $3::text, 'created_at', now(), 'updated_at', now(), 'cancel_at_period_end', false) || $4)`,
        [id, plan, status, fields],
      );
    }
  });

  test('revenue is what is really paid: a year counts a twelfth, a trial and what is over count nothing', async () => {
    const answer = await ask<{ states: State[]; monthly_revenue: unknown; total: number; plans: unknown[] }>(
      admin,
      'admin_subscriptions()',
    );
    const usd = (cents: number) => [{ currency: 'usd', cents }];
    expect(Object.fromEntries(answer.states.map(({ state, ...rest }) => [state, rest]))).toEqual({
      active: { count: 3, monthly_revenue: [{ currency: 'brl', cents: 1500 }, ...usd(365)] },
      canceling: { count: 1, monthly_revenue: usd(333) },
      trialing: { count: 1, monthly_revenue: [] },
      payment_failed: { count: 1, monthly_revenue: [] },
      refunded: { count: 1, monthly_revenue: [] },
      canceled: { count: 1, monthly_revenue: [] },
    });
    // Rounded once: 199 + 1990/12 + 3990/12 = 697.33
    expect(answer.monthly_revenue).toEqual([{ currency: 'brl', cents: 1500 }, ...usd(697)]);
    expect(answer.total).toBe(8);
    expect(answer.plans).toContainEqual({
      plan: 'plus',
      billing_interval: 'year',
      currency: 'usd',
      count: 1,
      monthly_cents: 166,
    });
    const trials = await ask<{ total: number; subscriptions: unknown[] }>(
      admin,
      `admin_subscriptions('trialing')`,
    );
    expect(trials.total).toBe(1);
    expect(trials.subscriptions).toHaveLength(1);
  });

  test('the dashboard counts everybody, who pays, what is stored, and shows the ten newest', async () => {
    const { rows } = await database.admin.query(
      `select count(*)::int as users, (select sum(row_bytes)::int from library_counts) as bytes,
         (select sum(24 + octet_length(email))::int from shared_with) as invited from auth.users`,
    );
    const overview = await ask<Record<string, unknown> & { recent_users: unknown[] }>(
      admin,
      'admin_overview()',
    );
    expect(overview).toMatchObject({
      total_users: rows[0].users,
      premium_users: 5,
      storage_used: rows[0].bytes + rows[0].invited,
      monthly_revenue: [
        { currency: 'brl', cents: 1500 },
        { currency: 'usd', cents: 697 },
      ],
    });
    expect(overview.recent_users).toHaveLength(10);
  });

  type Entry = {
    starts_on: string;
    sign_ups: number;
    active_users: number;
    links_created: number;
    storage_used: number;
  };
  const statistics = (first: string | null, last: string | null, unit: string) =>
    ask<{ unit: string; entries: Entry[] }>(admin, 'admin_statistics($1, $2, $3)', [first, last, unit]);

  test('over time: sign-ups, each active person once, links and storage, by Brasília’s days', async () => {
    const { owner, categoryId } = await createLibrary(database);
    const { rows } = await database.admin.query<{ day: string }>(
      `select to_char(date_trunc('week', now() - interval '40 days') + n * interval '1 day', 'YYYY-MM-DD') as day
       from unnest(array[-7, -5, -1, 0, 1]) n`,
    );
    const [lastMonday, wednesday, sunday, monday, tuesday] = rows.map(({ day }) => day) as [
      string,
      string,
      string,
      string,
      string,
    ];
    // 01:30 UTC is still the evening before in Brasília.
    await database.admin.query(
      `insert into auth.users (id, email, created_at) values (gen_random_uuid(), 'cedo@a.br', '${monday}T01:30:00Z')`,
    );
    await database.admin.query(
      `insert into links (title, url, category_id, user_id, created_at) values ('A', 'https://a.br', $1, $2, '${monday}T12:00:00Z')`,
      [categoryId, owner.id],
    );
    await database.admin.query(
      `insert into private.user_activity (day, user_id) values ('${monday}', $1), ('${tuesday}', $1), ('${tuesday}', $2)`,
      [owner.id, admin.id],
    );
    const { entries } = await statistics(sunday, tuesday, 'day');
    const base = entries[0]?.storage_used ?? 0;
    expect(entries).toEqual([
      { starts_on: sunday, sign_ups: 1, active_users: 0, links_created: 0, storage_used: base },
      {
        starts_on: monday,
        sign_ups: 0,
        active_users: 1,
        links_created: 1,
        storage_used: base + 64 + 12 + 1,
      },
      { starts_on: tuesday, sign_ups: 0, active_users: 2, links_created: 0, storage_used: base + 77 },
    ]);
    const weeks = await statistics(wednesday, tuesday, 'week');
    expect(weeks.entries.map(({ starts_on, active_users }) => [starts_on, active_users])).toEqual([
      [lastMonday, 0],
      [monday, 2],
    ]);
    const today = await statistics(null, null, 'month');
    const overview = await ask<{ storage_used: number }>(admin, 'admin_overview()');
    expect(today.entries.at(-1)?.storage_used).toBe(overview.storage_used);
  });

  test('before anything was written nothing was stored, whatever it is that was written', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'pro' });
    await queryAs(database, owner, `insert into shared_with (category_id, email) values ($1, 'ze@a.br')`, [
      categoryId,
    ]);
    await database.admin.query(
      `insert into storage.objects (bucket_id, name, owner_id, metadata)
       values ('arquivos', $1 || '/a.txt', $1, '{"size": 5000}'), ('arquivos', $1 || '/b.txt', $1, null),
         ('arquivos', 'c.txt', null, '{"size": 7}')`,
      [owner.id],
    );
    const { entries } = await statistics('2020-01-01', '2020-01-02', 'day');
    expect(entries.map(({ storage_used }) => storage_used)).toEqual([0, 0]);
    const all = await statistics('2020-01-01', null, 'month');
    const { storage_used } = await ask<{ storage_used: number }>(admin, 'admin_overview()');
    expect(storage_used).toBeGreaterThan(5_000);
    expect(all.entries.at(-1)?.storage_used).toBe(storage_used);
    expect(all.entries.at(-1)?.links_created).toBe(2);
  });

  test('a week and a month have what their days have, and a day outside of them has nothing to do with them', async () => {
    const { owner, categoryId } = await createLibrary(database);
    for (const day of ['2024-04-28', '2024-04-29', '2024-04-30', '2024-05-01', '2024-05-05', '2024-05-06']) {
      await database.admin.query(
        `insert into auth.users (id, email, created_at) values (gen_random_uuid(), 'em' || $1 || '@a.br', ($1 || 'T12:00:00Z')::timestamptz)`,
        [day],
      );
      await database.admin.query(
        `insert into links (title, url, category_id, user_id, created_at)
         values ('A', 'https://a.br', $2, $3, ($1 || 'T12:00:00Z')::timestamptz)`,
        [day, categoryId, owner.id],
      );
    }
    const counts = async (first: string, last: string, unit: string) =>
      (await statistics(first, last, unit)).entries.map((entry) => [
        entry.starts_on,
        entry.sign_ups,
        entry.links_created,
      ]);
    expect(await counts('2024-05-02', '2024-05-05', 'week')).toEqual([['2024-04-29', 4, 4]]);
    // Its first moment belongs to a day, the last of the day before does not.
    await database.admin.query(
      `insert into auth.users (id, email, created_at) values (gen_random_uuid(), 'um@a.br', '2024-03-01T03:00:00Z'),
         (gen_random_uuid(), 'dois@a.br', '2024-03-01T02:59:59.999Z')`,
    );
    await database.admin.query(
      `insert into links (title, url, category_id, user_id, created_at) values ('A', 'https://a.br', $1, $2, '2024-03-01T03:00:00Z')`,
      [categoryId, owner.id],
    );
    expect(await counts('2024-03-01', '2024-03-01', 'day')).toEqual([['2024-03-01', 1, 1]]);
    expect(await counts('2024-04-30', '2024-05-01', 'month')).toEqual([
      ['2024-04-01', 3, 3],
      ['2024-05-01', 3, 3],
    ]);
    const [april] = (await statistics('2024-04-30', '2024-04-30', 'month')).entries;
    const [may] = (await statistics('2024-05-01', '2024-05-31', 'month')).entries;
    expect((may?.storage_used ?? 0) - (april?.storage_used ?? 0)).toBe(3 * (64 + 12 + 1));
  });

  test('activity is kept for seven hundred and sixty days', async () => {
    const day = `(now() at time zone 'America/Sao_Paulo')::date`;
    await database.admin.query(
      `insert into private.user_activity (day, user_id) select ${day} - n, $1 from unnest(array[759, 760, 761]) n`,
      [admin.id],
    );
    await statistics(null, null, 'day');
    const { rows } = await database.admin.query(
      `select ${day} - a.day as age from private.user_activity a where a.day < ${day} - 700 order by 1`,
    );
    expect(rows).toEqual([{ age: 759 }, { age: 760 }]);
  });

  test('a session, opened or renewed, is activity of its day; and what is odd about dates does no harm', async () => {
    const user = await createUser(database.admin);
    await database.admin.query(
      `insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now())`,
      [user.id],
    );
    await database.admin.query(`update auth.sessions set refreshed_at = now() where user_id = $1`, [user.id]);
    const { entries } = await statistics(null, null, 'day');
    expect(entries).toHaveLength(30);
    expect(entries.at(-1)?.active_users).toBe(1);
    expect((await statistics('0001-01-01', '9999-12-31', 'day')).entries).toHaveLength(400);
    expect((await statistics('2030-01-01', '2020-01-01', 'nonsense')).entries).toHaveLength(1);
    expect((await statistics('infinity', '-infinity', 'month')).entries.length).toBeLessThan(3);
    await database.admin.query('delete from auth.users where id = $1', [user.id]);
    expect((await statistics(null, null, 'day')).entries.at(-1)?.active_users).toBe(0);
  });
});

test('over twenty thousand users a search reads the directory once or twice, and of accounts those of the page', async () => {
  const client = await database.admin.connect();
  // Entries read so far of the directory (through its table and its index) and of the accounts. How long that takes for a hundred
  // thousand is measured by bench/src/measure-admin.ts: on a busy machine a test cannot say.
  const read = async () => {
    const { rows } = await client.query<{ directory: number; accounts: number }>(
      `select (select sum(pg_stat_get_xact_tuples_returned(oid)) from pg_class where relname like 'user_directory%')::int as directory,
         pg_stat_get_xact_tuples_returned('public.library_counts'::regclass)::int as accounts`,
    );
    return rows[0] ?? { directory: 0, accounts: 0 };
  };
  try {
    // Their accounts are left out: the directory is all that a search reads, and it says who stands on a page.
    await client.query(`set session_replication_role = replica`);
    await client.query(
      `insert into private.user_directory (user_id, email, created_at) select gen_random_uuid(), 'pessoa' || n || '@exemplo.com.br',
         now() - n * interval '1 minute' from generate_series(1, 20000) n`,
    );
    await client.query('vacuum analyze private.user_directory');
    await client.query(`select set_config('request.jwt.claims', $1, false)`, [
      JSON.stringify({ sub: admin.id }),
    ]);
    for (const [search, page, total, walks] of [
      ['', 1, 20_000, 1.1],
      ['', 2_000, 20_000, 2.1],
      ['exemplo', 1_000, 20_000, 2.1],
      ['PESSOA19999@', 1, 1, 1.1],
      ['nobody-has-this', 1, 0, 1.1],
    ] as const) {
      const look = 'select admin_list_users($1, null, $2) as answer';
      await client.query(look, [search, page]);
      await client.query('begin');
      const before = await read();
      const { rows } = await client.query(look, [search, page]);
      const after = await read();
      await client.query('rollback');
      expect(rows[0].answer.total).toBeGreaterThanOrEqual(total);
      const what = `'${search}', page ${page}`;
      expect(after.directory - before.directory, what).toBeLessThan(walks * 21_000);
      // Below one walk nothing would have been counted at all.
      expect(after.directory - before.directory, what).toBeGreaterThan(10_000);
      expect(after.accounts - before.accounts, what).toBeLessThan(500);
    }
  } finally {
    client.release(true);
  }
});
