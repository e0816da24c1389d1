import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.admin.query('delete from auth.users'));

const write = (text: string, values: readonly unknown[] = []) => database.admin.query(text, [...values]);
const ask = async <T>(call: string, values: readonly unknown[] = [], caller: TestCaller = 'service_role') =>
  (await queryAs<{ answer: T }>(database, caller, `select ${call} as answer`, values)).rows[0]?.answer;

/** A moment that a test sets, to the second. */
const NOON = '2027-06-15T12:00:00Z';
const close = (user: TestUser, columns: Readonly<Record<string, unknown>> = {}) =>
  write(
    `insert into private.account_closures select (jsonb_populate_record(null::private.account_closures,
       jsonb_build_object('id', gen_random_uuid(), 'reason', 'deletion', 'closed_at', $1::timestamptz - interval '30 days',
         'purge_after', $1::timestamptz, 'is_notice_due', false) || $2::jsonb)).*`,
    [NOON, JSON.stringify({ user_id: user.id, ...columns })],
  );
const begin = async (at: string, max: number | null = 20) =>
  (
    await queryAs<{ user_id: string; stripe_customer_id: string | null }>(
      database,
      'service_role',
      'select * from begin_account_purges($1, $2)',
      [max, at],
    )
  ).rows;

describe('the purge of an account', () => {
  test('begins at the moment that was named, and not the moment before', async () => {
    const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
    await close(ana);
    await close(bia, { purge_after: '2027-06-15T12:00:00.000001Z' });
    expect(await begin(NOON)).toEqual([{ user_id: ana.id, stripe_customer_id: null }]);
  });

  test('is of who has been waiting longest, and tells whom the provider knows them as', async () => {
    const people = [
      await createUser(database.admin),
      await createUser(database.admin),
      await createUser(database.admin),
    ];
    const [ana, bia, caio] = people as [TestUser, TestUser, TestUser];
    await write(`insert into subscribers (user_id, stripe_customer_id) values ($1, 'cus_caio')`, [caio.id]);
    // Begun before, whoever began has died: after those who have not begun.
    await close(ana, { purge_after: '2027-01-01', purge_started_at: '2027-01-02' });
    await close(bia, { purge_after: '2027-03-01' });
    await close(caio, { purge_after: '2027-02-01' });
    expect(await begin(NOON)).toEqual([
      { user_id: caio.id, stripe_customer_id: 'cus_caio' },
      { user_id: bia.id, stripe_customer_id: null },
      { user_id: ana.id, stripe_customer_id: null },
    ]);
    const { rows } = await write('select purge_started_at = $1 as is_now from private.account_closures', [
      NOON,
    ]);
    expect(rows).toEqual(people.map(() => ({ is_now: true })));
  });

  test('is of as many at once as are asked for: twenty where nothing is said, a hundred at most', async () => {
    await write(
      `insert into auth.users (id, email) select gen_random_uuid(), n || '@a.br' from generate_series(1, 101) n`,
    );
    await write(
      `insert into private.account_closures (user_id, reason, purge_after) select id, 'deletion', $1 from auth.users`,
      [NOON],
    );
    const forget = () => write('update private.account_closures set purge_started_at = null');
    for (const [max, count] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [null, 20],
      [100, 100],
      [101, 100],
    ] as const) {
      expect(await begin(NOON, max), `${max}`).toHaveLength(count);
      await forget();
    }
  });

  test('takes links a part at a time, then the account, and says so once', async () => {
    const { owner, categoryId } = await createLibrary(database);
    await createLibrary(database);
    await write(
      `insert into links (title, url, category_id, user_id) select n::text, 'https://a.br', $1, $2 from generate_series(1, 3) n`,
      [categoryId, owner.id],
    );
    const purge = (most: number | null) => ask<boolean>('purge_account($1, $2)', [owner.id, most]);
    const left = async () => (await write('select from links where user_id = $1', [owner.id])).rowCount;
    // Nobody is purged whose purge has not begun.
    expect([await purge(100), await left()]).toEqual([false, 4]);
    await close(owner);
    const closure = await write('select id from private.account_closures where user_id = $1', [owner.id]);
    expect([await purge(100), await left()]).toEqual([false, 4]);
    await begin(NOON);
    expect([await purge(2), await left()]).toEqual([false, 2]);
    expect([await purge(0), await left()]).toEqual([false, 1]);
    expect([await purge(null), await left()]).toEqual([false, 0]);
    expect([await purge(1), await purge(1)]).toEqual([true, true]);
    expect((await write('select from auth.users')).rowCount).toBe(1);
    expect((await write('select from links')).rowCount).toBe(1);
    const { rows } = await write(
      'select event, count(*)::int as n from private.account_events where closure_id = $1 group by 1 order by 1',
      [closure.rows[0]?.id],
    );
    expect(rows).toEqual([
      { event: 'purge_started', n: 1 },
      { event: 'purged', n: 1 },
    ]);
  });

  test('of one who came back stops, and takes nothing more', async () => {
    const { owner } = await createLibrary(database);
    await close(owner, { purge_started_at: NOON, reopened_at: NOON });
    expect(await ask('purge_account($1, 100)', [owner.id])).toBe(false);
    expect((await write('select from links')).rowCount).toBe(1);
    const { rowCount } = await queryAs(database, 'service_role', 'select * from list_files_to_purge($1)', [
      owner.id,
    ]);
    expect(rowCount).toBe(0);
  });

  test('lists files by bucket and name, as many as are asked for, and one at least', async () => {
    const ana = await createUser(database.admin);
    await close(ana, { purge_started_at: NOON });
    await write(
      `insert into storage.objects (bucket_id, name, owner_id) select 'arquivos', $1 || '/' || to_char(n, 'FM0000'), $1 from generate_series(1, 1001) n`,
      [ana.id],
    );
    const list = async (max: number | null) =>
      (
        await queryAs<{ name: string }>(
          database,
          'service_role',
          'select name from list_files_to_purge($1, $2)',
          [ana.id, max],
        )
      ).rows;
    expect(await list(2)).toEqual([{ name: `${ana.id}/0001` }, { name: `${ana.id}/0002` }]);
    for (const [max, count] of [
      [-1, 1],
      [0, 1],
      [null, 1000],
      [1001, 1000],
    ] as const)
      expect(await list(max), `${max}`).toHaveLength(count);
    await write(`begin; set local storage.allow_delete_query = 'true'; delete from storage.objects; commit`);
  });
});

describe('the daily round', () => {
  const due = (at: string) => ask<boolean>('claim_account_upkeep($1)', [at]);
  const set = (at: string) => write('update private.account_upkeep set due_at = $1', [at]);

  test('is due at its moment, and where it lies more than two days ahead', async () => {
    await set('2027-06-15T12:00:00.000001Z');
    expect(await due(NOON)).toBe(false);
    await set(NOON);
    expect([await due(NOON), await due('2027-06-15T12:19:59Z'), await due('2027-06-15T12:20:00Z')]).toEqual([
      true,
      false,
      true,
    ]);
    await set('2027-06-17T12:00:00Z');
    expect(await due(NOON)).toBe(false);
    await set('2027-06-17T12:00:00.000001Z');
    expect(await due(NOON)).toBe(true);
  });

  test('comes again when it is told to, and a day later where nothing is said', async () => {
    const read = async () =>
      (await write('select due_at from private.account_upkeep')).rows[0]?.due_at.toISOString();
    await ask('finish_account_upkeep(7, $1)', [NOON]);
    expect(await read()).toBe('2027-06-15T12:07:00.000Z');
    await ask('finish_account_upkeep(at => $1)', [NOON]);
    expect(await read()).toBe('2027-06-16T12:00:00.000Z');
  });

  test('forgets who came back thirty days ago, and mails of a year ago that are done', async () => {
    const people = await Promise.all(
      ['a', 'b', 'c'].map((name) => createUser(database.admin, { email: `${name}@a.br` })),
    );
    const [ana, bia, caio] = people as [TestUser, TestUser, TestUser];
    await close(ana, { reopened_at: '2027-05-16T12:00:00Z' });
    await close(bia, { reopened_at: '2027-05-16T11:59:59Z' });
    await close(caio);
    const mail = (user: TestUser, kind: string, state: string, queued: string) =>
      write(
        `insert into private.account_mails (user_id, kind, occasion, deadline, state, queued_at) values ($1, $2, now(), now(), $3, $4)`,
        [user.id, kind, state, queued],
      );
    await mail(ana, 'deleted', 'sent', '2026-06-15T12:00:00Z');
    await mail(ana, 'suspended', 'sent', '2026-06-15T11:59:59Z');
    await mail(ana, 'inactive_first', 'refused', '2026-01-01');
    await mail(ana, 'inactive_second', 'withdrawn', '2026-01-01');
    await mail(bia, 'deleted', 'waiting', '2026-01-01');
    await mail(bia, 'suspended', 'sending', '2026-01-01');
    await ask('finish_account_upkeep(1440, $1)', [NOON]);
    const closed = await write('select user_id from private.account_closures');
    expect(closed.rows.map((row) => row.user_id).toSorted()).toEqual([ana.id, caio.id].toSorted());
    const { rows } = await write('select kind, state from private.account_mails order by state');
    expect(rows).toEqual([
      { kind: 'suspended', state: 'sending' },
      { kind: 'deleted', state: 'sent' },
      { kind: 'deleted', state: 'waiting' },
    ]);
  });
});

describe('a mail about an account', () => {
  let ana: TestUser;
  beforeEach(async () => {
    ana = await createUser(database.admin, { email: 'ana@a.br', name: 'Ana' });
    await createUser(database.admin, { email: 'bia@a.br' });
    await queryAs(database, 'service_role', 'select close_account($1)', [ana.id]);
  });
  const claim = async (max: number | null = 10) =>
    (
      await queryAs<{ id: string; kind: string; email: string; name: string; deadline: Date }>(
        database,
        'service_role',
        'select * from claim_account_mails($1)',
        [max],
      )
    ).rows;
  const read = async () =>
    (
      await write(
        `select state, attempts, leased_until is not null as is_leased, started_at is not null as is_started,
           finished_at is not null as is_finished, next_attempt_at > now() as is_put_off
         from private.account_mails`,
      )
    ).rows[0];
  const CLAIMED = {
    state: 'sending',
    attempts: 1,
    is_leased: true,
    is_started: false,
    is_finished: false,
    is_put_off: false,
  };

  test('says to whom, about what and until when; claimed, it is leased; sent, it is done', async () => {
    const [mail, ...others] = await claim();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'deleted', email: 'ana@a.br', name: 'Ana' });
    const { rows } = await write('select purge_after from private.account_closures where user_id = $1', [
      ana.id,
    ]);
    expect(mail?.deadline).toEqual(rows[0]?.purge_after);
    expect(await read()).toEqual(CLAIMED);
    expect(await ask('begin_account_mail($1)', [mail?.id])).toBe(true);
    expect(await ask('begin_account_mail($1)', [mail?.id])).toBe(false);
    expect(await read()).toEqual({ ...CLAIMED, is_started: true });
    expect(await ask(`finish_account_mail($1, 'sent')`, [mail?.id])).toBe(true);
    expect(await ask(`finish_account_mail($1, 'retry')`, [mail?.id])).toBe(false);
    expect(await read()).toEqual({
      ...CLAIMED,
      state: 'sent',
      is_leased: false,
      is_started: true,
      is_finished: true,
    });
  });

  test('that failed is put off as if it never began; one that was refused is done', async () => {
    const [mail] = await claim();
    await ask('begin_account_mail($1)', [mail?.id]);
    await ask(`finish_account_mail($1, 'retry')`, [mail?.id]);
    expect(await read()).toEqual({ ...CLAIMED, state: 'waiting', is_leased: false, is_put_off: true });
    expect(await claim()).toEqual([]);
    await write('update private.account_mails set next_attempt_at = now()');
    await claim();
    await ask(`finish_account_mail($1, 'refused')`, [mail?.id]);
    expect(await read()).toMatchObject({ state: 'refused', attempts: 2, is_finished: true });
  });

  test('whose lease has run out begins no more, and comes back only where it had not begun', async () => {
    const [mail] = await claim();
    const lapse = () => write(`update private.account_mails set leased_until = now() - interval '1 second'`);
    await lapse();
    expect(await ask('begin_account_mail($1)', [mail?.id])).toBe(false);
    expect(await read()).toMatchObject({ state: 'sending' });
    expect((await claim()).map(({ id }) => id)).toEqual([mail?.id]);
    await ask('begin_account_mail($1)', [mail?.id]);
    await lapse();
    expect(await claim()).toEqual([]);
    expect(await read()).toMatchObject({ state: 'sent', is_leased: false, is_finished: true });
  });

  test('that is about nothing any more is withdrawn, at its claim or at its beginning', async () => {
    const [mail] = await claim();
    await write('update private.account_closures set reopened_at = now()');
    expect(await ask('begin_account_mail($1)', [mail?.id])).toBe(false);
    expect(await read()).toMatchObject({ state: 'withdrawn', is_leased: false });
    await write(`update private.account_mails set state = 'waiting'`);
    expect(await claim()).toEqual([]);
    expect(await read()).toMatchObject({ state: 'withdrawn' });
    // Closed again, at another moment: that is another mail's.
    await write(
      `update private.account_closures set reopened_at = null, closed_at = closed_at + interval '1 second'`,
    );
    await write(`update private.account_mails set state = 'waiting'`);
    expect(await claim()).toEqual([]);
  });

  test.each(['gone', '', null])('does not become %j', async (outcome) => {
    const [mail] = await claim();
    expect(
      await readOutcome(database, 'service_role', 'select finish_account_mail($1, $2)', [mail?.id, outcome]),
    ).toEqual({ code: 'PT400' });
    expect(await read()).toEqual(CLAIMED);
  });

  test('is claimed with as many others as are wanted, the longest due first', async () => {
    await write('delete from auth.users');
    await write(
      `insert into auth.users (id, email) select gen_random_uuid(), n || '@a.br' from generate_series(1, 101) n`,
    );
    await write(
      `insert into private.account_closures (user_id, reason, purge_after, closed_at) select id, 'deletion', now(), $1 from auth.users`,
      [NOON],
    );
    await write(
      `insert into private.account_mails (user_id, kind, occasion, deadline, next_attempt_at)
       select id, 'deleted', $1, now(), now() - split_part(email, '@', 1)::int * interval '1 minute' from auth.users`,
      [NOON],
    );
    const back = () => write(`update private.account_mails set state = 'waiting'`);
    for (const [max, count] of [
      [-1, 0],
      [0, 0],
      [null, 10],
      [100, 100],
      [101, 100],
    ] as const) {
      expect(await claim(max), `${max}`).toHaveLength(count);
      await back();
    }
    expect((await claim(2)).map(({ email }) => email).toSorted()).toEqual(['100@a.br', '101@a.br']);
  });
});

test('what is known of an account that is to be closed is of that account, and of a closing that stands', async () => {
  const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
  await write(
    `insert into subscribers (user_id, stripe_customer_id) values ($1, 'cus_ana'), ($2, 'cus_bia')`,
    [ana.id, bia.id],
  );
  await close(bia);
  const find = async (id: string) =>
    (await queryAs(database, 'service_role', 'select * from find_account_to_close($1)', [id])).rows;
  expect(await find(ana.id)).toEqual([{ email: ana.email, closed_at: null, stripe_customer_id: 'cus_ana' }]);
  expect(await find(bia.id)).toEqual([
    { email: bia.email, closed_at: expect.any(Date), stripe_customer_id: 'cus_bia' },
  ]);
  await write('update private.account_closures set reopened_at = now()');
  expect(await find(bia.id)).toMatchObject([{ closed_at: null }]);
  expect(await find('99999999-9999-4999-8999-999999999999')).toEqual([]);
});

test('the notice of a return is taken once, by whom it is about', async () => {
  const [ana, bia] = [await createUser(database.admin), await createUser(database.admin)];
  for (const user of [ana, bia]) await close(user, { reopened_at: '2026-01-01', is_notice_due: true });
  const take = (user: TestUser) => ask<string | null>('take_reopening_notice()', [], { ...user });
  await write(`update private.account_closures set reopened_at = '1970-01-01'`);
  expect([await take(ana), await take(ana), await take(bia)]).toEqual(['deletion', null, 'deletion']);
});

describe('whatever names an account', () => {
  test('goes with it: no key holds an account back', async () => {
    const { rows } = await write(
      `select conrelid::regclass::text as name from pg_constraint
       where contype = 'f' and confdeltype not in ('c', 'n') and connamespace in ('public'::regnamespace, 'private'::regnamespace)
         and confrelid <> 'private.plan_limits'::regclass`,
    );
    expect(rows).toEqual([]);
  });

  test('is bound to it, but for what is kept in step otherwise and for the record of looks, which outlives it', async () => {
    const { rows } = await write(
      `select c.relnamespace::regnamespace || '.' || c.relname as name
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname in ('user_id', 'sender_id')
       where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' and not exists (
         select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey))
       order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'private.admin_audit_log',
      'private.link_addresses',
      'private.link_search',
      // Outlives whoever set it where the category does (public-page-ends.test.ts).
      'private.public_pages',
      'private.restorations',
      'public.category_counts',
    ]);
  });
});

test('who wanted no more mail gets none, also after their account is forgotten; other addresses of it are gone', async () => {
  const [ana, bia] = [
    await createUser(database.admin, { email: 'ana@sem.br' }),
    await createUser(database.admin, { email: 'bia@sem.br' }),
  ];
  await write(
    `insert into private.share_mail_addresses (email, unsubscribed_at) values ('ana@sem.br', now()), ('bia@sem.br', null), ('caio@sem.br', null)`,
  );
  for (const user of [ana, bia]) await close(user);
  expect(await begin(NOON)).toHaveLength(2);
  const { rows } = await write(
    `select email from private.share_mail_addresses where email like '%@sem.br' order by 1`,
  );
  expect(rows.map(({ email }) => email)).toEqual(['ana@sem.br', 'caio@sem.br']);
});

test.each([
  ['account_closures_reason_known', `private.account_closures (user_id, reason) values ($1, 'other')`],
  [
    'account_closures_purge_is_of_deletion',
    `private.account_closures (user_id, reason) values ($1, 'deletion')`,
  ],
  [
    'account_closures_purge_is_of_deletion',
    `private.account_closures (user_id, reason, purge_after) values ($1, 'inactivity', now())`,
  ],
  ['account_events_event_known', `private.account_events (closure_id, event) values ($1, 'other')`],
  [
    'account_mails_kind_known',
    `private.account_mails (user_id, kind, occasion, deadline) values ($1, 'other', now(), now())`,
  ],
  [
    'account_mails_state_known',
    `private.account_mails (user_id, kind, occasion, deadline, state) values ($1, 'deleted', now(), now(), 'other')`,
  ],
])('%s refuses what there is no word for: %s', async (constraint, row) => {
  const { id } = await createUser(database.admin);
  await expect(write(`insert into ${row}`, [id])).rejects.toMatchObject({ constraint });
});
