import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCategory, createLibrary } from './support/create-library.ts';

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
afterEach(() => database.admin.query('delete from auth.users'));

const START = new Date('2027-01-01T12:00:00Z');
const DAY_MS = 86_400_000;
/** So many days after everybody was last seen. */
const day = (days: number) => new Date(START.getTime() + days * DAY_MS);

async function asService<T>(text: string, values: readonly unknown[] = []): Promise<T> {
  const { rows } = await queryAs<{ value: T }>(database, 'service_role', `select ${text} as value`, values);
  return rows[0]?.value as T;
}
const warn = (at: Date, max = 1000) => asService<number>('warn_inactive_accounts($1, $2)', [max, at]);
const suspend = (at: Date, max = 500) => asService<number>('suspend_inactive_accounts($1, $2)', [max, at]);
const seen = ({ id }: TestUser, at = START) =>
  database.admin.query('update auth.users set created_at = $2, last_sign_in_at = $2 where id = $1', [id, at]);

/** Sends what waits, as of that moment. @returns whom, and what about. */
async function sendMails(at: Date, outcome = 'sent'): Promise<string[]> {
  const { rows } = await queryAs<{ id: string; kind: string; email: string }>(
    database,
    'service_role',
    'select id, kind, email from claim_account_mails(100)',
  );
  for (const { id } of rows) {
    expect(await asService('begin_account_mail($1)', [id])).toBe(true);
    await asService('finish_account_mail($1, $2)', [id, outcome]);
    await database.admin.query('update private.account_mails set finished_at = $2 where id = $1', [id, at]);
  }
  return rows.map(({ kind, email }) => `${kind} ${email}`).sort();
}

/** @param count how many people have not been seen since day 0. */
async function suspendAfterWarnings(count: number): Promise<void> {
  for (const [at, step] of [
    [336, warn],
    [359, warn],
    [367, suspend],
  ] as const) {
    expect(await step(day(at))).toBe(count);
    await sendMails(day(at));
  }
}

/** Until it is let go, a suspension that has begun to look for those who were warned gets no further: others may act in between. */
async function holdChoice() {
  const { admin } = database;
  const { rows } = await admin.query<{ text: string }>(
    `select rtrim(pg_get_viewdef('private.told_warnings'), ';') as text`,
  );
  const view = rows[0]?.text ?? '';
  const define = (text: string) => admin.query(`create or replace view private.told_warnings as ${text}`);
  await admin.query(`create function private.wait_to_be_let_go() returns boolean language plpgsql volatile
    as $$ begin perform pg_advisory_xact_lock_shared(1); return true; end $$`);
  await define(`select w.* from (${view}) as w where private.wait_to_be_let_go()`);
  const holder = await admin.connect();
  await holder.query('begin; select pg_advisory_xact_lock(1)');
  const letGo = () => holder.query('commit');
  onTestFinished(async () => {
    await letGo();
    holder.release();
    await define(view);
    await admin.query('drop function private.wait_to_be_let_go()');
  });
  const WAITING = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
  const countWaiting = async () => (await admin.query(WAITING)).rowCount;
  return { letGo, reached: () => expect.poll(countWaiting).toBe(1) };
}

describe('twelve months without sign-in', () => {
  test('two warnings, thirty and seven days before, then the account rests; signing in lifts it', async () => {
    const { owner, categoryId, folderId } = await createLibrary(database, {
      plan: 'plus',
      email: 'ana@a.br',
    });
    const publicId = await createCategory(database, owner, folderId, 'Aberta');
    await queryAs(database, owner, `select save_sharing($1, false, '{bia@b.br}')`, [categoryId]);
    await queryAs(database, owner, `select save_sharing($1, true, '{}')`, [publicId]);
    await setPlan(database.admin, owner.id, 'free');
    await seen(owner);

    expect(await warn(day(334))).toBe(0);
    expect(await warn(day(336))).toBe(1);
    expect(await warn(day(336))).toBe(0);
    expect(await sendMails(day(336))).toEqual(['inactive_first ana@a.br']);
    expect(await warn(day(357))).toBe(0);
    expect(await warn(day(359))).toBe(1);
    expect(await sendMails(day(359))).toEqual(['inactive_second ana@a.br']);
    expect(await suspend(day(365))).toBe(0);
    expect(
      (await queryAs(database, 'anon', 'select * from shared_category($1)', [publicId])).rows,
    ).toHaveLength(1);
    expect(await suspend(day(367))).toBe(1);
    expect(await suspend(day(368))).toBe(0);
    expect(await sendMails(day(367))).toEqual(['suspended ana@a.br']);
    expect(await warn(day(400))).toBe(0);

    expect((await queryAs(database, 'anon', 'select * from shared_category($1)', [publicId])).rows).toEqual(
      [],
    );
    expect((await database.admin.query('select from shared_with')).rowCount).toBe(0);
    expect((await database.admin.query('select from links')).rowCount).toBe(1);

    // On a plan that could not share anew.
    await seen(owner, day(500));
    expect(
      (await queryAs(database, 'anon', 'select * from shared_category($1)', [publicId])).rows,
    ).toHaveLength(1);
    expect((await database.admin.query('select email from shared_with')).rows).toEqual([
      { email: 'bia@b.br' },
    ]);
    expect((await database.admin.query('select from private.shares_at_rest')).rowCount).toBe(0);
    const { rows } = await database.admin.query('select reason, is_notice_due from private.account_closures');
    expect(rows).toEqual([{ reason: 'inactivity', is_notice_due: true }]);
    expect(await warn(day(501))).toBe(0);
    expect(
      (await database.admin.query('select from private.share_notifications where started_at is not null'))
        .rowCount,
    ).toBe(0);
  });

  test('who comes back is shared again alone: what is at rest of others waits for them', async () => {
    const [ana, bia] = [
      await createLibrary(database, { plan: 'plus' }),
      await createLibrary(database, { plan: 'plus' }),
    ];
    for (const { owner, categoryId } of [ana, bia]) {
      await queryAs(database, owner, `select save_sharing($1, false, '{caio@c.br}')`, [categoryId]);
      await setPlan(database.admin, owner.id, 'free');
      await seen(owner);
    }
    await suspendAfterWarnings(2);
    const shared = async () =>
      (await database.admin.query('select category_id from shared_with')).rows.map((row) => row.category_id);
    await seen(ana.owner, day(500));
    expect(await shared()).toEqual([ana.categoryId]);
    await seen(bia.owner, day(501));
    expect((await shared()).toSorted()).toEqual([ana.categoryId, bia.categoryId].toSorted());
  });

  test('what was left at rest once keeps nobody from being suspended', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    await queryAs(database, owner, `select save_sharing($1, false, '{caio@c.br}')`, [categoryId]);
    await setPlan(database.admin, owner.id, 'free');
    await seen(owner);
    await database.admin.query(
      `insert into private.shares_at_rest (user_id, category_id, email, created_at)
       select $1, $2, email, now() from unnest('{caio@c.br,antes@c.br}'::text[]) email`,
      [owner.id, categoryId],
    );
    await suspendAfterWarnings(1);
    // What is shared now is what rests, and nothing that was shared before.
    expect((await database.admin.query('select email from private.shares_at_rest')).rows).toEqual([
      { email: 'caio@c.br' },
    ]);
  });

  test('a refreshed session counts as being there', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    await database.admin.query(
      `insert into auth.sessions (id, user_id, created_at, refreshed_at) values (gen_random_uuid(), $1, $2, $3)`,
      [user.id, START, day(200).toISOString().replace('Z', '')],
    );
    expect(await warn(day(400))).toBe(0);
    expect(await warn(day(536))).toBe(1);
  });

  test('nobody is suspended unwarned, however long they were away, nor before a week after the second mail', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    expect(await suspend(day(2000))).toBe(0);
    await warn(day(2000));
    expect(await suspend(day(2040))).toBe(0);
    // The mail server comes back after ten days.
    await sendMails(day(2010));
    expect(await warn(day(2032))).toBe(0);
    expect(await warn(day(2034))).toBe(1);
    await sendMails(day(2034));
    expect(await suspend(day(2040))).toBe(0);
    expect(await suspend(day(2042))).toBe(1);
  });

  test('a mail that could not be sent comes again, and goes once', async () => {
    const user = await createUser(database.admin, { email: 'ana@a.br' });
    await seen(user);
    await warn(day(336));
    expect(await sendMails(day(336), 'retry')).toEqual(['inactive_first ana@a.br']);
    expect(await sendMails(day(336))).toEqual([]);
    await database.admin.query(`update private.account_mails set next_attempt_at = now()`);
    expect(await sendMails(day(336))).toEqual(['inactive_first ana@a.br']);
    await database.admin.query(`update private.account_mails set next_attempt_at = now()`);
    expect(await sendMails(day(336))).toEqual([]);
  });

  test('a mail whose sender died in the act is not sent again', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    await warn(day(336));
    const id = await asService<string>('(select id from claim_account_mails(1))');
    expect(await asService('begin_account_mail($1)', [id])).toBe(true);
    expect(await asService('begin_account_mail($1)', [id])).toBe(false);
    await database.admin.query(`update private.account_mails set leased_until = now() - interval '1 s'`);
    expect(await sendMails(day(336))).toEqual([]);
    expect((await database.admin.query('select state from private.account_mails')).rows).toEqual([
      { state: 'sent' },
    ]);
  });

  test('who comes back after a warning gets no second one, and a mail still waiting is withdrawn', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    await warn(day(336));
    await seen(user, day(337));
    expect(await sendMails(day(337))).toEqual([]);
    expect(await warn(day(360))).toBe(0);
    expect(await suspend(day(500))).toBe(0);
    expect(await warn(day(337 + 336))).toBe(1);
  });

  test('who signs in at the very moment they are chosen for it is not suspended', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    for (const at of [336, 359]) {
      expect(await warn(day(at))).toBe(1);
      await sendMails(day(at));
    }
    const choice = await holdChoice();
    const suspending = suspend(day(367));
    await choice.reached();
    await seen(user, day(366));
    await choice.letGo();
    expect(await suspending).toBe(0);
    expect((await database.admin.query('select from private.account_closures')).rowCount).toBe(0);
    // It was the sign-in that kept them.
    await seen(user);
    expect(await suspend(day(367))).toBe(1);
  });

  test('who pays, who administers, who never confirmed and who is gone already are left alone', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => createUser(database.admin)));
    const [payer, administrator, unconfirmed, gone] = people as [TestUser, TestUser, TestUser, TestUser];
    for (const person of people) await seen(person);
    await setPlan(database.admin, payer.id, 'plus');
    await database.admin.query('update private.installation set admin_user_id = $1', [administrator.id]);
    await database.admin.query('update auth.users set email_confirmed_at = null where id = $1', [
      unconfirmed.id,
    ]);
    await asService('close_account($1)', [gone.id]);
    expect(await warn(day(400))).toBe(0);
    await database.admin.query('update private.installation set admin_user_id = null');
    expect(await warn(day(400))).toBe(1);
  });

  test('many are handled a batch at a time', async () => {
    await database.admin.query(
      `insert into auth.users (id, email, email_confirmed_at, created_at, last_sign_in_at)
       select gen_random_uuid(), n || '@a.br', $1, $1, $1 from generate_series(1, 250) n`,
      [START],
    );
    expect([await warn(day(336), 100), await warn(day(336), 100), await warn(day(336), 100)]).toEqual([
      100, 100, 50,
    ]);
    expect(await warn(day(336), 100)).toBe(0);
    await database.admin.query(`update private.account_mails set state = 'sent', finished_at = $1`, [
      day(336),
    ]);
    expect([await warn(day(360), 200), await warn(day(360), 200)]).toEqual([200, 50]);
    await database.admin.query(`update private.account_mails set state = 'sent', finished_at = $1`, [
      day(360),
    ]);
    expect([await suspend(day(370), 200), await suspend(day(370), 200), await suspend(day(370))]).toEqual([
      200, 50, 0,
    ]);
  });
});

describe('purging', () => {
  const begin = async (at: Date) =>
    (
      await queryAs<{ user_id: string; stripe_customer_id: string | null }>(
        database,
        'service_role',
        'select * from begin_account_purges(20, $1)',
        [at],
      )
    ).rows;
  const in31Days = () => new Date(Date.now() + 31 * DAY_MS);

  test('after thirty days nothing of the person is left in any table, and others keep theirs', async () => {
    const { owner, categoryId } = await createLibrary(database, {
      plan: 'plus',
      email: 'some@sumida.br',
      name: 'Marta Sumida',
    });
    const friend = await createLibrary(database, { plan: 'plus' });
    await queryAs(database, friend.owner, 'select save_sharing($1, false, $2)', [
      friend.categoryId,
      [owner.email, 'fica@a.br'],
    ]);
    await queryAs(database, owner, `select save_sharing($1, false, '{fica@a.br}')`, [categoryId]);
    await queryAs(database, 'service_role', 'select claim_share_notifications()');
    await queryAs(database, owner, `insert into folders (name) values ('Apagada')`);
    await queryAs(database, owner, `delete from folders where name = 'Apagada'`);
    await queryAs(database, 'service_role', `select claim_stripe_customer($1, 'cus_sumida')`, [owner.id]);
    await queryAs(database, 'service_role', `select begin_subscription_sync('cus_sumida')`);
    await queryAs(database, 'service_role', `select record_stripe_event('evt_1', 'x', 'cus_sumida', now())`);
    for (const text of [
      `insert into auth.identities (provider_id, user_id, identity_data, provider) values ($1::text, $1::text::uuid, '{"email":"some@sumida.br"}', 'email')`,
      `insert into auth.flow_state (id, user_id, provider_type, authentication_method) values (gen_random_uuid(), $1::text::uuid, 'x', 'x')`,
      `insert into auth.audit_log_entries (id, payload) values (gen_random_uuid(), json_build_object('actor_id', $1::text))`,
    ])
      await database.admin.query(text, [owner.id]);
    await asService('close_account($1)', [owner.id]);

    expect(await begin(new Date(Date.now() + 29.9 * DAY_MS))).toEqual([]);
    expect(await asService('purge_account($1)', [owner.id])).toBe(false);
    expect(await begin(in31Days())).toEqual([{ user_id: owner.id, stripe_customer_id: 'cus_sumida' }]);
    // The link, then what is in the bin, then the rest.
    expect(await asService('purge_account($1, 1)', [owner.id])).toBe(false);
    expect(await asService('purge_account($1, 1)', [owner.id])).toBe(false);
    expect(await asService('purge_account($1, 1)', [owner.id])).toBe(true);
    expect(await asService('purge_account($1, 1)', [owner.id])).toBe(true);
    expect(await begin(in31Days())).toEqual([]);

    expect(await findTraces([owner.id, 'some@sumida.br', 'Marta Sumida', 'cus_sumida'])).toEqual([]);
    const { rows } = await database.admin.query(
      'select (select count(*)::int from links) as links, (select count(*)::int from shared_with) as shares',
    );
    expect(rows).toEqual([{ links: 1, shares: 1 }]);
    const { rows: events } = await database.admin.query(
      'select event from private.account_events order by id desc limit 3',
    );
    expect(events.map(({ event }) => event)).toEqual(['purged', 'purge_started', 'deleted']);
  });

  test('whoever came back is not purged, and once it has begun nobody signs in and nothing comes back', async () => {
    const back = await createUser(database.admin);
    const late = await createUser(database.admin, { email: 'tarde@a.br' });
    for (const person of [back, late]) await asService('close_account($1)', [person.id]);
    await seen(back, new Date());
    expect(await begin(in31Days())).toMatchObject([{ user_id: late.id }]);
    const { rows } = await database.admin.query(
      'select email, encrypted_password from auth.users where id = $1',
      [late.id],
    );
    expect(rows).toEqual([{ email: null, encrypted_password: '' }]);
    await seen(late, new Date());
    // Begun and not finished: the next round takes it again.
    expect(await begin(in31Days())).toMatchObject([{ user_id: late.id }]);
    expect(await asService('purge_account($1)', [back.id])).toBe(false);
    expect(await asService('purge_account($1)', [late.id])).toBe(true);
    expect((await database.admin.query('select id from auth.users')).rows).toEqual([{ id: back.id }]);
  });

  test('a suspended account is never purged', async () => {
    const user = await createUser(database.admin);
    await seen(user);
    await suspendAfterWarnings(1);
    expect(await begin(day(5000))).toEqual([]);
  });

  test('whoever is gone for good is invited no more by an account that comes back from its rest', async () => {
    const { owner, categoryId } = await createLibrary(database, { plan: 'plus' });
    const leaver = await createUser(database.admin, { email: 'some@sumida.br' });
    await queryAs(database, owner, 'select save_sharing($1, false, $2)', [
      categoryId,
      [leaver.email, 'fica@a.br'],
    ]);
    await queryAs(database, owner, 'update folders set shared_with = $1', [[leaver.email, 'fica@a.br']]);
    await setPlan(database.admin, owner.id, 'free');
    await seen(owner);
    await seen(leaver, day(366));
    await suspendAfterWarnings(1);
    await asService('close_account($1)', [leaver.id]);
    expect(await begin(in31Days())).toMatchObject([{ user_id: leaver.id }]);
    expect(await asService('purge_account($1)', [leaver.id])).toBe(true);
    expect(await findTraces([leaver.email])).toEqual([]);
    await seen(owner, day(500));
    expect((await database.admin.query('select email from shared_with')).rows).toEqual([
      { email: 'fica@a.br' },
    ]);
  });

  test('waits for an owner who is coming back to the folders that name whoever goes, and the owner not for it', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    const { rows } = await queryAs<{ id: string }>(
      database,
      owner,
      `insert into folders (name) values ('A'), ('B') returning id`,
    );
    const folders = [folderId, ...rows.map(({ id }) => id)].toSorted();
    const leavers = [await createUser(database.admin), await createUser(database.admin)];
    // Who goes first is named in the last folder: without an order it is locked first.
    for (const [at, { id, email }] of leavers.entries()) {
      await database.admin.query('update folders set shared_with = array[$2] where id = $1', [
        folders.at(at === 0 ? -1 : 0),
        email,
      ]);
      await asService('close_account($1)', [id]);
    }
    const client = await database.admin.connect();
    const lock = (id = '') =>
      client.query('select from folders where id = $1 for no key update nowait', [id]);
    try {
      await client.query('begin');
      await lock(folders.at(0));
      const purging = begin(in31Days());
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await database.admin.query(waiting)).rowCount).toBe(1);
      await lock(folders.at(-1));
      await client.query('commit');
      expect((await purging).map(({ user_id }) => user_id)).toEqual(leavers.map(({ id }) => id));
    } finally {
      await client.query('rollback');
      client.release();
    }
    const named = await database.admin.query(`select from folders where shared_with <> '{}'`);
    expect(named.rowCount).toBe(0);
  });

  test('nothing of whoever is gone for good is left in a folder in somebody else’s bin, nor comes back with it', async () => {
    const { owner, folderId } = await createLibrary(database, { plan: 'plus' });
    const leaver = await createUser(database.admin, { email: 'some@sumida.br' });
    await queryAs(database, owner, 'update folders set shared_with = $1', [[leaver.email, 'fica@a.br']]);
    await queryAs(database, owner, 'delete from folders where id = $1', [folderId]);
    await asService('close_account($1)', [leaver.id]);
    expect(await begin(in31Days())).toMatchObject([{ user_id: leaver.id }]);
    expect(await asService('purge_account($1)', [leaver.id])).toBe(true);
    expect(await findTraces([leaver.email])).toEqual([]);
    await queryAs(database, owner, `select undo_deletion('folder', $1)`, [[folderId]]);
    expect((await database.admin.query('select shared_with from folders')).rows).toEqual([
      { shared_with: ['fica@a.br'] },
    ]);
  });
});

test('of many that ask for the daily round one has it, and one who died leaves it to another', async () => {
  const claim = (at: Date) => asService<boolean>('claim_account_upkeep($1)', [at]);
  const at = new Date(Date.now() + DAY_MS);
  const minutes = (count: number) => new Date(at.getTime() + count * 60_000);
  expect((await Promise.all([1, 2, 3].map(() => claim(at)))).filter(Boolean)).toHaveLength(1);
  expect(await claim(minutes(19))).toBe(false);
  expect(await claim(minutes(21))).toBe(true);
  await asService('finish_account_upkeep(1440, $1)', [minutes(22)]);
  expect(await claim(minutes(1400))).toBe(false);
  expect(await claim(minutes(1463))).toBe(true);
});

test('a clock that was 400 days ahead puts the next round off by an hour, not by 400 days', async () => {
  const claim = (at: Date) => asService<boolean>('claim_account_upkeep($1)', [at]);
  const at = new Date(Date.now() + 30 * DAY_MS);
  const ahead = new Date(at.getTime() + 400 * DAY_MS);
  expect(await claim(ahead)).toBe(true);
  await asService('finish_account_upkeep(60, $1)', [ahead]);
  expect((await Promise.all([1, 2].map(() => claim(at)))).filter(Boolean)).toHaveLength(1);
  await asService('finish_account_upkeep(60, $1)', [at]);
  expect(await claim(new Date(at.getTime() + 59 * 60_000))).toBe(false);
  expect(await claim(new Date(at.getTime() + 61 * 60_000))).toBe(true);
});

/** The tables where one of these words stands in some row. */
async function findTraces(words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await database.admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'realtime')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await database.admin.query(
      `select from ${name} t where exists (select from unnest($1::text[]) w where strpos(t::text, w) > 0)`,
      [words],
    );
    if (rowCount !== 0) found.push(name);
  }
  return found;
}
