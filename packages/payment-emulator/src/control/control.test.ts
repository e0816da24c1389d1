import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  type OpenedEmulator,
  openEmulator,
  openSdk,
  SECRET_KEY,
  SITE_URL,
} from '../test-support/open-emulator.ts';
import { startTestSubscription } from '../test-support/start-subscription.ts';
import { control, readControlState, typesOf } from '../test-support/use-control.ts';

const subscribe = ({ stripe }: OpenedEmulator) => startTestSubscription(stripe);

describe('the control endpoints', () => {
  test('hold the webhook back, and let everything through later, turned around or twice', async () => {
    const opened = openEmulator();
    await control(opened, 'webhooks', { held: true });
    await subscribe(opened);
    await opened.emulator.work();
    expect(opened.received).toEqual([]);
    expect((await readControlState(opened)).webhooks).toMatchObject({ held: true, pending: 3 });
    expect((await control(opened, 'deliver', { order: 'reverse', times: 2 })).body).toEqual({
      sent: 6,
      taken: 6,
    });
    expect(typesOf(opened)).toEqual([
      'customer.subscription.updated',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.paid',
      'customer.subscription.created',
      'customer.subscription.created',
    ]);
    await control(opened, 'webhooks', { held: false });
    await opened.emulator.work();
    expect(opened.received).toHaveLength(6);
    const event = opened.received[0]?.event.id;
    await control(opened, 'deliver', { event });
    expect(opened.received.at(-1)?.event.id).toBe(event);
  });

  test('move the clock by days, months and to the next charge', async () => {
    const opened = openEmulator();
    const { id } = await subscribe(opened);
    const { now } = await readControlState(opened);
    await control(opened, 'advance', { days: 1 });
    expect((await readControlState(opened)).now).toBe(now + 86_400);
    await control(opened, 'advance', { to: 'next' });
    expect((await opened.stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
    await control(opened, 'advance', { months: 3 });
    expect((await opened.stripe.invoices.list({ subscription: id })).data).toHaveLength(4);
    for (const to of [now, 'ontem', -1]) expect((await control(opened, 'advance', { to })).status).toBe(400);
  });

  test('dispute, decide, refund and delete', async () => {
    const opened = openEmulator();
    const { id, customer } = await subscribe(opened);
    const dispute = (await control(opened, 'dispute', { subscription: id })).body as Stripe.Dispute;
    expect(dispute).toMatchObject({ status: 'needs_response', amount: 199 });
    await expect(opened.stripe.refunds.create({ charge: String(dispute.charge) })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    const readPage = async () => (await opened.open('', { isOperator: true })).text();
    expect(await readPage()).toContain(`${dispute.id}: Aguardando resposta`);
    await control(opened, 'close-dispute', { dispute: dispute.id, status: 'won' });
    expect(await readPage()).toContain(`${dispute.id}: Ganha`);
    expect(await opened.stripe.charges.retrieve(String(dispute.charge))).toMatchObject({ disputed: false });
    expect((await control(opened, 'refund', { subscription: id, amount: 99 })).body).toMatchObject({
      amount: 99,
    });
    expect((await control(opened, 'refund', { subscription: id, amount: 101 })).status).toBe(400);
    await control(opened, 'delete-customer', { customer });
    await opened.emulator.work();
    expect(typesOf(opened)).toEqual(
      expect.arrayContaining([
        'charge.dispute.created',
        'charge.dispute.closed',
        'charge.refunded',
        'customer.deleted',
        'customer.subscription.deleted',
      ]),
    );
  });

  test('let a subscription stay unpaid instead of ending it', async () => {
    const opened = openEmulator();
    await control(opened, 'dunning', { after: 'unpaid' });
    const { id } = await startTestSubscription(opened.stripe, undefined, 'pm_card_chargeCustomerFail');
    await opened.advance(50 * 86_400);
    expect((await opened.stripe.subscriptions.retrieve(id)).status).toBe('unpaid');
    await opened.advance(20 * 86_400);
    expect((await opened.stripe.invoices.list({ subscription: id })).data[0]).toMatchObject({
      status: 'draft',
    });
  });

  test('are for this machine or the secret key alone, and pages elsewhere cannot use them', async () => {
    const opened = openEmulator();
    const { id } = await subscribe(opened);
    const paths = ['', '/', '/control/state', '/control/advance', '/control/nothing'];
    for (const path of paths) {
      const answer = await opened.open(
        path,
        path.endsWith('advance') ? { method: 'POST', body: 'days=1' } : {},
      );
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-unknown-path')).toBe('1');
    }
    const withKey = (key: string) =>
      opened.open('/control/state', { headers: { authorization: `Bearer ${key}` } });
    expect((await withKey('sk_test_other')).status).toBe(404);
    expect((await withKey(SECRET_KEY)).status).toBe(200);
    // A form of another site, sent by the browser of this machine's user.
    const forged = await opened.open('/control/refund', {
      method: 'POST',
      isOperator: true,
      body: `subscription=${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(forged.status).toBe(403);
    expect((await opened.stripe.refunds.list()).data).toEqual([]);
    const page = await (await opened.open('', { isOperator: true })).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    expect(page).toContain('Avançar um mês');
    expect(page).toContain(' · Ativa · renova em ');
    const sent = await opened.open('/control/refund', {
      method: 'POST',
      isOperator: true,
      body: new URLSearchParams({ token, subscription: id }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, SITE_URL]);
    expect((await opened.stripe.refunds.list()).data).toHaveLength(1);
  });
});

test('a key that is missing or wrong opens nothing', async () => {
  const opened = openEmulator();
  const { id } = await subscribe(opened);
  const send: typeof fetch = (input, init) =>
    opened.open(String(input).replace('https://api.stripe.com', SITE_URL), init);
  await expect(openSdk('sk_test_wrong', send).subscriptions.retrieve(id)).rejects.toMatchObject({
    statusCode: 401,
  });
  expect((await opened.open(`/v1/subscriptions/${id}`)).status).toBe(401);
  const basic = `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`;
  expect((await opened.open(`/v1/subscriptions/${id}`, { headers: { authorization: basic } })).status).toBe(
    200,
  );
});
