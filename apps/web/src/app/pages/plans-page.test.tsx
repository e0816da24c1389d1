import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerFunctions, inTurn, refuse } from '../../features/account/test/answer-functions.ts';
import { renderWithProviders } from '../../shared/test/render-with-providers.tsx';
import { PlansPage } from './plans-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens the page at an address, for a person whose plan is paid as soon as a check says so. */
async function openPage(href: string, check: Parameters<typeof answerFunctions>[0] = {}) {
  const asked = answerFunctions(check);
  const history = createMemoryHistory({ initialEntries: ['/dashboard', href] });
  const router = createRouter({ routeTree: createRootRoute({ component: PlansPage }), history });
  let plan = 'free';
  await renderWithProviders(<RouterProvider router={router as never} />, {
    respond: ({ path }) => {
      if (asked.of('check-subscription').length > 1) plan = 'plus';
      return { body: path === 'profiles' ? [{ plan }] : [] };
    },
  });
  return { history, checks: () => asked.of('check-subscription') };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const subscribed = () => Response.json({ subscribed: true, plan: 'plus', status: 'active' });
const notYet = () => Response.json({ subscribed: false, plan: 'free', status: null });

test('after a payment the subscription is checked at once, after 2 s and after 3 s more; then it is told, and the address is tidy', async () => {
  const { history, checks } = await openPage('/plans?from=mail&success=true&canceled=true#x', {
    'check-subscription': inTurn(notYet, subscribed),
  });
  expect(await screen.findByText('Confirmando seu pagamento...')).toBeTruthy();
  await waitFor(() => expect(checks()).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Assinar Plus' }).hasAttribute('disabled')).toBe(true);
  await pass(1_000);
  expect(checks()).toHaveLength(1);
  await pass(1_100);
  expect(checks()).toHaveLength(2);
  // What the check changed is read again: the card is marked while the third is awaited.
  await waitFor(() => expect(screen.getByText('Seu plano').closest('li')?.textContent).toMatch(/^Plus/));
  await pass(1_500);
  expect(checks()).toHaveLength(2);
  expect(screen.queryByText('Assinatura confirmada!')).toBeNull();
  expect(history.location.href).toContain('success=true');
  await pass(1_600);
  expect(await screen.findByText('Assinatura confirmada!')).toBeTruthy();
  expect(screen.getByText('Seu plano agora é o Plus.')).toBeTruthy();
  expect(checks()).toHaveLength(3);
  expect(history.location.href).toBe('/plans?from=mail#x');
  expect(screen.queryByText('Confirmando seu pagamento...')).toBeNull();
  expect(screen.getByRole('button', { name: 'Mudar para o Pro' }).hasAttribute('disabled')).toBe(false);
  await pass(6_000);
  expect(checks()).toHaveLength(3);
  expect(checks()[0]).toMatchObject({ method: 'GET', authorization: 'Bearer access-token' });
});

test.each([
  ['not confirmed yet', notYet, 'Recebemos seu retorno do pagamento'],
  ['not to be confirmed now', () => refuse('Fora do ar', 503), 'Erro ao atualizar dados da assinatura'],
])('a payment that is %s is not called confirmed', async (_name, check, words) => {
  const { history, checks } = await openPage('/plans?success=true', { 'check-subscription': check });
  await waitFor(() => expect(checks()).toHaveLength(1));
  await pass(5_100);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(checks()).toHaveLength(3);
  expect(screen.queryByText('Assinatura confirmada!')).toBeNull();
  expect(history.location.href).toBe('/plans');
});

test('a payment that was called off is told once, and nothing is checked', async () => {
  const { history, checks } = await openPage('/plans?canceled=true&a=1');
  expect(await screen.findByText('Pagamento cancelado')).toBeTruthy();
  await waitFor(() => expect(history.location.href).toBe('/plans?a=1'));
  await pass(6_000);
  expect(checks()).toEqual([]);
});

test('opened by itself the page tells nothing, compares the plans and answers what people ask of money', async () => {
  const { checks } = await openPage('/plans?success=false');
  const links = (await screen.findByRole('rowheader', { name: 'Links' })).closest('tr') as HTMLElement;
  expect(
    within(links)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['20', '500', 'Sem limite']);
  const refund = screen.getByRole('rowheader', { name: 'Reembolso em 14 dias' }).closest('tr') as HTMLElement;
  expect(
    within(refund)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['Não', 'Sim', 'Sim']);
  for (const words of [
    /Até 14 dias depois do primeiro pagamento/,
    /até o fim do período que já pagou/,
    /Nada se perde/,
  ])
    expect(screen.getByText(words)).toBeTruthy();
  expect(screen.queryByText('Confirmando seu pagamento...')).toBeNull();
  expect(checks()).toEqual([]);
});
