import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../shared/test/create-fake-auth.ts';
import { narrowScreen } from './test/narrow-screen.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

beforeAll(loadScreens, 60_000);

beforeEach(() => {
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
  // As index.html begins.
  document.documentElement.lang = 'pt-BR';
  document.title = 'Linkoteca';
  // axe measures letters on a canvas, which jsdom lacks too.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

/** Colours need a layout, which jsdom lacks: the browser tests judge them. */
async function expectNoViolations() {
  const { violations } = await axe.run(document, {
    rules: { 'color-contrast': { enabled: false } },
    resultTypes: ['violations'],
    preload: false,
  });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

test.each([
  ['/login?notice=verify-email', 'Entrar'],
  ['/signup', 'Criar conta'],
  ['/reset-password', 'Redefinir senha'],
  ['/terms', 'Esta página não está guardada neste aparelho'],
  ['/unsubscribe?token=1', 'Avisos de compartilhamento'],
  ['/unsubscribe?token=1&mail=daily', 'Resumo diário por e-mail'],
  ['/nada', 'Página não encontrada'],
])('%s', async (path, heading) => {
  renderApp(path, { config: { signInProviders: ['google'] } });
  await screen.findByRole('heading', { name: heading });
  await expectNoViolations();
});

test.each([
  ['/profile', 'Perfil'],
  ['/profile?tab=billing', 'Faturamento e Assinatura'],
  ['/plans', 'Planos'],
  ['/lixeira', 'Lixeira'],
  ['/change-password', 'Criar nova senha'],
])('%s, signed in', async (path, heading) => {
  renderApp(path, { auth: createFakeAuth(fakeSession()) });
  await screen.findByRole('heading', { name: heading });
  await expectNoViolations();
});

test('a form with every field refused', async () => {
  renderApp('/signup');
  await userEvent.click(await screen.findByRole('button', { name: 'Criar conta' }));
  expect(await screen.findByText('Nome é obrigatório')).toBeTruthy();
  await expectNoViolations();
});

test.each(['Abrir menu da conta', 'Abrir menu'])('the account menu, opened by %s', async (button) => {
  if (button === 'Abrir menu') narrowScreen();
  renderApp('/profile', { auth: createFakeAuth(fakeSession()) });
  await userEvent.click(await screen.findByRole('button', { name: button }));
  await screen.findByRole('dialog', { name: 'Conta' });
  await expectNoViolations();
});
