import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { applyThemeChoice } from '../../features/theme/model/theme-choice.ts';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { expectConsoleError } from '../../shared/test/setup-browser-tests.ts';
import { toast } from '../../shared/ui/feedback/toast.ts';
import { createAppRouter } from '../app.tsx';
import { fakeLibrary } from '../test/fake-library.ts';
import { narrowScreen } from '../test/narrow-screen.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

const MISSING = 'Categoria não encontrada ou acesso não autorizado';

/** Options of the pages' routes, which every router of the app shares. */
const routes = createAppRouter().routesById;
const dashboard: { loader?: unknown } = routes['/shell/dashboard'].options;
const plans: { component?: unknown } = routes['/shell/plans'].options;
const { component: plansPage } = plans;

beforeAll(async () => {
  await loadScreens();
  await import('../organiser/category-page.tsx');
}, 60_000);

beforeEach(() => {
  vi.stubGlobal('fetch', fakeLibrary().fetch);
});

afterEach(() => {
  applyThemeChoice('system');
  delete dashboard.loader;
  plans.component = plansPage;
  vi.unstubAllGlobals();
});

const open = (path: string) => renderApp(path, { auth: createFakeAuth(fakeSession()) });

/** Lets the dashboard wait, as it does while its code is on its way; returns what lets it come. */
function holdDashboard(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  dashboard.loader = () => promise;
  return resolve;
}

test('a page that leads elsewhere says so once, however long the next one takes to come', async () => {
  const said = vi.spyOn(toast, 'error');
  const release = holdDashboard();
  const { path } = open('/category/99999999-9999-4999-8999-999999999999');
  expect(await screen.findByText(MISSING)).toBeTruthy();
  expect(path()).toBe('/dashboard');
  expect(screen.queryByRole('heading', { name: /^Olá/ })).toBeNull();
  release();
  expect(await screen.findByRole('heading', { name: /^Olá/ })).toBeTruthy();
  expect(said.mock.calls.filter(([title]) => title === MISSING)).toHaveLength(1);
});

test('a page keeps what was typed in it until the next one is there', async () => {
  const user = userEvent.setup();
  const release = holdDashboard();
  open('/profile');
  const name = await screen.findByLabelText('Nome');
  await user.type(name, ' Lima');
  await user.click(screen.getByRole('link', { name: 'Linkoteca, ir para o início' }));
  expect(screen.getByLabelText('Nome')).toBe(name);
  release();
  expect(await screen.findByRole('heading', { name: /^Olá/ })).toBeTruthy();
});

test('a screen reader is told which page has come, not which one it began with', async () => {
  const user = userEvent.setup();
  open('/profile');
  await screen.findByLabelText('Nome');
  await user.click(screen.getByRole('link', { name: 'Linkoteca, ir para o início' }));
  const said = await screen.findByText('Início · Linkoteca');
  expect(said.parentElement?.getAttribute('aria-live')).toBe('polite');
  expect(said.parentElement?.childElementCount).toBe(1);
});

test('the menu of a narrow screen has all of the account in it, and the plans and the theme', async () => {
  narrowScreen();
  const user = userEvent.setup();
  open('/dashboard');
  const button = await screen.findByRole('button', { name: 'Abrir menu' });
  await user.click(button);
  const menu = within(await screen.findByRole('dialog', { name: 'Conta' }));
  expect((await menu.findByText('Links')).parentElement?.textContent).toBe('Links0/20');
  expect(menu.getByRole('link', { name: 'Upgrade' }).getAttribute('href')).toBe('/plans');
  expect(menu.getByText('Idioma').parentElement?.textContent).toBe('IdiomaPortuguês');
  expect(menu.getByRole('link', { name: 'Perfil' }).getAttribute('href')).toBe('/profile');
  expect(menu.getByRole('link', { name: 'Planos' }).getAttribute('href')).toBe('/plans');
  expect(menu.getByRole('button', { name: 'Sair' })).toBeTruthy();
  await user.click(menu.getByRole('button', { name: 'Tema do sistema' }));
  expect(menu.getByRole('button', { name: 'Tema claro' })).toBeTruthy();

  await user.click(menu.getByRole('button', { name: /^Assinatura\s*Free$/ }));
  const settings = within(await screen.findByRole('dialog', { name: 'Configurações da Conta' }));
  expect(await settings.findByRole('region', { name: 'Faturamento e Assinatura' })).toBeTruthy();
});

test('a page that breaks leaves the frame alone, and the way to the others', async () => {
  const user = userEvent.setup();
  plans.component = () => {
    throw new Error('broken');
  };
  open('/plans');
  expect(await screen.findByRole('heading', { name: 'Algo não saiu como esperado' })).toBeTruthy();
  expectConsoleError(/broken/);
  await user.click(screen.getByRole('link', { name: 'Linkoteca, ir para o início' }));
  expect(await screen.findByRole('heading', { name: /^Olá/ })).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Algo não saiu como esperado')).toBeNull());
});
