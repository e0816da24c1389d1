import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createVisitor } from './support/create-visitor.ts';
import { pressButton } from './support/press-button.ts';
import { SOON } from './support/receive-changes.ts';
import { required } from './support/required.ts';
import { type Copies, type ServerCopy, startCopies } from './support/start-copies.ts';

let copies: Copies;
let first: ServerCopy;
let second: ServerCopy;
beforeAll(async () => {
  copies = await startCopies();
  [first, second] = await Promise.all([copies.start(), copies.start()]);
});
afterAll(() => copies.stop());

type Buyer = { readonly id: string; readonly client: Client };

/** Somebody who has signed in at the first copy. */
async function createBuyer(): Promise<Buyer> {
  const account = { email: `ana-${randomUUID()}@example.com`, password: 'uma senha boa' };
  const operator = createVisitor({ url: first.url, anonKey: first.serviceRoleKey });
  const created = await operator.auth.admin.createUser({ ...account, email_confirm: true });
  const client = createVisitor(first);
  const signedIn = await client.auth.signInWithPassword(account);
  required(signedIn.data.user, signedIn.error);
  return { id: required(created.data.user, created.error).id, client };
}

/** Pays on the emulator's page. */
async function buy({ client }: Buyer, priceId: string): Promise<void> {
  const { data, error } = await client.functions.invoke('create-checkout', {
    body: { priceId, redirectUrl: `${first.url}/plans` },
  });
  const { url } = required<{ readonly url: string }>(data, error);
  const pressed = await pressButton(url, 'Assinar', { card: 'pm_card_visa' });
  expect(pressed.location).toContain('success=true');
}

async function control(copy: ServerCopy, action: string, fields: object = {}) {
  const response = await fetch(`${copy.url}/payment-emulator/control/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

const readPlan = async ({ id }: Buyer) => {
  const { rows } = await copies.postgres.query(
    `select p.plan, s.subscription_status as status from profiles p join subscribers s on s.user_id = p.id where p.id = $1`,
    [id],
  );
  return rows[0];
};
/** What came about this buyer alone: other tests have buyers of their own. */
const readEvents = async ({ id }: Buyer) =>
  (
    await copies.postgres.query(
      `select count(*)::int as received, count(*) filter (where outcome = 'applied')::int as applied,
         count(*) filter (where applied_at is null)::int as unfinished
       from private.stripe_events e join subscribers s on s.stripe_customer_id = e.customer where s.user_id = $1`,
      [id],
    )
  ).rows[0];
const isQueueEmpty = async () => {
  const state = await (await fetch(`${first.url}/payment-emulator/control/state`)).json();
  return state.webhooks.pending === 0;
};

// The emulator’s one clock only goes forward, and one month of it renews what the tests before have sold: they are one story.
describe('payments on two copies', { shuffle: false }, () => {
  test('a forged event reaches neither copy’s database', async () => {
    for (const { url } of [first, second]) {
      const response = await fetch(`${url}/functions/v1/stripe-webhook`, {
        method: 'POST',
        headers: { 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` },
        body: JSON.stringify({ id: 'evt_forged', object: 'event', type: 'invoice.paid', livemode: false }),
      });
      expect([response.status, await response.json()]).toEqual([400, { error: 'Assinatura inválida' }]);
    }
    const { rows } = await copies.postgres.query(`select from private.stripe_events where id = 'evt_forged'`);
    expect(rows).toEqual([]);
  });

  test('two copies that receive the same events at once, several times and in opposite order, apply each once', async () => {
    const ana = await createBuyer();
    await control(first, 'webhooks', { held: true });
    await buy(ana, 'price_emulator_plus_monthly');
    expect(await readPlan(ana)).toEqual({ plan: 'free', status: null });

    const [here, there] = await Promise.all([
      control(first, 'deliver', { times: 3 }),
      control(second, 'deliver', { times: 3, order: 'reverse' }),
    ]);
    expect([here.sent, here.taken, there.taken]).toEqual([there.sent, here.sent, there.sent]);
    expect(await readPlan(ana)).toEqual({ plan: 'plus', status: 'active' });
    const events = await readEvents(ana);
    expect(events.received * 3).toBe(here.sent);
    expect(events.applied).toBeGreaterThan(0);
    expect(events.unfinished).toBe(0);
    await control(first, 'webhooks', { held: false });
    await expect.poll(isQueueEmpty, SOON).toBe(true);
    expect(await readEvents(ana)).toEqual(events);
  });

  test('while the webhook is down a person’s own check, and the night’s for all, repair what it misses; what comes late changes nothing', async () => {
    const [ana, bia] = [await createBuyer(), await createBuyer()];
    await control(first, 'webhooks', { held: true });
    await buy(ana, 'price_emulator_pro_yearly');
    await buy(bia, 'price_emulator_plus_monthly');
    await control(first, 'advance', { seconds: 3600 });
    expect([await readPlan(ana), await readPlan(bia)]).toEqual([
      { plan: 'free', status: null },
      { plan: 'free', status: null },
    ]);

    const { data } = await ana.client.functions.invoke('check-subscription', { method: 'GET' });
    expect(data).toMatchObject({ subscribed: true, plan: 'pro', status: 'active', cancelAtPeriodEnd: false });
    expect(await readPlan(bia)).toMatchObject({ plan: 'free' });

    const { data: refused, error } = await ana.client.functions.invoke('reconcile-subscriptions', {
      body: {},
    });
    expect([refused, error?.context.status]).toEqual([null, 403]);
    const operator = createVisitor({ url: second.url, anonKey: second.serviceRoleKey });
    const reconciled = await operator.functions.invoke('reconcile-subscriptions', { body: {} });
    expect(reconciled.data).toMatchObject({ repaired: 1, failed: 0, complete: true });
    const repaired = [await readPlan(ana), await readPlan(bia)];
    expect(repaired).toEqual([
      { plan: 'pro', status: 'active' },
      { plan: 'plus', status: 'active' },
    ]);

    await control(second, 'webhooks', { held: false });
    await control(second, 'deliver', { order: 'reverse' });
    await expect.poll(isQueueEmpty, SOON).toBe(true);
    expect([await readPlan(ana), await readPlan(bia)]).toEqual(repaired);
  });

  test('what is renewed counts on; what is lost in a dispute, or deleted at the provider, does not', async () => {
    const [ana, bia] = [await createBuyer(), await createBuyer()];
    await buy(ana, 'price_emulator_plus_monthly');
    await buy(bia, 'price_emulator_pro_monthly');
    const read = async ({ id }: Buyer) =>
      (
        await copies.postgres.query(
          `select subscription_status as status, current_period_end as until, stripe_subscription_id as subscription,
           stripe_customer_id as customer, amount_cents as amount
         from subscribers where user_id = $1`,
          [id],
        )
      ).rows[0];
    await expect.poll(async () => (await read(bia)).status, SOON).toBe('active');
    const bought = await read(bia);
    expect(bought.amount).toBe(399);
    await control(second, 'advance', { months: 1, seconds: 7200 });
    await expect.poll(async () => (await read(bia)).until > bought.until, SOON).toBe(true);
    expect(await readPlan(bia)).toEqual({ plan: 'pro', status: 'active' });

    const { subscription } = await read(ana);
    const { id: dispute } = await control(first, 'dispute', { subscription });
    await expect.poll(isQueueEmpty, SOON).toBe(true);
    expect(await readPlan(ana)).toEqual({ plan: 'plus', status: 'active' });
    await control(first, 'close-dispute', { dispute, status: 'lost' });
    await expect.poll(() => readPlan(ana), SOON).toEqual({ plan: 'free', status: 'refunded' });

    await control(second, 'delete-customer', { customer: bought.customer });
    await expect.poll(() => read(bia), SOON).toMatchObject({ status: 'canceled', customer: null });
    expect(await readPlan(bia)).toEqual({ plan: 'free', status: 'canceled' });
  });

  test('a copy that dies in the middle of an event leaves nothing half-done, and the other completes it', async () => {
    const { postgres } = copies;
    // A copy that starts when a reconciliation is due begins one, and would repair what the event is to change.
    await postgres.query(
      'update private.subscription_reconciliation set started_at = now(), finished_at = now()',
    );
    const doomed = await copies.start();
    const ana = await createBuyer();
    // What the test before has sold may still be on its way.
    await expect.poll(isQueueEmpty, SOON).toBe(true);
    await control(first, 'webhooks', { held: true });
    await buy(ana, 'price_emulator_plus_monthly');
    // Whoever is about to write the plan waits here; the pool's one connection keeps what it locks.
    await postgres.query('begin');
    await postgres.query('select from subscribers where user_id = $1 for update', [ana.id]);
    const cutOff = control(doomed, 'deliver').catch(() => 'cut off');
    const readWaiting = async () =>
      (
        await postgres.query(`select pid from pg_locks where not granted and locktype = 'transactionid'`)
      ).rows.map(({ pid }) => pid);
    const readUnfinished = async () => (await readEvents(ana)).unfinished;
    // The event has been noted, and its effect waits: that of nobody else may be taken for it.
    await expect.poll(readUnfinished, SOON).toBe(1);
    await expect.poll(readWaiting, SOON).toHaveLength(1);
    await doomed.process.kill();
    expect(await cutOff).toBe('cut off');
    // A database far away would notice the loss by itself, some time later.
    await postgres.query(
      `select pg_terminate_backend(pid, 5000) from pg_locks where not granted and locktype = 'transactionid'`,
    );
    await postgres.query('commit');
    expect(await readPlan(ana)).toEqual({ plan: 'free', status: null });
    expect(await readUnfinished()).toBe(1);

    await control(first, 'webhooks', { held: false });
    await expect.poll(isQueueEmpty, SOON).toBe(true);
    expect(await readPlan(ana)).toEqual({ plan: 'plus', status: 'active' });
    expect(await readUnfinished()).toBe(0);
  });
});
