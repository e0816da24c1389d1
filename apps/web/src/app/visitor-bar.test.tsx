import { screen, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { createFakeAuth, fakeSession } from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

beforeAll(loadScreens, 60_000);

const wayIn = async () =>
  within(await screen.findByRole('navigation', { name: 'Conta' }))
    .queryAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

test.each(['/unsubscribe', '/endereco/que/nao/existe'])(
  'on %s visitors see Entrar and Criar Conta, and no account menu',
  async (path) => {
    renderApp(path);
    await screen.findByRole('link', { name: 'Entrar' });
    expect(await wayIn()).toEqual([
      ['Entrar', '/login'],
      ['Criar Conta', '/signup'],
    ]);
    expect(screen.queryByRole('button', { name: 'Abrir menu da conta' })).toBeNull();
  },
);

test('who is signed in finds the way back instead', async () => {
  renderApp('/nada', { auth: createFakeAuth(fakeSession()) });
  await screen.findByRole('link', { name: 'Abrir meus links' });
  expect(await wayIn()).toEqual([['Abrir meus links', '/dashboard']]);
});

test('until that is known it offers neither', async () => {
  renderApp('/nada', { auth: createFakeAuth(undefined) });
  expect(await wayIn()).toEqual([]);
});
