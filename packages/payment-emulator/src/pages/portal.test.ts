import type Stripe from 'stripe';
import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedEmulator, openEmulator, SITE_URL } from '../test-support/open-emulator.ts';
import { readPage } from '../test-support/read-page.ts';
import { itemOf, startTestSubscription } from '../test-support/start-subscription.ts';

const DAY = 86_400;
const RETURN = 'https://linkoteca.test/profile?tab=billing';

let opened: OpenedEmulator;
let stripe: Stripe;
beforeEach(() => {
  opened = openEmulator();
  stripe = opened.stripe;
});

const subscribe = (price?: string, card?: string) => startTestSubscription(stripe, price, card);

async function openPortal(
  subscription: Stripe.Subscription,
  flow?: Stripe.BillingPortal.SessionCreateParams.FlowData,
) {
  const session = await stripe.billingPortal.sessions.create({
    customer: String(subscription.customer),
    return_url: RETURN,
    ...(flow ? { flow_data: flow } : {}),
  });
  return new URL(session.url).pathname.replace('/payment-emulator', '');
}

const see = async (path: string) => readPage(await opened.open(path));
async function submit(path: string, action: string, fields: Record<string, string> = {}, from = path) {
  const answer = await opened.post(`${path}/${action}`, { token: (await see(from)).token, ...fields });
  expect(answer.status).toBe(303);
  return answer.headers.get('location') ?? '';
}
const reload = ({ id }: Stripe.Subscription) => stripe.subscriptions.retrieve(id);

describe('the portal', () => {
  test('shows plan, next charge, card and invoices with receipts, and leads back', async () => {
    const path = await openPortal(await subscribe());
    const page = await see(path);
    expect(page.text).toMatch(/Linkoteca Plus US\$\s1,99 por mês/);
    expect(page.text).toMatch(/Próxima cobrança em 28 de fevereiro de 2026: US\$\s1,99/);
    expect(page.text).toContain('Visa •••• 4242');
    expect(page.text).toContain('modo de teste');
    expect(page.markup).toContain(`href="${RETURN}"`);
    const receipt = /href="\/payment-emulator(\/invoices\/in_\w+)"/.exec(page.markup)?.[1] ?? '';
    expect((await see(receipt)).text).toMatch(/Recibo \S+-0001 .* Pago US\$\s1,99 .* •••• 4242/);
  });

  test('a change of plan shows the prorated amount before it is confirmed, and charges just that', async () => {
    const subscription = await subscribe();
    await opened.advance(14 * DAY);
    const path = await openPortal(subscription);
    expect((await see(`${path}/plan`)).text).toMatch(
      /Linkoteca Plus anual .* Linkoteca Pro mensal .* Linkoteca Pro anual/,
    );
    const confirm = `${path}/confirm?price=price_emulator_pro_monthly`;
    const shown = await see(confirm);
    // 14 of 28 days are left: half of 3,99 less half of 1,99.
    expect(shown.text).toMatch(
      /Tempo não usado: Linkoteca Plus mensal −US\$\s1,00 Resto do período: Linkoteca Pro mensal US\$\s2,00/,
    );
    expect(shown.text).toMatch(/Total a pagar agora US\$\s1,00/);
    const at = /name="at" value="(\d+)"/.exec(shown.markup)?.[1] ?? '';
    // What was shown is what is charged, also when its reader takes some minutes.
    await opened.advance(600);
    const location = await submit(path, 'change', { price: 'price_emulator_pro_monthly', at }, confirm);
    expect((await see(location)).status).toBe('Pronto! Seu plano mudou.');
    const changed = await reload(subscription);
    expect(itemOf(changed).price.id).toBe('price_emulator_pro_monthly');
    expect(itemOf(changed).current_period_end).toBe(itemOf(subscription).current_period_end);
    const [latest] = (await stripe.invoices.list({ subscription: subscription.id })).data;
    expect(latest).toMatchObject({ status: 'paid', total: 100, billing_reason: 'subscription_update' });
  });

  test('a card that fails leaves plan and period as they were', async () => {
    const subscription = await subscribe('price_emulator_plus_monthly', 'pm_card_chargeCustomerFail');
    const path = await openPortal(subscription);
    const confirm = `${path}/confirm?price=price_emulator_pro_monthly`;
    const at = /name="at" value="(\d+)"/.exec((await see(confirm)).markup)?.[1] ?? '';
    const location = await submit(path, 'change', { price: 'price_emulator_pro_monthly', at }, confirm);
    expect((await see(location)).alert).toBe('Seu cartão foi recusado.');
    const after = await reload(subscription);
    expect(after.status).toBe('active');
    expect(itemOf(after).price.id).toBe('price_emulator_plus_monthly');
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
  });

  test('cancelling keeps the period that is paid for; it can be undone; then it ends', async () => {
    const subscription = await subscribe();
    const path = await openPortal(subscription);
    expect((await see(`${path}/cancel`)).text).toContain('até 28 de fevereiro de 2026');
    await submit(path, 'cancel', {}, `${path}/cancel`);
    expect((await see(path)).text).toContain('Termina em 28 de fevereiro de 2026');
    const change = await see(`${path}/confirm?price=price_emulator_pro_monthly`);
    expect(change.text).toContain('continua marcada para terminar em 28 de fevereiro de 2026');
    expect(await reload(subscription)).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await submit(path, 'resume');
    expect(await reload(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: null,
    });
    await submit(path, 'cancel', {}, `${path}/cancel`);
    await opened.advance(29 * DAY);
    expect(await reload(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: itemOf(subscription).current_period_end,
      cancellation_details: { reason: 'cancellation_requested' },
    });
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
  });

  test('a form that is sent twice counts once', async () => {
    const subscription = await subscribe();
    const path = await openPortal(subscription);
    const { token } = await see(`${path}/cancel`);
    const answers = await Promise.all([1, 2].map(() => opened.post(`${path}/cancel`, { token })));
    for (const answer of answers)
      expect(answer.headers.get('location')).toBe(`${SITE_URL}${path}/home?notice=cancellation_scheduled`);
    const events = await opened.listObjects('event');
    expect(events.filter(({ data }) => 'cancel_at' in (data.previous_attributes ?? {}))).toHaveLength(1);
  });

  test('a new card pays what is open at once; a bad one is not taken', async () => {
    const subscription = await subscribe('price_emulator_plus_monthly', 'pm_card_chargeCustomerFail');
    await opened.advance(28 * DAY);
    expect((await reload(subscription)).status).toBe('past_due');
    const path = await openPortal(subscription);
    expect((await see(path)).text).toMatch(/Não conseguimos cobrar US\$\s1,99/);
    expect((await see(await submit(path, 'pay'))).alert).toBe('Seu cartão foi recusado.');
    // The refused attempt has happened, and counts.
    expect((await stripe.invoices.list({ subscription: subscription.id })).data[0]).toMatchObject({
      attempt_count: 2,
      status: 'open',
    });
    expect(await submit(path, 'card', { card: 'pm_card_chargeDeclined' })).toContain(
      '/card?notice=generic_decline',
    );
    expect((await reload(subscription)).status).toBe('past_due');
    const location = await submit(path, 'card', { card: 'pm_card_visa' });
    expect((await see(location)).status).toBe('Pronto! Seu cartão foi trocado.');
    expect((await reload(subscription)).status).toBe('active');
    expect(
      (await stripe.invoices.list({ subscription: subscription.id })).data.map(({ status }) => status),
    ).toEqual(['paid', 'paid']);
  });

  test('an open invoice is paid by hand with the card that the customer has by then', async () => {
    const subscription = await subscribe('price_emulator_plus_monthly', 'pm_card_chargeCustomerFail');
    await opened.advance(28 * DAY);
    await stripe.customers.update(String(subscription.customer), {
      invoice_settings: { default_payment_method: 'pm_card_visa' },
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: '' });
    const path = await openPortal(subscription);
    expect((await see(await submit(path, 'pay'))).status).toBe('Pronto! A fatura foi paga.');
    expect((await reload(subscription)).status).toBe('active');
    expect(await submit(path, 'pay', {}, `${path}/cancel`)).toContain('notice=nothing_to_change');
  });

  test('a refund within fourteen days gives everything back and ends the subscription; later there is none', async () => {
    const subscription = await subscribe();
    await opened.advance(13 * DAY);
    const path = await openPortal(subscription);
    expect((await see(`${path}/refund`)).text).toMatch(/Devolvemos US\$\s1,99/);
    expect((await see(await submit(path, 'refund', {}, `${path}/refund`))).text).toContain(
      'O valor foi devolvido',
    );
    expect(await reload(subscription)).toMatchObject({ status: 'canceled' });
    expect((await stripe.charges.list()).data).toMatchObject([{ refunded: true, amount_refunded: 199 }]);
    const late = await subscribe();
    await opened.advance(15 * DAY);
    const latePath = await openPortal(late);
    expect((await see(latePath)).text).not.toContain('Pedir reembolso');
    const cancelPage = `${latePath}/cancel`;
    expect(await submit(latePath, 'refund', {}, cancelPage)).toContain('notice=not_refundable');
    expect((await reload(late)).status).toBe('active');
  });

  test.each([
    ['subscription_update_confirm', 'Confirmar mudança de plano', 'change'],
    ['subscription_cancel', 'Cancelar assinatura', 'cancel'],
    ['payment_method_update', 'Trocar cartão', 'card'],
  ] as const)(
    'the flow %s shows its own page and returns to its own address',
    async (type, title, action) => {
      const subscription = await subscribe();
      const redirect = { return_url: 'https://linkoteca.test/plans?success=true' };
      const items = [{ id: itemOf(subscription).id, price: 'price_emulator_pro_yearly' }];
      const path = await openPortal(subscription, {
        type,
        after_completion: { type: 'redirect', redirect },
        ...(type === 'subscription_cancel' ? { subscription_cancel: { subscription: subscription.id } } : {}),
        ...(type === 'subscription_update_confirm'
          ? { subscription_update_confirm: { subscription: subscription.id, items } }
          : {}),
      });
      const page = await see(path);
      expect(page.text).toContain(title);
      expect(page.markup).toContain(`href="${RETURN}"`);
      const at = /name="at" value="(\d+)"/.exec(page.markup)?.[1] ?? '';
      const location = await submit(path, action, {
        price: 'price_emulator_pro_yearly',
        at,
        card: 'pm_card_visa',
      });
      expect(location).toBe(redirect.return_url);
    },
  );

  test('a session is for its own customer, ends after an hour, and cannot be guessed', async () => {
    const [one, other] = [await subscribe(), await subscribe()];
    const [path, otherPath] = [await openPortal(one), await openPortal(other)];
    const { token } = await see(otherPath);
    for (const forged of [token, '', 'forged'])
      expect((await opened.post(`${path}/cancel`, { token: forged })).headers.get('location')).toContain(
        'notice=stale',
      );
    expect((await reload(one)).cancel_at_period_end).toBe(false);
    const unknown = await opened.open('/portal/bps_guessed');
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain('<a class="button" href="/">Voltar para a Linkoteca</a>');
    await expect(
      stripe.billingPortal.sessions.create({
        customer: String(one.customer),
        flow_data: { type: 'subscription_cancel', subscription_cancel: { subscription: other.id } },
      }),
    ).rejects.toMatchObject({ statusCode: 400 });
    await opened.advance(3601);
    expect((await opened.open(path)).status).toBe(410);
    expect((await opened.post(`${path}/cancel`, { token })).status).toBe(410);
  });

  test('a price that is not sold and an offer that is too old change nothing', async () => {
    const subscription = await subscribe();
    const path = await openPortal(subscription);
    const offer = `${path}/confirm?price=price_emulator_pro_yearly`;
    const at = String(itemOf(subscription).current_period_start);
    expect(await submit(path, 'change', { price: 'price_of_somebody', at }, offer)).toContain(
      'nothing_to_change',
    );
    const price = 'price_emulator_pro_yearly';
    expect(await submit(path, 'change', { price, at: '12' }, offer)).toContain('notice=stale');
    expect(await submit(path, 'change', { price, at: 'NaN' }, offer)).toContain('notice=stale');
    await opened.advance(3000);
    expect(await submit(path, 'change', { price, at }, offer)).toContain('notice=stale');
    expect(itemOf(await reload(subscription)).price.id).toBe('price_emulator_plus_monthly');
  });
});
