import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs } from '@linkoteca/test-kit/query-as';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readOutcome } from './support/read-outcome.ts';
import { openWebhooks } from './support/webhooks.ts';

let database: ThrowawayDatabase;
let hooks: ReturnType<typeof openWebhooks>;
let owner: TestUser;
let webhookId: string;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  hooks = openWebhooks(database);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.admin.query('delete from auth.users');
  owner = await createUser(database.admin, { plan: 'plus' });
  ({ id: webhookId } = await hooks.create(owner));
});

/** Events as a change would queue them, by what they are about. */
async function queue(...subjects: string[]) {
  for (const subject of subjects)
    await database.admin.query(`select private.queue_webhook_event($1, 'link.created', $2, '{}')`, [
      owner.id,
      subject,
    ]);
}
const subjectOf = async (deliveryId: string | undefined) =>
  (await database.admin.query('select subject from private.webhook_deliveries where id = $1', [deliveryId]))
    .rows[0]?.subject as string | undefined;
const log = async () =>
  (
    await queryAs<Record<string, unknown>>(database, owner, 'select * from list_webhook_deliveries($1)', [
      webhookId,
    ])
  ).rows;
const hook = async () =>
  (await queryAs<Record<string, unknown>>(database, owner, 'select * from list_webhooks()')).rows[0] ?? {};
/** Takes the next and notes what became of it, however long it has to be waited for. */
async function send(outcome = 'delivered', status: number | null = 200) {
  await hooks.waitUntilDue(webhookId);
  const [taken] = await hooks.take();
  if (!taken) return undefined;
  await hooks.note(taken.delivery_id, outcome, status);
  return await subjectOf(taken.delivery_id);
}
const fail = () => send('refused', 500);

describe('deliveries', () => {
  test('are taken in order, one of a webhook at a time, and no more once they arrived', async () => {
    await queue('a', 'b');
    const [first, ...others] = await hooks.take();
    expect(others).toEqual([]);
    expect(await subjectOf(first?.delivery_id)).toBe('a');
    expect(await hooks.take()).toEqual([]);
    await hooks.note(String(first?.delivery_id), 'delivered', 204);
    expect(await send()).toBe('b');
    expect(await send()).toBeUndefined();
    expect(await log()).toMatchObject([
      { subject: 'b', state: 'delivered', attempts: 1, status: 200, next_at: null },
      { subject: 'a', state: 'delivered', attempts: 1, status: 204, next_at: null },
    ]);
    expect(await hook()).toMatchObject({ waiting: '0', delivered_at: expect.any(Date), failing_since: null });
  });

  test('of many webhooks are taken side by side, those first that have waited longest', async () => {
    const other = await hooks.create(owner, 'https://dois.exemplo.com.br/');
    await queue('a');
    await hooks.age(other.id, '1 hour');
    const [first] = await hooks.take(1);
    expect(first?.url).toBe('https://dois.exemplo.com.br/');
    expect(await hooks.take()).toHaveLength(1);
  });

  test('that nobody came back from are taken again after a minute, under the same id', async () => {
    await queue('a');
    const [first] = await hooks.take();
    await hooks.age(webhookId, '45 seconds');
    expect(await hooks.take()).toEqual([]);
    await hooks.age(webhookId, '16 seconds');
    expect(await hooks.take()).toEqual([first]);
  });

  test('that are noted twice, by whoever was given up, count once', async () => {
    await queue('a');
    const [first] = await hooks.take();
    await hooks.note(String(first?.delivery_id), 'delivered', 200);
    await hooks.note(String(first?.delivery_id), 'timeout');
    expect(await log()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });
});

describe('a failure', () => {
  test('is tried again with growing pauses, and what comes after it waits', async () => {
    await queue('a', 'b');
    const pauses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      expect(await fail()).toBe('a');
      const [next] = (await log()).filter(({ subject }) => subject === 'a');
      pauses.push(Math.round((Number(next?.['next_at']) - Number(next?.['attempted_at'])) / 1000));
    }
    expect(pauses).toEqual([5, 30, 120]);
    expect(await hook()).toMatchObject({ failing_since: expect.any(Date), waiting: '2' });
    await hooks.age(webhookId, '3 minutes');
    expect(await send()).toBe('a');
    expect(await send()).toBe('b');
  });

  test('of one event alone holds the others up four times, no longer', async () => {
    await queue('poison', 'b', 'c');
    for (let n = 0; n < 4; n += 1) {
      expect(await fail()).toBe('poison');
      await hooks.age(webhookId, '5 minutes');
    }
    await hooks.age(webhookId, '6 minutes');
    expect(await send()).toBe('b');
    expect(await send()).toBe('c');
    expect(await fail()).toBe('poison');
  });

  test('of one event alone holds up nothing that happens later, nor what its owner sends again', async () => {
    await queue('poison', 'good');
    for (let n = 0; n < 4; n += 1) expect(await fail()).toBe('poison');
    expect(await send()).toBe('good');
    // The poison alone waits now, for a long pause of its own.
    const next = async () => {
      await hooks.age(webhookId, '1 second');
      const [taken] = await hooks.take();
      if (taken) await hooks.note(taken.delivery_id, 'delivered', 200);
      return await subjectOf(taken?.delivery_id);
    };
    await queue('later');
    expect(await next()).toBe('later');
    const sent = (await log()).find(({ subject }) => subject === 'good');
    await queryAs(database, owner, 'select resend_webhook_delivery($1)', [sent?.['id']]);
    expect(await next()).toBe('good');
  });

  test('lets what happens meanwhile wait until the receiver may be asked, and is not sent twice at once', async () => {
    await queue('a');
    await fail();
    await queue('b');
    expect(await hooks.take()).toEqual([]);
    await hooks.waitUntilDue(webhookId);
    expect(await hooks.take()).toHaveLength(1);
    await queue('c');
    expect(await hooks.take()).toEqual([]);
  });

  test('of the receiver as a whole costs fewer attempts the longer it lasts, and then everything comes in order', async () => {
    await queue('a', 'b', 'c');
    let attempts = 0;
    for (let hour = 0; hour < 48; hour += 1) {
      for (const { delivery_id } of await hooks.take()) {
        await hooks.note(delivery_id, 'unreachable');
        attempts += 1;
      }
      await hooks.age(webhookId, '1 hour');
    }
    expect(attempts).toBeGreaterThan(8);
    expect(attempts).toBeLessThan(20);
    await hooks.age(webhookId, '7 hours');
    const order = [await send(), await send(), await send()];
    // The one that was tried when it came back, then those before it and after it.
    expect(order.slice(1)).toEqual(['a', 'b', 'c'].filter((subject) => subject !== order[0]));
  });

  test('that says when to come again is believed, up to an hour', async () => {
    await queue('a');
    const [first] = await hooks.take();
    await hooks.note(String(first?.delivery_id), 'refused', 429, 900);
    await hooks.age(webhookId, '14 minutes');
    expect(await hooks.take()).toEqual([]);
    await hooks.age(webhookId, '2 minutes');
    const [second] = await hooks.take();
    await hooks.note(String(second?.delivery_id), 'refused', 503, 1_000_000);
    await hooks.age(webhookId, '61 minutes');
    expect(await hooks.take()).toHaveLength(1);
  });

  test('for three days without a success turns the webhook off, and a mail says so', async () => {
    await queue('a');
    await fail();
    await hooks.age(webhookId, '71 hours');
    await fail();
    expect(await hook()).toMatchObject({ off_reason: null });
    await hooks.age(webhookId, '2 hours');
    await fail();
    expect(await hook()).toMatchObject({ off_reason: 'failing', off_at: expect.any(Date) });
    expect(await log()).toMatchObject([{ subject: 'a', state: 'failed' }]);
    expect(await hooks.take()).toEqual([]);
    const { rows } = await queryAs(
      database,
      'service_role',
      'select kind, email from claim_account_mails(10)',
    );
    expect(rows).toEqual([{ kind: 'webhook_off', email: owner.email }]);
  });

  test('of one event for three days ends that event, and the webhook goes on', async () => {
    await queue('poison');
    for (let day = 0; day < 4; day += 1) {
      // As a receiver that likes all but one.
      for (let n = 0; n < 6; n += 1) {
        await queue('good');
        await hooks.waitUntilDue(webhookId);
        for (const { delivery_id } of await hooks.take())
          await hooks.note(
            delivery_id,
            (await subjectOf(delivery_id)) === 'poison' ? 'refused' : 'delivered',
            200,
          );
      }
      await hooks.age(webhookId, '1 day');
    }
    expect(await hook()).toMatchObject({ off_reason: null });
    const poison = (await hooks.deliveries(webhookId)).filter(({ subject }) => subject === 'poison');
    expect(poison).toMatchObject([{ state: 'failed' }]);
  });

  test('of what is sent again, or waits at a webhook that is turned on again, is borne for three days anew', async () => {
    const change = (enabled: boolean) =>
      queryAs(database, owner, 'select change_webhook($1, $2, $3, $4)', [
        webhookId,
        'https://recebe.exemplo.com.br/linkoteca',
        ['link.created'],
        enabled,
      ]);
    await queue('a');
    await hooks.age(webhookId, '73 hours');
    await fail();
    const [failed] = await log();
    expect(failed).toMatchObject({ subject: 'a', state: 'failed' });
    await queryAs(database, owner, 'select resend_webhook_delivery($1)', [failed?.['id']]);
    expect(await fail()).toBe('a');
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
    await change(false);
    await hooks.age(webhookId, '73 hours');
    await change(true);
    expect(await fail()).toBe('a');
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: 2 }]);
  });

  test('410 turns it off at once', async () => {
    await queue('a');
    await send('refused', 410);
    expect(await hook()).toMatchObject({ off_reason: 'gone' });
  });

  test('410 of an address that its owner has left meanwhile turns nothing off: what waits is sent to the new one', async () => {
    await queue('a');
    const [taken] = await hooks.take();
    const moved = 'https://mudou.exemplo.com.br/';
    await queryAs(database, owner, 'select change_webhook($1, $2, $3, true)', [
      webhookId,
      moved,
      ['link.created'],
    ]);
    expect(await hooks.note(String(taken?.delivery_id), 'refused', 410, 0, taken?.url)).toBe(false);
    expect(await hook()).toMatchObject({ off_reason: null, failing_since: null });
    await hooks.waitUntilDue(webhookId);
    expect((await hooks.take()).map(({ url }) => url)).toEqual([moved]);
    expect(await hooks.note(String(taken?.delivery_id), 'refused', 410, 0, moved)).toBe(true);
  });

  test('of an address that its owner has left meanwhile makes the new one wait for nothing, after however many', async () => {
    await queue('a');
    for (let n = 0; n < 5; n += 1) await fail();
    await hooks.waitUntilDue(webhookId);
    const [taken] = await hooks.take();
    const moved = 'https://mudou.exemplo.com.br/';
    await queryAs(database, owner, 'select change_webhook($1, $2, $3, true)', [
      webhookId,
      moved,
      ['link.created'],
    ]);
    await hooks.note(String(taken?.delivery_id), 'refused', 503, 3600, taken?.url);
    await hooks.age(webhookId, '1 second');
    expect((await hooks.take()).map(({ url }) => url)).toEqual([moved]);
  });

  test('before it was turned on again says nothing any more: what waits is sent', async () => {
    await queue('a');
    await send('refused', 410);
    await queryAs(database, owner, 'select change_webhook($1, $2, $3, true)', [
      webhookId,
      'https://mudou.exemplo.com.br/',
      ['link.created'],
    ]);
    expect(await hook()).toMatchObject({ off_reason: null, failing_since: null });
    expect(await send()).toBe('a');
  });

  test('at an address that was mended since says nothing any more: what waits is sent to the new one at once', async () => {
    await queue('a');
    for (let n = 0; n < 3; n += 1) await fail();
    const mended = 'https://mudou.exemplo.com.br/';
    await queryAs(database, owner, 'select change_webhook($1, $2, $3, true)', [
      webhookId,
      mended,
      ['link.created'],
    ]);
    expect(await hook()).toMatchObject({ off_reason: null, failing_since: null });
    expect((await hooks.take()).map(({ url }) => url)).toEqual([mended]);
  });
});

describe('the log', () => {
  test('has twenty a page, for thirty days', async () => {
    await queue(...Array.from({ length: 25 }, (_, n) => `${n}`));
    const first = await log();
    expect(first.map(({ subject }) => subject)).toEqual(Array.from({ length: 20 }, (_, n) => `${24 - n}`));
    const { rows: rest } = await queryAs(
      database,
      owner,
      'select subject from list_webhook_deliveries($1, $2)',
      [webhookId, first.at(-1)?.['number']],
    );
    expect(rest).toHaveLength(5);
    while ((await send()) !== undefined);
    await hooks.age(webhookId, '30 days');
    await queue('new');
    expect(await log()).toMatchObject([{ subject: 'new' }]);
    await queryAs(database, 'service_role', 'select private.purge_webhooks()');
    expect(await hooks.deliveries(webhookId)).toMatchObject([{ subject: 'new' }]);
  });

  test('keeps a thousand of a webhook, and all that waits', async () => {
    await database.admin.query(
      `insert into private.webhook_deliveries (webhook_id, message_id, type, body, state)
       select $1, 'msg_' || n, 'link.created', '{}', case when n % 2 = 0 then 'waiting' else 'delivered' end
       from generate_series(1, 2500) n`,
      [webhookId],
    );
    await queryAs(database, 'service_role', 'select private.purge_webhooks()');
    const { rows } = await database.admin.query(
      `select state, count(*)::int from private.webhook_deliveries group by state order by state`,
    );
    expect(rows).toEqual([
      { state: 'delivered', count: 500 },
      { state: 'waiting', count: 1250 },
    ]);
  });

  test('counts what is both old and too many once, so that whoever purges a part knows whether it was all', async () => {
    await database.admin.query(
      `insert into private.webhook_deliveries (webhook_id, message_id, type, body, state, created_at)
       select $1, 'msg_' || n, 'link.created', '{}', 'delivered', now() - interval '31 days' * (n <= 5)::int
       from generate_series(1, 1010) n`,
      [webhookId],
    );
    const purge = async () =>
      (await queryAs(database, 'service_role', 'select private.purge_webhooks(10) as purged')).rows[0];
    expect(await purge()).toEqual({ purged: 10 });
    expect(await purge()).toEqual({ purged: 0 });
  });

  test('of a quiet webhook is kept, however much a busy one has sent since', async () => {
    const quiet = await hooks.create(owner, 'https://dois.exemplo.com.br/');
    const deliver = (id: string, count: number) =>
      database.admin.query(
        `insert into private.webhook_deliveries (webhook_id, message_id, type, body, state)
         select $1, 'msg_' || n, 'link.created', '{}', 'delivered' from generate_series(1, $2::int) n`,
        [id, count],
      );
    await deliver(quiet.id, 3);
    await deliver(webhookId, 1_001);
    await queryAs(database, 'service_role', 'select private.purge_webhooks()');
    expect(await hooks.deliveries(quiet.id)).toHaveLength(3);
    expect(await hooks.deliveries(webhookId)).toHaveLength(1_000);
  });

  test('sends again what arrived or failed: the same id, the same body', async () => {
    const other = await createUser(database.admin, { plan: 'plus' });
    const { id: otherId } = await hooks.create(other, 'https://outra.exemplo.com.br/');
    await queryAs(database, other, 'select send_webhook_test($1)', [otherId]);
    await hooks.note(String((await hooks.take())[0]?.delivery_id), 'delivered', 200);
    await queue('a');
    const [first] = await hooks.take();
    await hooks.note(String(first?.delivery_id), 'delivered', 200);
    await queryAs(database, owner, 'select resend_webhook_delivery($1)', [first?.delivery_id]);
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    expect(await hooks.deliveries(otherId)).toMatchObject([{ state: 'delivered' }]);
    await hooks.age(webhookId, '1 second');
    const [again] = await hooks.take();
    expect(again).toEqual(first);
    expect(await hooks.deliveries(webhookId)).toHaveLength(1);
  });

  test('sends at once what waits for its next attempt', async () => {
    await queue('a');
    await fail();
    await fail();
    await queryAs(database, owner, 'select resend_webhook_delivery($1)', [(await log())[0]?.['id']]);
    expect(await hooks.take()).toHaveLength(1);
  });
});

describe('whoever sends', () => {
  const take = async () => String((await hooks.take())[0]?.delivery_id);

  test('hears whether the webhook is off now', async () => {
    await queue('a', 'b', 'c');
    expect(await hooks.note(await take(), 'delivered', 200)).toBe(false);
    await hooks.waitUntilDue(webhookId);
    const [b] = await hooks.take();
    expect(await hooks.note(String(b?.delivery_id), 'refused', 500)).toBe(false);
    await hooks.age(webhookId, '73 hours');
    expect(await hooks.note(await take(), 'timeout')).toBe(true);
    expect(await hook()).toMatchObject({ off_reason: 'failing' });
    // Turned off, or gone, while it was sent.
    expect(await hooks.note(String(b?.delivery_id), 'delivered', 200)).toBe(true);
    await database.admin.query('delete from private.webhooks');
    expect(await hooks.note(String(b?.delivery_id), 'delivered', 200)).toBe(true);
    const other = await hooks.create(owner, 'https://dois.exemplo.com.br/');
    await queryAs(database, owner, 'select send_webhook_test($1)', [other.id]);
    expect(await hooks.note(await take(), 'refused', 410)).toBe(true);
  });

  test('is not asked again for what is under way, though its owner wants it sent again', async () => {
    await queue('a');
    const deliveryId = await take();
    await queryAs(database, owner, 'select resend_webhook_delivery($1)', [deliveryId]);
    expect(await hooks.take()).toEqual([]);
  });
});

describe('a trial', () => {
  test('goes to a webhook whatever events it has, thirty an hour, and not to one that is off', async () => {
    const only = await hooks.create(owner, 'https://dois.exemplo.com.br/', ['category.shared']);
    const trial = () => readOutcome(database, owner, 'select send_webhook_test($1)', [only.id]);
    for (let n = 0; n < 30; n += 1) await trial();
    expect(await trial()).toEqual({ code: 'PT429' });
    expect(await hooks.deliveries(webhookId)).toEqual([]);
    const sent = await hooks.deliveries(only.id);
    expect(sent).toHaveLength(30);
    expect(sent[0]?.body).toMatchObject({ type: 'webhook.test', data: {} });
    await hooks.age(only.id, '61 minutes');
    expect(await trial()).not.toHaveProperty('code');
    await queryAs(database, owner, 'select change_webhook($1, $2, $3, false)', [
      only.id,
      'https://dois.exemplo.com.br/',
      ['category.shared'],
    ]);
    expect(await trial()).toEqual({ code: 'PT409' });
  });
});
