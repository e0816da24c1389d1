import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { readPerson } from '../../../shared/lib/session/read-person.ts';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import type { FakeAnswer } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { AccountPanel } from './account-panel.tsx';
import { BillingPanel } from './billing-panel.tsx';

const person = readPerson(fakeSession().user);
const BROKEN: FakeAnswer = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};
const loadFailed = 'Não foi possível carregar informações da assinatura';

interface Account {
  readonly plan?: string;
  readonly links?: number;
  readonly subscriber?: Readonly<Record<string, unknown>>;
  /** The relation that cannot be read. */
  readonly broken?: string;
  readonly leaving?: boolean;
}

/** Renders a panel for a person with this plan and so many links. */
async function renderPanel(which: 'menu' | 'billing', account: Account = {}) {
  const { plan = 'free', links = 3, subscriber, broken, leaving = false } = account;
  const nothing = () => undefined;
  const panel =
    which === 'billing' ? (
      <BillingPanel />
    ) : (
      <AccountPanel
        person={person}
        leaving={leaving}
        onSignOut={nothing}
        onOpenBilling={nothing}
        onOpenShortcuts={nothing}
        onNavigate={nothing}
      />
    );
  const router = createRouter({
    routeTree: createRootRoute({ component: () => panel }),
    history: createMemoryHistory(),
  });
  await renderWithProviders(<RouterProvider router={router as never} />, {
    respond: ({ path }) => {
      if (path === broken) return BROKEN;
      if (path === 'subscribers') return { body: subscriber ? [subscriber] : [] };
      if (path === 'profiles') return { body: [{ plan }] };
      return { body: [{ folder_count: 1, category_count: 1, link_count: links }] };
    },
  });
}

const subscriptionRow = () => screen.findByRole('button', { name: /^Assinatura/ });

describe('the account menu', () => {
  test('shows who one is, what is used with a bar, and an Upgrade on the free plan', async () => {
    await renderPanel('menu');
    expect(await screen.findByText('3')).toBeTruthy();
    expect(screen.getByText('Ana de Souza')).toBeTruthy();
    expect(screen.getByText('ana@exemplo.com')).toBeTruthy();
    expect(screen.getByText('3').parentElement?.textContent).toBe('3/20');
    const bar = screen.getByRole('progressbar', { name: 'Links usados' });
    expect(bar.getAttribute('aria-valuenow')).toBe('15');
    expect(screen.getByRole('link', { name: 'Upgrade' }).getAttribute('href')).toBe('/plans');
    expect(within(await subscriptionRow()).getByText('Free')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Perfil' }).getAttribute('href')).toBe('/profile');
  });

  test('names the language, which cannot be pressed', async () => {
    await renderPanel('menu');
    expect(await screen.findByText('Português')).toBeTruthy();
    expect(screen.getByText('Idioma').closest('a, button')).toBeNull();
  });

  test('shows an infinity symbol where there is no limit, and no Upgrade', async () => {
    await renderPanel('menu', { plan: 'pro', links: 1234 });
    const used = await screen.findByText('1.234');
    expect(used.parentElement?.querySelector('svg.lucide-infinity')).toBeTruthy();
    expect(within(used.parentElement as HTMLElement).getByText('sem limite')).toBeTruthy();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Upgrade' })).toBeNull();
    expect(within(await subscriptionRow()).getByText('Pro')).toBeTruthy();
  });

  test.each([
    [18, 'Apenas 2 links restantes do seu limite de 20.'],
    [19, 'Apenas 1 link restante do seu limite de 20.'],
    [20, 'Você atingiu o limite de 20 links.'],
  ])('warns at %i links', async (links, words) => {
    await renderPanel('menu', { links });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  test('names the subscribed plan although it has lapsed and allows no more than free', async () => {
    const subscriber = { plan: 'plus', subscription_status: 'canceled', current_period_end: null };
    await renderPanel('menu', { subscriber });
    expect(await within(await subscriptionRow()).findByText('Plus')).toBeTruthy();
    expect((await screen.findByText('3')).parentElement?.textContent).toBe('3/20');
    expect(screen.getByRole('link', { name: 'Upgrade' })).toBeTruthy();
  });

  test("reads 'Saindo...' while signing out", async () => {
    await renderPanel('menu', { leaving: true });
    expect((await screen.findByRole('button', { name: 'Saindo...' })).getAttribute('aria-disabled')).toBe(
      'true',
    );
    expect(screen.queryByRole('button', { name: 'Sair' })).toBeNull();
  });
});

describe('the billing tab', () => {
  test.each([
    ['free', 'Plano Free', 'Ver planos pagos'],
    ['plus', 'Plano Plus', 'Alterar Plano'],
    ['pro', 'Plano Pro', 'Alterar Plano'],
  ])('on %s leads to the plans', async (plan, heading, words) => {
    await renderPanel('billing', { plan });
    expect(await screen.findByText(heading)).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Faturamento e Assinatura' })).toBeTruthy();
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      [words, '/plans'],
    ]);
  });

  test('says when the next payment is due', async () => {
    const current_period_end = '2025-12-11T12:00:00Z';
    const subscriber = { plan: 'plus', subscription_status: 'active', current_period_end };
    await renderPanel('billing', { subscriber });
    expect(await screen.findByText('Próxima cobrança em 11 de dezembro de 2025')).toBeTruthy();
  });
});

describe.each(['subscribers', 'profiles'])('without an answer from %s', (broken) => {
  test.each([
    ['menu', 'Upgrade'],
    ['billing', 'Ver planos pagos'],
  ] as const)('the %s falls back to the free plan and says so', async (which, words) => {
    await renderPanel(which, { broken, plan: 'pro' });
    expect(await screen.findByText(loadFailed)).toBeTruthy();
    expect(await screen.findByRole('link', { name: words })).toBeTruthy();
    await waitFor(() => expect(screen.getByText('3').parentElement?.textContent).toBe('3/20'));
    expectConsoleError(/read failed/);
  });
});
