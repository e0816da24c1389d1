import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLibrary, type Library } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let library: Library;

beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('truncate private.share_notifications, private.share_mail_addresses');
  library = await createLibrary(database, { plan: 'pro', name: 'Marta' });
});

type Claimed = { readonly id: string; readonly email: string; readonly unsubscribe_token: string };

const write = (text: string, values: readonly unknown[] = []) => database.admin.query(text, [...values]);
const ask = async <T>(call: string, values: readonly unknown[] = []): Promise<T | undefined> =>
  (await queryAs<{ answer: T }>(database, 'service_role', `select ${call} as answer`, values)).rows[0]
    ?.answer;
const claim = async (max: number | null = 100) =>
  (await queryAs<Claimed>(database, 'service_role', 'select * from claim_share_notifications($1)', [max]))
    .rows;
const invite = (emails: readonly string[], { owner, categoryId } = library) =>
  queryAs(database, owner, 'select save_sharing($1, false, $2)', [categoryId, emails]);

/** What is kept of the mail to an address, moments as whether there are any. */
const readMail = async (email: string) => {
  const { rows } = await write(
    `select state, attempts, leased_until is not null as is_leased, claimed_at is not null as is_claimed,
       started_at is not null as is_started, sent_at is not null as is_sent
     from private.share_notifications where email = $1`,
    [email],
  );
  return rows[0];
};
const WAITING = {
  state: 'waiting',
  attempts: 0,
  is_leased: false,
  is_claimed: false,
  is_started: false,
  is_sent: false,
};

describe('what becomes of a mail', () => {
  const two = async () => {
    await invite(['ana@a.br', 'bia@a.br']);
    const claimed = await claim();
    const idOf = (email: string) => claimed.find((one) => one.email === email)?.id;
    return { ana: idOf('ana@a.br'), bia: idOf('bia@a.br') };
  };
  const CLAIMED = { ...WAITING, state: 'sending', attempts: 1, is_leased: true, is_claimed: true };

  test('is written down step by step, and of its neighbour nothing', async () => {
    const { ana } = await two();
    expect(await readMail('ana@a.br')).toEqual(CLAIMED);
    await ask('begin_share_notification($1)', [ana]);
    expect(await readMail('ana@a.br')).toEqual({ ...CLAIMED, is_started: true });
    expect(await ask('finish_share_notification($1, $2)', [ana, 'sent'])).toBe(true);
    expect(await readMail('ana@a.br')).toEqual({
      ...CLAIMED,
      state: 'sent',
      is_leased: false,
      is_started: true,
      is_sent: true,
    });
    expect(await readMail('bia@a.br')).toEqual(CLAIMED);
  });

  test('that is refused was not sent; one to try again is as if it never began, but for the attempt', async () => {
    const { ana, bia } = await two();
    await ask('begin_share_notification($1)', [ana]);
    await ask('begin_share_notification($1)', [bia]);
    await ask('finish_share_notification($1, $2)', [ana, 'refused']);
    await ask('finish_share_notification($1, $2)', [bia, 'retry']);
    expect(await readMail('ana@a.br')).toEqual({
      ...CLAIMED,
      state: 'refused',
      is_leased: false,
      is_started: true,
    });
    expect(await readMail('bia@a.br')).toEqual({ ...WAITING, attempts: 1 });
  });

  test('that was revoked after its claim: it waits, and the attempt does not count', async () => {
    const { ana } = await two();
    await invite(['bia@a.br']);
    expect(await ask('begin_share_notification($1)', [ana])).toBe(false);
    expect(await readMail('ana@a.br')).toEqual(WAITING);
    expect(await readMail('bia@a.br')).toEqual(CLAIMED);
  });

  test('whose lease has run out begins no more, and neither does one nobody knows', async () => {
    const { ana, bia } = await two();
    await write(
      `update private.share_notifications set leased_until = now() - interval '1 second' where id = $1`,
      [ana],
    );
    expect(await ask('begin_share_notification($1)', [ana])).toBe(false);
    expect(await readMail('ana@a.br')).toEqual(CLAIMED);
    expect(await ask('begin_share_notification(gen_random_uuid())')).toBe(false);
    expect(await ask('begin_share_notification($1)', [bia])).toBe(true);
  });

  test.each(['gone', '', null])('is not %j: refused as a whole', async (outcome) => {
    const { ana } = await two();
    expect(
      await readOutcome(database, 'service_role', 'select finish_share_notification($1, $2)', [ana, outcome]),
    ).toEqual({ code: 'PT400' });
    expect(await readMail('ana@a.br')).toEqual(CLAIMED);
  });

  test('waits longer each time, and never longer than six hours', async () => {
    const { rows } = await write(
      `select extract(epoch from private.share_notification_retry(n)) / 60 as minutes from unnest(array[0, 1, 2, 3, 8, 9, 10, 11, 1000]) n`,
    );
    expect(rows.map(({ minutes }) => Number(minutes))).toEqual([1, 2, 4, 8, 256, 360, 360, 360, 360]);
  });
});

describe('how many are claimed', () => {
  test('is what was asked for, ten where nothing was, and a hundred at most', async () => {
    for (let n = 0; n < 5; n += 1) {
      const other = await createLibrary(database, { plan: 'pro' });
      await invite(
        Array.from({ length: 23 }, (_, m) => `p${n}-${m}@exemplo.com.br`),
        other,
      );
    }
    const back = () => write(`update private.share_notifications set state = 'waiting', claimed_at = null`);
    for (const [max, count] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [null, 10],
      [100, 100],
      [101, 100],
    ] as const) {
      expect(await claim(max), `${max}`).toHaveLength(count);
      await back();
    }
  });

  test('takes turns between senders, the longest waiting first', async () => {
    const other = await createLibrary(database, { plan: 'pro' });
    await invite(['a1@a.br', 'a2@a.br', 'a3@a.br']);
    await invite(['b1@a.br', 'b2@a.br'], other);
    await write(
      `update private.share_notifications n set next_attempt_at = now() - m.minutes * interval '1 minute'
       from (values ('a1@a.br', 9), ('a2@a.br', 8), ('a3@a.br', 7), ('b1@a.br', 3), ('b2@a.br', 2)) m (email, minutes)
       where n.email = m.email`,
    );
    const turns: string[] = [];
    for (let n = 0; n < 5; n += 1) turns.push(...(await claim(1)).map(({ email }) => email));
    expect(turns.toSorted()).toEqual(['a1@a.br', 'a2@a.br', 'a3@a.br', 'b1@a.br', 'b2@a.br']);
    await write(`update private.share_notifications set state = 'waiting', claimed_at = null`);
    expect((await claim(2)).map(({ email }) => email).toSorted()).toEqual(['a1@a.br', 'b1@a.br']);
  });
});

describe('what is old', () => {
  const age = (email: string, state: string, interval: string, more = '') =>
    write(
      `update private.share_notifications set state = $2, queued_at = now() - $3::interval ${more} where email = $1`,
      [email, state, interval],
    );

  test('expires after a week of waiting, and is forgotten after thirty days', async () => {
    await invite(['a@a.br', 'b@a.br', 'c@a.br', 'd@a.br', 'e@a.br']);
    await age('a@a.br', 'waiting', '7 days 1 hour');
    await age('b@a.br', 'waiting', '6 days 23 hours');
    await age('c@a.br', 'sent', '29 days 23 hours');
    await age('d@a.br', 'sent', '30 days 1 hour');
    await age('e@a.br', 'refused', '8 days');
    await claim(0);
    const states = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => readMail(`${name}@a.br`)));
    expect(states.map((mail) => mail?.state)).toEqual(['expired', 'waiting', 'sent', undefined, 'refused']);
  });

  test('is not claimed anew where it began, and is where it did not; a lease that runs goes on', async () => {
    await invite(['a@a.br', 'b@a.br', 'c@a.br']);
    await claim();
    const lease = (email: string, until: string, started: string) =>
      write(
        `update private.share_notifications set leased_until = now() + $2::interval, started_at = ${started} where email = $1`,
        [email, until],
      );
    await lease('a@a.br', '-1 second', 'now()');
    await lease('b@a.br', '-1 second', 'null');
    await lease('c@a.br', '4 minutes', 'now()');
    await claim(0);
    expect(await readMail('a@a.br')).toMatchObject({ state: 'sent', is_leased: false });
    expect(await readMail('b@a.br')).toMatchObject({ state: 'waiting', is_leased: false });
    expect(await readMail('c@a.br')).toMatchObject({ state: 'sending', is_leased: true });
  });
});

describe('who wants no more mail', () => {
  const readWish = async (email: string) => {
    const { rows } = await write(
      'select unsubscribed_at from private.share_mail_addresses where email = $1',
      [email],
    );
    return rows[0]?.unsubscribed_at ?? null;
  };

  test('says so for themselves alone, and taking it back takes back nobody else’s', async () => {
    await invite(['ana@a.br', 'bia@a.br', 'caio@a.br']);
    const claimed = await claim();
    const wish = (email: string, stop: boolean | null) =>
      ask('unsubscribe_share_mail($1, $2)', [
        claimed.find((one) => one.email === email)?.unsubscribe_token,
        stop,
      ]);
    await wish('ana@a.br', true);
    expect([await readWish('bia@a.br'), await readWish('caio@a.br')]).toEqual([null, null]);
    await wish('bia@a.br', null);
    expect(await readWish('bia@a.br')).not.toBeNull();
    await wish('ana@a.br', false);
    expect(await readWish('ana@a.br')).toBeNull();
    expect(await readWish('bia@a.br')).not.toBeNull();
  });

  test('keeps the moment in which they first said so', async () => {
    await invite(['ana@a.br']);
    const [claimed] = await claim();
    await ask('unsubscribe_share_mail($1)', [claimed?.unsubscribe_token]);
    const first = await readWish('ana@a.br');
    await ask('unsubscribe_share_mail($1)', [claimed?.unsubscribe_token]);
    expect(await readWish('ana@a.br')).toEqual(first);
  });
});
