import { beforeEach, describe, expect, test } from 'vitest';
import { type OpenedEmulator, openEmulator, SITE_URL } from '../test-support/open-emulator.ts';
import { readPage } from '../test-support/read-page.ts';

const PLUS = 'price_emulator_plus_monthly';
const SUCCESS = 'https://linkoteca.test/plans?success=true&id={CHECKOUT_SESSION_ID}';
const CANCEL = 'https://linkoteca.test/plans?canceled=true';

let opened: OpenedEmulator;
beforeEach(() => {
  opened = openEmulator();
});

async function openCheckout(more: object = {}) {
  const { stripe } = opened;
  const customer = await stripe.customers.create({ email: 'ana@example.com' });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: PLUS, quantity: 1 }],
    success_url: SUCCESS,
    cancel_url: CANCEL,
    allow_promotion_codes: true,
    client_reference_id: 'u1',
    subscription_data: { metadata: { user_id: 'u1' } },
    ...more,
  });
  return { session, customer, path: new URL(session.url ?? '').pathname.replace('/payment-emulator', '') };
}

/** Opens the page, fills its form and follows where it leads. */
async function submit(path: string, fields: Record<string, string>, to = path) {
  const page = await readPage(await opened.open(path));
  return opened.post(to, { token: page.token, ...fields });
}

describe('the checkout', () => {
  test('shows what is bought, is marked as a test, runs no scripts and leads nowhere else', async () => {
    const { path } = await openCheckout();
    const response = await opened.open(path);
    const page = await readPage(response);
    expect(response.status).toBe(200);
    expect(page.text).toContain('Assinar Linkoteca Plus');
    expect(page.text).toMatch(/US\$\s1,99/);
    expect(page.text).toContain('modo de teste');
    expect(page.text).toContain('nenhum cartão de verdade é cobrado');
    expect(page.markup).not.toMatch(/<script|\son\w+=/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://linkoteca.test");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('a good card pays once, however often the button is pressed, and leads back with the session’s id', async () => {
    const { session, customer, path } = await openCheckout();
    const page = await readPage(await opened.open(path));
    const fields = { token: page.token, card: 'pm_card_visa' };
    const answers = await Promise.all([opened.post(path, fields), opened.post(path, fields)]);
    for (const answer of answers) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(SUCCESS.replace('{CHECKOUT_SESSION_ID}', session.id));
    }
    const { data } = await opened.stripe.subscriptions.list({ customer: customer.id });
    expect(data).toMatchObject([{ status: 'active', metadata: { user_id: 'u1' } }]);
    expect((await opened.stripe.charges.list({ customer: customer.id })).data).toMatchObject([
      { amount: 199, paid: true },
    ]);
    expect(await opened.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      subscription: data[0]?.id,
      client_reference_id: 'u1',
      amount_total: 199,
    });
    const again = await readPage(await opened.open(path));
    expect(again.text).toContain('Esta assinatura já foi paga');
    expect(again.token).toBe('');
  });

  test.each([
    ['pm_card_chargeDeclined', {}, 'Seu cartão foi recusado.'],
    [
      'typed',
      { number: '4000 0000 0000 9995', expiry: '12/40', cvc: '123' },
      'Seu cartão não tem saldo suficiente.',
    ],
    ['typed', { number: '4000000000000069', expiry: '12/40', cvc: '123' }, 'Seu cartão expirou.'],
    [
      'typed',
      { number: '4539578763621486', expiry: '12/40', cvc: '123' },
      'No modo de teste só valem os cartões de teste',
    ],
    ['typed', { number: '4242424242424241', expiry: '12/40', cvc: '123' }, 'O número do cartão é inválido.'],
    ['typed', { number: '4242424242424242', expiry: '12/20', cvc: '123' }, 'A validade do cartão já passou.'],
    [
      'typed',
      { number: '4242424242424242', expiry: '13/40', cvc: '123' },
      'Informe a validade no formato MM/AA.',
    ],
    [
      'typed',
      { number: '4242424242424242', expiry: '12/40', cvc: '1' },
      'O código de segurança do cartão está incompleto.',
    ],
    ['typed', {}, 'Informe o número do cartão.'],
    ['pm_card_of_somebody', {}, 'Informe o número do cartão.'],
  ])('%s %o is refused, nothing is bought, and another try is free', async (card, typed, sentence) => {
    const { customer, path } = await openCheckout();
    const answer = await submit(path, { card, ...typed });
    const page = await readPage(await opened.open(answer.headers.get('location') ?? ''));
    expect(page.alert).toContain(sentence);
    expect((await opened.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual(
      [],
    );
    const paid = await submit(path, { card: 'pm_card_visa' });
    expect(paid.headers.get('location')).toContain('success=true');
  });

  test('a card that is refused is refused for both of two clicks', async () => {
    const { path } = await openCheckout();
    const { token } = await readPage(await opened.open(path));
    for (const card of ['pm_card_chargeDeclined', 'pm_card_chargeDeclined']) {
      const answer = await opened.post(path, { token, card });
      expect(answer.headers.get('location')).toContain('?notice=generic_decline');
    }
    // The used token buys nothing, whatever card comes with it.
    await opened.post(path, { token, card: 'pm_card_visa' });
    expect((await opened.stripe.subscriptions.list()).data).toEqual([]);
  });

  test('a typed test card pays, and nothing but its last digits is kept', async () => {
    const { customer, path } = await openCheckout();
    await submit(path, { card: 'typed', number: '5555 5555 5555 4444', expiry: '1/40', cvc: '123' });
    expect(await opened.listObjects('payment_method')).toMatchObject([
      { customer: customer.id, card: { brand: 'mastercard', last4: '4444' } },
    ]);
    for (const kind of ['event', 'emulator.card', 'emulator.checkout'] as const)
      expect(JSON.stringify(await opened.listObjects(kind))).not.toContain('555555555555');
  });

  test('3D Secure: refused, nothing happens; confirmed, it is paid', async () => {
    const { customer, path } = await openCheckout();
    const card = 'pm_card_authenticationRequiredOnSetup';
    const asked = await submit(path, { card });
    const confirmPath = new URL(asked.headers.get('location') ?? '').pathname.replace(
      '/payment-emulator',
      '',
    );
    expect((await readPage(await opened.open(confirmPath))).text).toContain('Confirmar pagamento');
    const refused = await submit(confirmPath, { answer: 'no' });
    expect(refused.headers.get('location')).toContain('notice=confirmation_refused');
    expect((await opened.stripe.subscriptions.list({ customer: customer.id })).data).toEqual([]);
    // Without a new card there is nothing to confirm.
    expect((await submit(path, { answer: 'yes' }, confirmPath)).headers.get('location')).toContain(
      'notice=stale',
    );
    await submit(path, { card });
    const confirmed = await submit(confirmPath, { answer: 'yes' });
    expect(confirmed.headers.get('location')).toContain('success=true');
  });

  test('LINKOTECA10 takes ten per cent off the first payment; other codes are not valid', async () => {
    const { customer, path } = await openCheckout();
    const wrong = await submit(path, { code: 'GRATIS' }, `${path}/code`);
    expect((await readPage(await opened.open(wrong.headers.get('location') ?? ''))).alert).toContain(
      'não é válido',
    );
    await submit(path, { code: ' linkoteca10 ' }, `${path}/code`);
    expect((await readPage(await opened.open(path))).text).toMatch(/Total de hoje US\$\s1,79/);
    await submit(path, { card: 'pm_card_visa' });
    const { data } = await opened.stripe.invoices.list({ customer: customer.id });
    expect(data).toMatchObject([{ subtotal: 199, total: 179, amount_paid: 179 }]);
  });

  test('a code can be taken away again, and is none of a session that allows no codes', async () => {
    const { path } = await openCheckout();
    await submit(path, { code: 'LINKOTECA10' }, `${path}/code`);
    await submit(path, {}, `${path}/remove-code`);
    expect((await readPage(await opened.open(path))).text).toMatch(/Total de hoje US\$\s1,99/);
    const plain = await openCheckout({ allow_promotion_codes: false });
    expect((await readPage(await opened.open(plain.path))).text).not.toContain('Código promocional');
    const answer = await submit(plain.path, { code: 'LINKOTECA10' }, `${plain.path}/code`);
    expect(answer.headers.get('location')).toContain('notice=code_unknown');
  });

  test('somebody without an account at the provider gives an e-mail', async () => {
    const { session, path } = await openCheckout({ customer: undefined });
    const missing = await submit(path, { card: 'pm_card_visa', email: 'sem arroba' });
    expect(missing.headers.get('location')).toContain('notice=email_invalid');
    await submit(path, { card: 'pm_card_visa', email: 'nova@example.com' });
    const done = await opened.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['customer', 'subscription'],
    });
    expect(done).toMatchObject({
      customer: { email: 'nova@example.com' },
      subscription: { items: { data: [{ price: { id: PLUS } }] } },
    });
  });

  test('a trial costs nothing today', async () => {
    const { session, path } = await openCheckout({ subscription_data: { trial_period_days: 7 } });
    expect((await readPage(await opened.open(path))).text).toMatch(/Grátis até 7 de fevereiro de 2026/);
    await submit(path, { card: 'pm_card_visa' });
    expect(
      await opened.stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] }),
    ).toMatchObject({
      payment_status: 'no_payment_required',
      subscription: { status: 'trialing' },
    });
  });

  test('an expired session says so, takes nothing and leads back', async () => {
    const { session, path } = await openCheckout();
    const page = await readPage(await opened.open(path));
    await opened.stripe.checkout.sessions.expire(session.id);
    const gone = await opened.open(path);
    expect(gone.status).toBe(410);
    expect((await readPage(gone)).markup).toContain('href="https://linkoteca.test/plans?canceled=true"');
    const late = await opened.post(path, { token: page.token, card: 'pm_card_visa' });
    expect(late.status).toBe(410);
    const other = await openCheckout();
    await opened.advance(86_401);
    expect((await opened.open(other.path)).status).toBe(410);
    expect((await opened.stripe.checkout.sessions.retrieve(other.session.id)).status).toBe('expired');
    expect((await opened.stripe.subscriptions.list()).data).toEqual([]);
  });

  test('a forged, missing or borrowed token buys nothing', async () => {
    const [one, other] = [await openCheckout(), await openCheckout()];
    const borrowed = (await readPage(await opened.open(other.path))).token;
    for (const token of ['', 'forged', borrowed]) {
      const answer = await opened.post(one.path, { token, card: 'pm_card_visa' });
      expect(answer.headers.get('location')).toBe(`${SITE_URL}${one.path}?notice=stale`);
    }
    expect((await opened.open('/checkout/cs_test_guessed')).status).toBe(404);
    expect((await opened.stripe.subscriptions.list()).data).toEqual([]);
  });

  test('names and addresses from outside are shown as text', async () => {
    const { stripe } = opened;
    const customer = await stripe.customers.create({ email: '"><script>alert(1)</script>@example.com' });
    const { path } = await openCheckout({ customer: customer.id });
    const page = await readPage(await opened.open(`${path}?notice=%3Cscript%3E`));
    expect(page.markup).not.toContain('<script>');
    expect(page.markup).toContain('&lt;script&gt;');
    await expect(openCheckout({ success_url: 'javascript:alert(1)' })).rejects.toMatchObject({
      code: 'url_invalid',
    });
    await expect(openCheckout({ cancel_url: '//evil.example' })).rejects.toMatchObject({
      code: 'url_invalid',
    });
  });
});
