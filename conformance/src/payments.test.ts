import { FunctionsHttpError } from '@supabase/supabase-js';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { type Client, createOperator, createVisitor } from './support/create-visitor.ts';
import { pressButton } from './support/press-button.ts';

const deployment = inject('deployment');
const PLUS = 'price_emulator_plus_monthly';
const PLANS_PAGE = `${deployment.url}/plans`;

let ana: Person;
let bia: Person;
beforeEach(async () => {
  [ana, bia] = await Promise.all([createPerson(deployment), createPerson(deployment)]);
});

/** What a function answers, whether it does what is asked or not. */
async function invoke(client: Client, name: string, body?: object) {
  const { data, error } = await client.functions.invoke(name, body ? { body } : { method: 'GET' });
  if (error === null) return { status: 200, body: data };
  if (!(error instanceof FunctionsHttpError)) throw error;
  return { status: error.context.status, body: await error.context.json() };
}

test('anybody may ask what the plans cost, and is told that no money moves', async () => {
  const { status, body } = await invoke(createVisitor(deployment), 'list-prices');
  expect([status, body.testMode]).toEqual([200, true]);
  expect(body.prices).toEqual(
    [
      ['plus', 'month', 199],
      ['plus', 'year', 1990],
      ['pro', 'month', 399],
      ['pro', 'year', 3990],
    ].map(([plan, interval, amountCents]) => ({
      plan,
      interval,
      amountCents,
      currency: 'usd',
      priceId: `price_emulator_${plan}_${interval}ly`,
    })),
  );
});

describe('what nobody gets', () => {
  test('a visitor and an API key buy nothing, see no invoice and give nothing back', async () => {
    for (const client of [createVisitor(deployment), createOperator(deployment)])
      for (const name of ['create-checkout', 'customer-portal', 'request-refund'])
        expect((await invoke(client, name, { priceId: PLUS })).status).toBe(401);
    expect((await invoke(createVisitor(deployment), 'list-invoices')).status).toBe(401);
  });

  test('a checkout in another’s name, at a price of one’s own, or back to another site', async () => {
    const wish = { priceId: PLUS, redirectUrl: PLANS_PAGE };
    const refused = [
      [{ ...wish, userId: bia.id }, 403],
      [{ ...wish, priceId: 'price_1' }, 400],
      [{ ...wish, priceId: 'free' }, 400],
      [{ ...wish, redirectUrl: 'https://mal.example/plans' }, 400],
      [{ ...wish, redirectUrl: `//mal.example` }, 400],
      [{ ...wish, redirectUrl: `${deployment.url}@mal.example/` }, 400],
      [{ ...wish, redirectUrl: 'javascript:alert(1)' }, 400],
    ] as const;
    for (const [body, status] of refused) {
      const answer = await invoke(ana.client, 'create-checkout', body);
      expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String) }]);
    }
    const portal = await invoke(ana.client, 'customer-portal', { returnUrl: 'https://mal.example' });
    expect(portal.status).toBe(400);
  });

  test('a plan that a client writes itself, by whatever door', async () => {
    const { client, id } = ana;
    const row = { user_id: id, plan: 'pro', subscription_status: 'active' };
    const state = { plan: 'pro', subscription_status: 'active', stripe_subscription_id: 'sub_1' };
    const refusals = await Promise.all([
      client.from('subscribers').insert(row),
      client.from('subscribers').upsert(row),
      client.from('subscribers').update(row).eq('user_id', id).select(),
      client.from('subscribers').delete().eq('user_id', id).select(),
      client.from('profiles').update({ plan: 'pro' }).eq('id', id),
      client.from('profiles').upsert({ id, plan: 'pro' }),
      client.rpc('claim_stripe_customer', { user_id: id, customer_id: 'cus_mine' }),
      client.rpc('begin_subscription_sync', { customer_id: 'cus_mine' }),
      client.rpc('apply_subscription', { customer_id: 'cus_mine', ticket: 1, state, event_id: null }),
      client.rpc('record_stripe_event', {
        event_id: 'evt_1',
        type: 'x',
        customer_id: 'cus_mine',
        created_at: new Date().toISOString(),
      }),
    ]);
    for (const { error } of refusals) expect(error?.code).toMatch(/^(42501|PGRST202)$/);
    const operator = createOperator(deployment);
    const profile = await operator.from('profiles').select('plan').eq('id', id).single();
    const subscribers = await operator.from('subscribers').select('plan').eq('user_id', id);
    expect([profile.data, subscribers.data]).toEqual([{ plan: 'free' }, []]);
  });

  test('money or invoices where nothing was bought', async () => {
    expect(await invoke(bia.client, 'customer-portal', {})).toEqual({
      status: 404,
      body: { error: 'Você ainda não tem uma assinatura para gerenciar' },
    });
    expect(await invoke(bia.client, 'list-invoices')).toEqual({ status: 200, body: { invoices: [] } });
    expect((await invoke(bia.client, 'request-refund', {})).status).toBe(409);
  });
});

/** What the person themselves reads of their plan, as soon as it is so. */
async function expectPlan({ client, id }: Person, plan: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const [profile, subscriber] = await Promise.all([
        client.from('profiles').select('plan').eq('id', id).single(),
        client.from('subscribers').select('subscription_status').eq('user_id', id).maybeSingle(),
      ]);
      expect([profile.data?.plan, subscriber.data?.subscription_status]).toEqual([plan, status]);
    },
    { timeout: 20_000, interval: 100 },
  );
}

const buy = async ({ client }: Person, priceId: string): Promise<string> => {
  const { status, body } = await invoke(client, 'create-checkout', { priceId, redirectUrl: PLANS_PAGE });
  expect([status, body.sessionUrl]).toEqual([200, body.url]);
  return body.url;
};
const openPortal = async ({ client }: Person): Promise<string> => {
  const returnUrl = `${deployment.url}/profile?tab=billing`;
  return (await invoke(client, 'customer-portal', { returnUrl })).body.url;
};
const pay = (page: string, card = 'pm_card_visa') => pressButton(page, 'Assinar', { card });

describe('with the emulator’s pages', () => {
  test('a person becomes plus, then pro, ends it, and has lost nothing but the plan', async () => {
    const checkout = await buy(ana, PLUS);
    expect(await buy(ana, PLUS)).toBe(checkout);
    const refused = await pay(checkout, 'pm_card_chargeDeclined');
    expect(refused.location).toContain('notice=generic_decline');
    const [paid, paidTwice] = [await pay(checkout), await pay(checkout).catch(() => undefined)];
    expect(paid).toEqual({ status: 303, location: `${PLANS_PAGE}?success=true` });
    expect(paidTwice).toBeUndefined();
    await expectPlan(ana, 'plus', 'active');

    const same = await invoke(ana.client, 'create-checkout', { priceId: PLUS, redirectUrl: PLANS_PAGE });
    expect(same).toEqual({ status: 409, body: { error: 'Você já assina este plano' } });
    const change = await buy(ana, 'price_emulator_pro_monthly');
    expect(new URL(change).pathname).toMatch(/^\/payment-emulator\/portal\//);
    expect((await pressButton(change, 'Confirmar mudança')).location).toBe(`${PLANS_PAGE}?success=true`);
    await expectPlan(ana, 'pro', 'active');

    const { invoices } = (await invoke(ana.client, 'list-invoices')).body;
    expect(
      invoices.map(({ status, currency }: { status: string; currency: string }) => [status, currency]),
    ).toEqual([
      ['paid', 'usd'],
      ['paid', 'usd'],
    ]);
    for (const { receiptUrl } of invoices) expect((await fetch(receiptUrl)).status).toBe(200);

    const portal = await openPortal(ana);
    await pressButton(`${portal}/cancel`, 'Cancelar assinatura');
    await expectPlan(ana, 'pro', 'active');
    const control = `${deployment.url}/payment-emulator/control/advance`;
    const advanced = await fetch(control, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ months: 2 }),
    });
    expect(advanced.status).toBe(200);
    await expectPlan(ana, 'free', 'expired');
    expect((await invoke(ana.client, 'request-refund', {})).status).toBe(409);
    // Two months later they may begin anew.
    expect(new URL(await buy(ana, PLUS)).pathname).toMatch(/^\/payment-emulator\/checkout\//);
  });

  test('a person who regrets it has the money back at once, and once', async () => {
    await pay(await buy(bia, 'price_emulator_plus_yearly'));
    await expectPlan(bia, 'plus', 'active');
    const answers = await Promise.all([1, 2].map(() => invoke(bia.client, 'request-refund', {})));
    for (const answer of answers) expect(answer).toEqual({ status: 200, body: { refunded: true } });
    await expectPlan(bia, 'free', 'refunded');
    const { invoices } = (await invoke(bia.client, 'list-invoices')).body;
    expect(invoices).toEqual([
      expect.objectContaining({ amountCents: 1990, status: 'refunded', refundable: false }),
    ]);
  });
});
