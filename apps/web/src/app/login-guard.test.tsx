import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const guardWords = 'Você precisa estar logado para acessar esta página';

beforeAll(loadScreens, 60_000);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  // What the shell reads once someone is in: nothing there yet.
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('while the session loads, a guarded page is a full-screen spinner', async () => {
  renderApp('/profile', { auth: createFakeAuth(undefined) });
  expect(await screen.findByText('Carregando...')).toBeTruthy();
  expect(screen.queryByLabelText('E-mail')).toBeNull();
});

test('a visitor is sent to /login with the page they came from', async () => {
  const app = renderApp('/profile?tab=billing');
  await waitFor(() => expect(app.path()).toBe('/login?from=%2Fprofile%3Ftab%3Dbilling'));
  expect(await screen.findByRole('heading', { name: 'Entrar' })).toBeTruthy();
});

test('if no user appears within 3 seconds the visitor is told why, for 4 seconds', async () => {
  const app = renderApp('/profile');
  await waitFor(() => expect(app.path()).toContain('/login'));
  await screen.findByRole('heading', { name: 'Entrar' });
  expect(screen.queryByText(guardWords)).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(await screen.findByText(guardWords)).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(4_500));
  await waitFor(() => expect(screen.queryByText(guardWords)).toBeNull());
});

test('who signs in returns to the page they came from and hears no complaint', async () => {
  const app = renderApp('/profile?tab=security');
  await waitFor(() => expect(app.path()).toContain('/login'));
  act(() => app.auth.announce('SIGNED_IN', fakeSession()));
  await waitFor(() => expect(app.path()).toBe('/profile?tab=security'));
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(screen.queryByText(guardWords)).toBeNull();
});

test('an address outside the app is not a place to return to', async () => {
  const app = renderApp('/login?from=%2F%2Fmal.exemplo%2Fpainel', { auth: createFakeAuth(fakeSession()) });
  await waitFor(() => expect(app.path()).toBe('/dashboard'));
});

test('signing out says goodbye and leads to /login after half a second, without the complaint', async () => {
  const app = renderApp('/profile', { auth: createFakeAuth(fakeSession()) });
  const account = await screen.findByRole('button', { name: 'Abrir menu da conta' });
  act(() => account.click());
  const leave = await screen.findByRole('button', { name: 'Sair' });
  act(() => leave.click());
  expect(await screen.findByText('Logout realizado')).toBeTruthy();
  expect(screen.getByText('Você saiu da sua conta.')).toBeTruthy();
  await waitFor(() => expect(app.path()).toBe('/login'));
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  expect(screen.queryByText(guardWords)).toBeNull();
});

test("a sign-out reads 'Saindo...' and leads to /login half a second after it is done", async () => {
  const auth = createFakeAuth(fakeSession());
  const answer = Promise.withResolvers<{ error: null }>();
  auth.admin.signOut.mockReturnValue(answer.promise);
  const app = renderApp('/profile', { auth });
  const account = await screen.findByRole('button', { name: 'Abrir menu da conta' });
  act(() => account.click());
  const leave = await screen.findByRole('button', { name: 'Sair' });
  // From here on the clock moves only when told.
  vi.useFakeTimers();
  act(() => leave.click());
  expect(screen.getByRole('button', { name: 'Saindo...' })).toBe(leave);
  expect(app.path()).toBe('/profile');
  await act(async () => answer.resolve({ error: null }));
  await act(() => vi.advanceTimersByTimeAsync(450));
  expect(screen.getByText('Saindo...')).toBeTruthy();
  expect(app.path()).toBe('/profile');
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(app.path()).toBe('/login');
});

test('a sign-out that the service refuses keeps the person in and says so', async () => {
  const auth = createFakeAuth(fakeSession());
  auth.admin.signOut.mockResolvedValue({ error: new Error('unreachable') });
  const app = renderApp('/profile', { auth });
  const account = await screen.findByRole('button', { name: 'Abrir menu da conta' });
  act(() => account.click());
  const leave = await screen.findByRole('button', { name: 'Sair' });
  act(() => leave.click());
  expect(await screen.findByText('Erro ao sair')).toBeTruthy();
  expect(screen.getByText('Não foi possível fazer logout.')).toBeTruthy();
  expect(app.path()).toBe('/profile');
});

test('signing out in another tab leads this one to /login', async () => {
  const app = renderApp('/profile', { auth: createFakeAuth(fakeSession()) });
  await screen.findByRole('heading', { name: 'Perfil' });
  act(() => app.auth.announce('SIGNED_OUT', null));
  await waitFor(() => expect(app.path()).toContain('/login'));
});
