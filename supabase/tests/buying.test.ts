import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, type TestUser } from '@linkoteca/test-kit/create-user';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openShop, SITE } from './support/open-shop.ts';
import { required } from './support/required.ts';

let database: ThrowawayDatabase;
let shop: ReturnType<typeof openShop>;
let ana: TestUser;
beforeAll(async () => {
  database = await createThrowawayDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  shop = openShop(database);
  ana = await createUser(database.admin);
});

const readCustomer = async (user = ana): Promise<string | null> => {
  const text = 'select stripe_customer_id as id from subscribers where user_id = $1';
  const { rows } = await database.admin.query(text, [user.id]);
  return rows[0]?.id ?? null;
};
const sessionsOf = async (customer: string) => (await shop.stripe.checkout.sessions.list({ customer })).data;

/** Ana as a customer who has not bought anything yet. */
async function enrol(user = ana): Promise<string> {
  await shop.buy(user);
  return required(await readCustomer(user));
}

describe('a checkout', () => {
  test('is opened for the caller’s own customer, at the price’s own amount, and comes back with the outcome', async () => {
    const { status, body } = await shop.buy(ana, 'pro_yearly', '/plans?de=menu');
    expect([status, body.url]).toEqual([200, body.sessionUrl]);
    const customer = required(await readCustomer());
    const [session, ...others] = await sessionsOf(customer);
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      url: body.url,
      customer,
      client_reference_id: ana.id,
      metadata: { user_id: ana.id },
      amount_total: 3990,
      allow_promotion_codes: true,
      success_url: `${SITE}/plans?de=menu&success=true`,
      cancel_url: `${SITE}/plans?de=menu&canceled=true`,
    });
    const known = await shop.stripe.customers.retrieve(customer);
    expect(known).toMatchObject({ email: ana.email, metadata: { user_id: ana.id } });
    expect(JSON.stringify(body)).not.toContain(ana.email);
  });

  test('is one, and so is the customer, however often and wherever it is clicked at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.buy(ana)));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(await shop.customersOf(ana)).toHaveLength(1);
    expect(await sessionsOf(required(await readCustomer()))).toHaveLength(1);
  });

  test('goes on where it was left; another wish ends it, so that nobody pays twice', async () => {
    const first = await shop.buy(ana);
    expect((await shop.buy(ana)).body.url).toBe(first.body.url);
    const second = await shop.buy(ana, 'pro_monthly');
    expect(second.body.url).not.toBe(first.body.url);
    const sessions = await sessionsOf(required(await readCustomer()));
    expect(sessions.map(({ status }) => status).sort()).toEqual(['expired', 'open']);
    // Back to the first wish: what was ended is not handed out again.
    const third = await shop.buy(ana);
    expect([first.body.url, second.body.url]).not.toContain(third.body.url);
  });

  test('of different plans at the same moment leaves one that can be paid', async () => {
    await Promise.all([
      shop.buy(ana, 'plus_monthly'),
      shop.buy(ana, 'pro_monthly'),
      shop.buy(ana, 'pro_yearly'),
    ]);
    const sessions = await sessionsOf(required(await readCustomer()));
    expect(sessions.filter(({ status }) => status === 'open')).toHaveLength(1);
  });

  test('makes each person a customer of their own', async () => {
    const bia = await createUser(database.admin);
    await Promise.all([shop.buy(ana), shop.buy(bia)]);
    const [mine, theirs] = [await readCustomer(ana), await readCustomer(bia)];
    expect(mine).toMatch(/^cus_/);
    expect(theirs).toMatch(/^cus_/);
    expect(mine).not.toBe(theirs);
  });

  test('keeps the customer that was recorded first', async () => {
    const { id } = await shop.stripe.customers.create({});
    await database.admin.query('insert into subscribers (user_id, stripe_customer_id) values ($1, $2)', [
      ana.id,
      id,
    ]);
    await shop.buy(ana);
    expect(await readCustomer()).toBe(id);
    expect(await shop.customersOf(ana)).toEqual([]);
  });

  test('replaces a customer whom the provider has deleted, or never knew', async () => {
    const deleted = await enrol();
    await shop.stripe.customers.del(deleted);
    expect((await shop.buy(ana)).status).toBe(200);
    const second = required(await readCustomer());
    expect(second).not.toBe(deleted);

    await database.admin.query(`update subscribers set stripe_customer_id = $2 where user_id = $1`, [
      ana.id,
      `cus_of_another_account_${ana.id}`,
    ]);
    expect((await shop.buy(ana)).status).toBe(200);
    expect(await sessionsOf(required(await readCustomer()))).not.toEqual([]);
  });

  test('finds a living customer although the provider still repeats its old answers', async () => {
    const deleted = await enrol();
    await shop.stripe.customers.del(deleted);
    await database.admin.query('update subscribers set stripe_customer_id = null where user_id = $1', [
      ana.id,
    ]);
    expect((await shop.buy(ana)).status).toBe(200);
    expect(await readCustomer()).not.toBe(deleted);
  });
});

describe('whoever subscribes already', () => {
  test('confirms the change instead of paying for two', async () => {
    const customer = await enrol();
    const { id } = await shop.subscribe(customer);
    for (const price of ['pro_monthly', 'plus_yearly', 'pro_yearly']) {
      const { status, body } = await shop.buy(ana, price);
      expect([status, body.url]).toEqual([200, expect.stringContaining('/payment-emulator/portal/')]);
    }
    expect(shop.requests.filter((line) => line === 'POST /v1/billing_portal/sessions')).toHaveLength(3);
    const { data } = await shop.stripe.subscriptions.list({ customer });
    expect(data.map((subscription) => subscription.id)).toEqual([id]);
  });

  test('is told so when it is the same plan, and led to the portal to take a cancellation back', async () => {
    const { id } = await shop.subscribe(await enrol());
    const same = await shop.buy(ana);
    expect(same).toEqual({ status: 409, body: { error: 'Você já assina este plano' } });
    await shop.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect((await shop.buy(ana)).body.url).toContain('/portal/');
    await shop.stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect((await shop.buy(ana)).status).toBe(409);
    await shop.stripe.subscriptions.update(id, { cancel_at: Math.floor(Date.now() / 1000) + 86_400 });
    expect((await shop.buy(ana)).body.url).toContain('/portal/');
  });

  test('is led to the portal where the money of a plan went back and the plan goes on', async () => {
    const customer = await enrol();
    await shop.subscribe(customer);
    expect((await shop.buy(ana)).status).toBe(409);
    const [charge] = (await shop.stripe.charges.list({ customer })).data;
    await shop.stripe.refunds.create({ charge: charge?.id ?? '', amount: 50 });
    expect((await shop.buy(ana)).status).toBe(409);
    await shop.stripe.refunds.create({ charge: charge?.id ?? '' });
    const { status, body } = await shop.buy(ana);
    expect([status, body.url]).toEqual([200, expect.stringContaining('/payment-emulator/portal/')]);
  });

  test('mends the card when a payment is overdue, whatever plan was clicked', async () => {
    const customer = await enrol();
    await shop.subscribe(customer, 'plus_monthly', 'pm_card_chargeCustomerFail');
    await shop.advanceDays(32);
    const { data } = await shop.stripe.subscriptions.list({ customer });
    expect(data[0]?.status).toBe('past_due');
    expect((await shop.buy(ana, 'pro_monthly')).body.url).toContain('/portal/');
  });

  test('may buy again when it is over', async () => {
    const { id } = await shop.subscribe(await enrol());
    await shop.stripe.subscriptions.cancel(id);
    expect((await shop.buy(ana)).body.url).toContain('/checkout/');
  });
});

describe('the portal', () => {
  test('is the caller’s own, and nobody’s who never bought', async () => {
    expect(await shop.call('customer-portal', ana)).toEqual({
      status: 404,
      body: { error: 'Você ainda não tem uma assinatura para gerenciar' },
    });
    await enrol();
    const opened = await shop.call('customer-portal', ana, { returnUrl: `${SITE}/profile?tab=billing` });
    expect([opened.status, opened.body.url]).toEqual([200, expect.stringContaining('/portal/')]);
    await shop.stripe.customers.del(required(await readCustomer()));
    expect((await shop.call('customer-portal', ana)).status).toBe(404);
  });
});
