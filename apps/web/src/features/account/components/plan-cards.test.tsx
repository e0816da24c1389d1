import { onlineManager } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppConfig } from '../../../shared/lib/load-app-config.ts';
import { createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { resolvePlan } from '../model/resolve-plan.ts';
import { answerFunctions, fakePriceList, inTurn, refuse } from '../test/answer-functions.ts';
import { PlanCards } from './plan-cards.tsx';

const CHECKOUT = 'https://checkout.exemplo/c/pay/cs_1';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  onlineManager.setOnline(true);
});

/** Renders the cards for a person with this subscriber record. */
async function renderCards(
  subscriber?: Readonly<Record<string, unknown>>,
  auth = createFakeAuth(fakeSession()),
  config: Partial<AppConfig> = {},
) {
  const leavePage = vi.fn();
  const { queryClient } = await renderWithProviders(<PlanCards leavePage={leavePage} />, {
    auth,
    config,
    respond: ({ path }) => {
      if (path === 'subscribers') return { body: subscriber ? [subscriber] : [] };
      return { body: path === 'profiles' ? [{ plan: 'free' }] : [] };
    },
  });
  return { leavePage, queryClient };
}

const cardOf = (name: string) => screen.getByRole('heading', { name }).closest('li') as HTMLElement;
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('the cards', () => {
  test.each([
    ['Free', 'US$ 0,00', 'Grátis, sem prazo', ['Até 20 links', 'Até 5 categorias']],
    ['Plus', 'US$ 1,99 por mês', 'ou US$ 19,90 por ano', ['Até 500 links', 'Até 20 categorias']],
    ['Pro', 'US$ 3,99 por mês', 'ou US$ 39,90 por ano', ['Links sem limite', 'Categorias sem limite']],
  ])('%s costs what the specification says and allows what the plan allows', async (...expected) => {
    const [name, month, year, lines] = expected;
    answerFunctions();
    await renderCards();
    await waitFor(() => expect(cardOf(name).textContent).toContain(month));
    expect(cardOf(name).textContent).toContain(year);
    for (const line of lines) expect(within(cardOf(name)).getByText(line)).toBeTruthy();
    expect(await screen.findByText(/^Modo de teste/)).toBeTruthy();
  });

  test('by the year they show the yearly price and what it saves, from the figures', async () => {
    answerFunctions();
    await renderCards();
    fireEvent.click(await screen.findByRole('button', { name: 'Anual 2 meses grátis' }));
    expect(cardOf('Plus').textContent).toContain('US$ 19,90 por ano');
    expect(cardOf('Plus').textContent).toContain('economize US$ 3,98 por ano');
    expect(cardOf('Pro').textContent).toContain('economize US$ 7,98');
    expect(cardOf('Plus').textContent).not.toContain('US$ 1,99');
    expect(cardOf('Free').textContent).not.toMatch(/por (mês|ano)/);
  });

  test('what a plan lacks has no tick', async () => {
    answerFunctions();
    await renderCards();
    const iconOf = (text: string) => screen.getByText(text).querySelector('svg')?.classList.value ?? '';
    expect(iconOf('Sem compartilhar: só você abre')).toContain('minus');
    expect(iconOf('Até 20 links')).toContain('check');
  });

  test("the provider's own figures come without another figure before them", async () => {
    const seen = new Set<string>();
    let answer = () => {};
    answerFunctions({
      'list-prices': () =>
        new Promise((resolve) => {
          answer = () =>
            resolve(Response.json(fakePriceList({ testMode: false, currency: 'brl', plusMonth: 990 })));
        }),
    });
    await renderCards();
    await screen.findByRole('button', { name: 'Assinar Plus' });
    seen.add(cardOf('Plus').textContent ?? '');
    await act(async () => answer());
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('R$ 9,90 por mês'));
    expect(cardOf('Free').textContent).toContain('R$ 0,00');
    expect([...seen].join()).not.toMatch(/\$/);
    expect(screen.queryByText(/^Modo de teste/)).toBeNull();
  });

  test('a period that is not sold has no figure of another currency', async () => {
    const { prices, ...list } = fakePriceList({ testMode: false, currency: 'brl', plusMonth: 990 });
    const isSold = ({ plan, interval }: (typeof prices)[number]) => plan !== 'plus' || interval !== 'year';
    answerFunctions({ 'list-prices': () => Response.json({ ...list, prices: prices.filter(isSold) }) });
    await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('R$ 9,90 por mês'));
    expect(cardOf('Plus').textContent).not.toContain('por ano');
    expect(cardOf('Pro').textContent).toContain('por ano');
    fireEvent.click(screen.getByRole('button', { name: 'Anual' }));
    expect(await within(cardOf('Plus')).findByText('Indisponível no momento')).toBeTruthy();
    expect(cardOf('Plus').textContent).not.toContain('R$');
    expect(cardOf('Pro').textContent).toContain('economize');
    expect(cardOf('Free').textContent).toContain('R$ 0,00');
  });

  test('where nobody really pays they stand at once', async () => {
    answerFunctions({ 'list-prices': () => new Promise(() => undefined) });
    await renderCards(undefined, createFakeAuth(fakeSession()), { paymentsEmulated: true });
    expect(cardOf('Plus').textContent).toContain('US$ 1,99 por mês');
    expect(screen.getByText(/^Modo de teste/)).toBeTruthy();
    expect((await screen.findByRole('button', { name: 'Assinar Plus' })).hasAttribute('disabled')).toBe(
      false,
    );
  });

  test.each([
    ['is away', () => new Response(null, { status: 503 })],
    ['answers nonsense', () => Response.json({ prices: [{ plan: 'gold' }] })],
  ])("where the price list %s, the table's own figures stand", async (_name, answer) => {
    answerFunctions({ 'list-prices': answer });
    await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$ 1,99 por mês'));
  });

  test("a person's own plan and its period are marked", async () => {
    answerFunctions();
    await renderCards({ plan: 'plus', subscription_status: 'active', billing_interval: 'year' });
    const mark = await screen.findByText('Seu plano');
    expect(mark.closest('li')).toBe(cardOf('Plus'));
    expect(within(cardOf('Plus')).getByText('anual')).toBeTruthy();
    expect(within(cardOf('Plus')).getByText('Plano atual')).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Anual/ }).getAttribute('aria-pressed')).toBe('true');
    expect(screen.queryByRole('button', { name: 'Assinar Plus' })).toBeNull();
  });

  test('after a subscription has ended the free plan is marked', async () => {
    answerFunctions();
    await renderCards({ plan: 'plus', subscription_status: 'canceled' });
    expect((await screen.findByText('Seu plano')).closest('li')).toBe(cardOf('Free'));
  });
});

describe('subscribing', () => {
  test('sends the price id alone, spins, and leaves after half a second', async () => {
    let answeredAt = 0;
    const asked = answerFunctions({
      'create-checkout': () => {
        answeredAt = Date.now();
        return Response.json({ url: CHECKOUT });
      },
    });
    const { leavePage } = await renderCards();
    let leftAt = 0;
    leavePage.mockImplementation(() => {
      leftAt = Date.now();
    });
    await waitFor(() => expect(cardOf('Pro').textContent).toContain('US$ 3,99'));
    await press('Assinar Pro');
    const busy = await screen.findByRole('button', { name: 'Abrindo pagamento...' });
    expect(busy.querySelector('.animate-spin')).toBeTruthy();
    await waitFor(() => expect(asked.of('create-checkout')).toHaveLength(1));
    expect(asked.of('create-checkout')[0]).toMatchObject({
      method: 'POST',
      authorization: 'Bearer access-token',
      body: { priceId: 'price_emulator_pro_monthly', redirectUrl: `${window.location.origin}/plans` },
    });
    await pass(550);
    expect(leavePage.mock.calls).toEqual([[CHECKOUT]]);
    expect(leftAt - answeredAt).toBeGreaterThanOrEqual(500);
  });

  test('by the year it is the yearly price that is bought', async () => {
    const asked = answerFunctions({ 'create-checkout': () => Response.json({ url: CHECKOUT }) });
    const { leavePage } = await renderCards();
    await press('Anual 2 meses grátis');
    await press('Assinar Plus');
    await waitFor(() => expect(leavePage.mock.calls).toEqual([[CHECKOUT]]));
    expect(asked.of('create-checkout').map(({ body }) => body)).toEqual([
      expect.objectContaining({ priceId: 'price_emulator_plus_yearly' }),
    ]);
  });

  test('a second click does nothing, on this card and on the others', async () => {
    const asked = answerFunctions({
      'create-checkout': () => Response.json({ sessionUrl: CHECKOUT, url: 'https://outro.exemplo/' }),
    });
    const { leavePage } = await renderCards();
    const plus = await screen.findByRole('button', { name: 'Assinar Plus' });
    const pro = screen.getByRole('button', { name: 'Assinar Pro' });
    await waitFor(() => expect(pro.hasAttribute('disabled')).toBe(false));
    act(() => {
      plus.click();
      plus.click();
      pro.click();
    });
    await waitFor(() => expect(pro.hasAttribute('disabled')).toBe(true));
    plus.click();
    await pass(600);
    expect(asked.of('create-checkout')).toHaveLength(1);
    expect(leavePage.mock.calls).toEqual([[CHECKOUT]]);
  });

  test('whoever comes back with the back button finds the buttons as they were', async () => {
    answerFunctions({ 'create-checkout': () => Response.json({ url: CHECKOUT }) });
    const { leavePage } = await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$'));
    await press('Assinar Plus');
    await waitFor(() => expect(leavePage).toHaveBeenCalled());
    expect(screen.getByRole('button', { name: 'Abrindo pagamento...' })).toBeTruthy();
    const kept = new Event('pageshow');
    Object.defineProperty(kept, 'persisted', { value: true });
    act(() => void window.dispatchEvent(kept));
    expect(await screen.findByRole('button', { name: 'Assinar Plus' })).toBeTruthy();
  });

  const generic = ['Erro ao iniciar processo de pagamento', 'Por favor, tente novamente em alguns instantes'];
  test.each([
    ['says why', () => refuse('Plano desconhecido'), [generic[0], 'Plano desconhecido']],
    ['says why with 200', () => refuse('Plano desconhecido', 200), [generic[0], 'Plano desconhecido']],
    ['fails without a word', () => new Response('<html>', { status: 502 }), generic],
    ['answers no JSON', () => new Response('ok'), generic],
    ['answers a list', () => Response.json([CHECKOUT]), generic],
    ['leads elsewhere', () => Response.json({ url: 'javascript:alert(1)' }), generic],
    ['leads elsewhere in the clear', () => Response.json({ url: 'http://mau.exemplo' }), generic],
    [
      'forgets the address',
      () => Response.json({ sessionUrl: null }),
      ['Erro ao iniciar o processo de pagamento'],
    ],
    [
      'cannot be reached',
      () => Promise.reject(new TypeError('Failed to fetch')),
      [generic[0], 'Sem conexão com a internet. Verifique sua rede e tente de novo.'],
    ],
  ])('where the server %s, a toast tells and the button is back', async (_name, answer, words) => {
    answerFunctions({ 'create-checkout': answer });
    const { leavePage } = await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$'));
    await press('Assinar Plus');
    for (const word of words) expect(await screen.findByText(String(word))).toBeTruthy();
    expect(screen.queryByText(/Failed|Invalid/)).toBeNull();
    expect(await screen.findByRole('button', { name: 'Assinar Plus' })).toBeTruthy();
    await pass(600);
    expect(leavePage).not.toHaveBeenCalled();
  });

  test('without network nothing is sent, and the screen says so', async () => {
    onlineManager.setOnline(false);
    const asked = answerFunctions({ 'create-checkout': () => Response.json({ url: CHECKOUT }) });
    const { leavePage, queryClient } = await renderCards();
    act(
      () => void queryClient.setQueryData(['subscription', fakeSession().user.id], resolvePlan(null, 'free')),
    );
    expect(cardOf('Plus').textContent).toContain('US$ 1,99');
    await press('Assinar Plus');
    expect(await screen.findByText('Sem conexão. Tente de novo quando voltar.')).toBeTruthy();
    expect(asked.of('create-checkout')).toEqual([]);
    await pass(600);
    expect(leavePage).not.toHaveBeenCalled();
  });

  test('without a session nothing is sent', async () => {
    const asked = answerFunctions({ 'create-checkout': () => Response.json({ url: CHECKOUT }) });
    const auth = createFakeAuth(fakeSession());
    await renderCards(undefined, auth);
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$'));
    auth.getSession.mockResolvedValue({ data: { session: null }, error: null });
    await press('Assinar Plus');
    await screen.findByText('Você precisa estar autenticado para realizar esta operação');
    expect(asked.of('create-checkout')).toEqual([]);
  });

  test('nobody is sent to pay another price than the one shown', async () => {
    const asked = answerFunctions({
      'list-prices': inTurn(
        () => new Response(null, { status: 503 }),
        () => Response.json(fakePriceList({ plusMonth: 299 })),
      ),
      'create-checkout': () => Response.json({ url: CHECKOUT }),
    });
    await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$ 1,99'));
    await press('Assinar Plus');
    await screen.findByText('Os preços foram atualizados');
    expect(cardOf('Plus').textContent).toContain('US$ 2,99');
    expect(asked.of('create-checkout')).toEqual([]);
  });

  test('nor the same figure in another currency', async () => {
    const asked = answerFunctions({
      'list-prices': inTurn(
        () => new Response(null, { status: 503 }),
        () => Response.json(fakePriceList({ currency: 'eur' })),
      ),
      'create-checkout': () => Response.json({ url: CHECKOUT }),
    });
    await renderCards();
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$ 1,99'));
    await press('Assinar Plus');
    await screen.findByText('Os preços foram atualizados');
    expect(cardOf('Plus').textContent).toContain('€ 1,99');
    expect(asked.of('create-checkout')).toEqual([]);
  });

  test('a running subscription is cancelled in the portal', async () => {
    const portal = 'https://billing.exemplo/p/session';
    const asked = answerFunctions({ 'customer-portal': () => Response.json({ url: portal }) });
    const { leavePage } = await renderCards({ plan: 'plus', subscription_status: 'active' });
    await waitFor(() => expect(cardOf('Plus').textContent).toContain('US$'));
    await press('Cancelar assinatura');
    await waitFor(() => expect(leavePage).toHaveBeenCalledWith(portal));
    expect(asked.of('customer-portal')[0]?.body).toEqual({
      returnUrl: `${window.location.origin}/profile?tab=billing`,
    });
  });
});
