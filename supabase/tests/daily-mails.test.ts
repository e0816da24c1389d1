import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DailyMails, type DueDailyMail, openDailyMails } from './support/daily-mails.ts';
import { inviteToFolder } from './support/share-folder.ts';

let database: ThrowawayDatabase;
let daily: DailyMails;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  daily = await openDailyMails(database);
});

describe('a daily mail', () => {
  beforeEach(() => daily.add(daily.library.owner, daily.library.categoryId, 'L'));

  test('goes from eight in the morning in São Paulo on, once a day', async () => {
    expect(await daily.send(await daily.at(1, '07:59'))).toEqual([]);
    expect(await daily.send(await daily.at(1))).toEqual([daily.ana.email]);
    await database.admin.query(`update private.daily_mails set told_until = now() - interval '1 hour'`);
    for (const [days, time] of [
      [1, '08:01'],
      [1, '23:59'],
      [2, '00:30'],
      [2, '07:59'],
    ] as const)
      expect(await daily.send(await daily.at(days, time))).toEqual([]);
    expect(await daily.send(await daily.at(2))).toEqual([daily.ana.email]);
  });

  test('goes the next morning when it goes late in the evening', async () => {
    expect(await daily.send(await daily.at(1, '23:59'))).toEqual([daily.ana.email]);
    await database.admin.query(`update private.daily_mails set told_until = now() - interval '1 hour'`);
    expect(await daily.send(await daily.at(2))).toEqual([daily.ana.email]);
  });

  test('is claimed by one of two at once', async () => {
    const moment = await daily.at(1);
    const claimed = await Promise.all([daily.claim(moment), daily.claim(moment), daily.claim(moment)]);
    expect(claimed.flat()).toHaveLength(1);
  });

  test('begins once, and is not told twice when nobody knows what became of it', async () => {
    const moment = await daily.at(1);
    const [mail] = await daily.claim(moment);
    expect([await daily.begin(mail?.id, moment), await daily.begin(mail?.id, moment)]).toEqual([true, false]);
    expect(await daily.claim(await daily.at(1, '08:04'))).toEqual([]);
    expect(await daily.claim(await daily.at(1, '08:06'))).toEqual([]);
    expect(await daily.finish(mail?.id, 'retry', await daily.at(1, '08:07'))).toBe(false);
    const { rows } = await database.admin.query(
      'select due_at, next_attempt_at, attempts from private.daily_mails',
    );
    expect(rows).toEqual([{ due_at: await daily.at(2), next_attempt_at: await daily.at(2), attempts: 0 }]);
    expect(await daily.claim(await daily.at(2))).toEqual([]);
  });

  test('is claimed anew when whoever claimed it died before it began', async () => {
    const [mail] = await daily.claim(await daily.at(1));
    expect(await daily.begin(mail?.id, await daily.at(1, '08:06'))).toBe(false);
    const [anew] = await daily.claim(await daily.at(1, '08:06'));
    expect(anew).toEqual(mail);
    const { rows } = await database.admin.query('select due_at, attempts from private.daily_mails');
    expect(rows).toEqual([{ due_at: await daily.at(1), attempts: 2 }]);
    expect(await daily.begin(mail?.id, await daily.at(1, '08:06'))).toBe(true);
  });

  test('does not begin when it is not what may be read any more, and is made anew', async () => {
    const moment = await daily.at(1);
    const [mail] = await daily.claim(moment);
    await daily.run(daily.library.owner, `update links set title = 'Outro' where title = 'L1'`);
    expect(await daily.begin(mail?.id, moment)).toBe(false);
    const [anew] = await daily.claim(moment);
    expect(anew?.news.shown[0]?.links).toMatchObject([{ title: 'Outro' }]);
    await daily.run(daily.library.owner, 'delete from folder_members where email = $1', daily.ana.email);
    expect(await daily.begin(anew?.id, moment)).toBe(false);
    expect(await daily.claim(moment)).toEqual([]);
  });

  test.each([
    ['unsubscribed', `update private.daily_mails set unsubscribed_at = now() where user_id = $1`],
    ['switched off', `delete from private.daily_mails where user_id = $1`],
    ['at another address', `update auth.users set email = 'outra-' || email where id = $1`],
  ])('does not begin to whoever is %s meanwhile', async (_what, change) => {
    const moment = await daily.at(1);
    const [mail] = await daily.claim(moment);
    await database.admin.query(change, [daily.ana.id]);
    expect(await daily.begin(mail?.id, moment)).toBe(false);
  });

  test('that the mail server put off goes later under its id, not before eight; what has come since is of the next morning', async () => {
    const evening = await daily.at(1, '23:59');
    const [mail] = await daily.claim(evening);
    await daily.begin(mail?.id, evening);
    expect(await daily.finish(mail?.id, 'retry', evening)).toBe(true);
    expect(await daily.claim(await daily.at(2, '07:59'))).toEqual([]);
    const [again] = await daily.claim(await daily.at(2));
    expect(again).toEqual(mail);
    await daily.begin(again?.id, await daily.at(2));
    expect(await daily.finish(again?.id, 'retry', await daily.at(2))).toBe(true);
    expect(await daily.finish(again?.id, 'sent', await daily.at(2))).toBe(false);
    expect(await daily.claim(await daily.at(2, '08:01'))).toEqual([]);
    await database.admin.query('update private.daily_mails set window_end = clock_timestamp()');
    await daily.add(daily.library.owner, daily.library.categoryId, 'M');
    const [later] = await daily.claim(await daily.at(2, '08:02'));
    expect(later).toEqual(mail);
    await daily.begin(later?.id, await daily.at(2, '08:02'));
    expect(await daily.finish(later?.id, 'refused', await daily.at(2, '08:02'))).toBe(true);
    const [next] = await daily.claim(await daily.at(3));
    expect(next?.id).not.toBe(mail?.id);
    expect(next?.news).toMatchObject({ added: 1, shown: [{ links: [{ title: 'M1' }] }] });
  });

  test('that was put off and tells of nothing any more is none', async () => {
    const moment = await daily.at(1);
    const [mail] = await daily.claim(moment);
    await daily.begin(mail?.id, moment);
    await daily.finish(mail?.id, 'retry', moment);
    await daily.run(daily.library.owner, `delete from links where title = 'L1'`);
    expect(await daily.claim(await daily.at(1, '08:02'))).toEqual([]);
    const { rows } = await database.admin.query('select mail_id, attempts from private.daily_mails');
    expect(rows).toEqual([{ mail_id: null, attempts: 0 }]);
  });

  test('is its receiver’s alone: of two each has a key, a beginning and an outcome', async () => {
    const bia = await createUser(database.admin);
    await inviteToFolder(database, daily.library.owner, daily.library.folderId, bia.email, 'viewer');
    await daily.turn(bia, true);
    await daily.add(daily.library.owner, daily.library.categoryId, 'M');
    const moment = await daily.at(1);
    const mails = await daily.claim(moment);
    const ofAna = mails.find(({ email }) => email === daily.ana.email);
    const ofBia = mails.find(({ email }) => email === bia.email);
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map((mail) => mail.unsubscribe_token)).size).toBe(2);
    expect(await daily.begin(ofAna?.id, moment)).toBe(true);
    expect(await daily.finish(ofAna?.id, 'sent', moment)).toBe(true);
    expect(await daily.begin(ofBia?.id, moment)).toBe(true);
    await daily.value('service_role', 'unsubscribe_daily_mail($1, true)', ofBia?.unsubscribe_token);
    expect([await daily.isOn(daily.ana), await daily.isOn(bia)]).toEqual([true, false]);
    await daily.turn(daily.ana, false);
    const { rows } = await database.admin.query('select user_id from private.daily_mails');
    expect(rows).toEqual([{ user_id: bia.id }]);
  });

  test.each([
    'mail_id = gen_random_uuid()',
    'window_end = now()',
    `leased_until = now(), content_hash = ''`,
    `mail_id = gen_random_uuid(), window_end = now(), leased_until = now()`,
    'started_at = now()',
  ])('is nothing by halves: %s', async (change) => {
    await expect(database.admin.query(`update private.daily_mails set ${change}`)).rejects.toMatchObject({
      code: '23514',
    });
  });

  test('has an outcome that is known', async () => {
    await expect(daily.finish(daily.ana.id, 'lost', new Date())).rejects.toMatchObject({ code: 'PT400' });
    expect(await daily.finish(daily.ana.id, 'sent', new Date())).toBe(false);
  });

  test('is claimed as often as is asked, and of many people a hundred are looked at', async () => {
    await database.admin.query(
      `with made as (
         insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, created_at, updated_at)
         select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
           gen_random_uuid() || '@m.br', now(), now(), now() from generate_series(1, 120) returning id
       )
       insert into private.daily_mails (user_id, due_at, next_attempt_at) select id, now(), now() from made`,
    );
    const moment = await daily.at(1);
    const waiting = async () =>
      (
        await database.admin.query<{ waiting: number }>(
          'select count(*)::int as waiting from private.daily_mails where next_attempt_at <= $1',
          [moment],
        )
      ).rows[0]?.waiting;
    expect(await daily.claim(moment, 0)).toEqual([]);
    expect(await waiting()).toBe(121);
    expect(await daily.claim(moment)).toEqual([]);
    // Fewer where the machine is slow: two seconds are enough for one call.
    expect(await waiting()).toBeGreaterThanOrEqual(21);
    let mails: readonly DueDailyMail[] = [];
    while (mails.length === 0 && Number(await waiting()) > 0) mails = await daily.claim(moment, 1);
    expect(mails.map(({ email }) => email)).toEqual([daily.ana.email]);
  });

  test('is asked for by an index', async () => {
    const client = await database.admin.connect();
    try {
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query<Record<'QUERY PLAN', string>>(
        `explain select from private.daily_mails d where d.unsubscribed_at is null and d.next_attempt_at <= now()`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('daily_mails_due');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('leaves nobody’s claims on the connection that it was asked on', async () => {
    const client = await database.admin.connect();
    try {
      const { rows } = await client.query('select from claim_daily_mails(10, $1)', [await daily.at(1)]);
      expect(rows).toHaveLength(1);
      const after = await client.query(
        `select coalesce(current_setting('request.jwt.claims', true), '') as claims, auth.uid() as person`,
      );
      expect(after.rows).toEqual([{ claims: '', person: null }]);
    } finally {
      client.release();
    }
  });

  test('leaves the caller’s claims as they were', async () => {
    const moment = await daily.at(1);
    const { rows } = await daily.run(
      'service_role',
      `select count(*)::int as mails, max(auth.role()) as role, max(auth.uid()::text) as person from claim_daily_mails(10, $1)`,
      moment,
    );
    expect(rows).toEqual([{ mails: 1, role: 'service_role', person: null }]);
  });
});
