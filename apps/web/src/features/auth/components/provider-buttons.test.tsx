import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_IN_PROVIDERS, type SignInProvider } from '../../../shared/sign-in/sign-in-providers.tsx';
import { createFakeAuth } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { LinkNotice } from './link-notice.tsx';
import { ProviderButtons } from './provider-buttons.tsx';

/** A second provider, known by its entry in the table alone. */
const table = SIGN_IN_PROVIDERS as SignInProvider[];
beforeAll(() => {
  table.push({ name: 'acme', label: 'Acme', withArticle: 'a Acme', icon: null });
});
afterAll(() => {
  table.pop();
});

const render = (signInProviders: readonly string[], auth = createFakeAuth(null)) =>
  renderWithProviders(<ProviderButtons from={undefined} />, { auth, config: { signInProviders } });

const labels = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

test('every provider that is offered has its button, in the order of the table', async () => {
  await render(['acme', 'google']);
  expect(labels()).toEqual(['Continuar com Google', 'Continuar com Acme']);
});

test('each of the product’s own has its button with a mark, and is called by its name', async () => {
  const own = ['keycloak', 'discord', 'facebook', 'github', 'azure', 'apple', 'google'];
  await render(own);
  expect(labels()).toEqual([
    'Continuar com Google',
    'Continuar com Apple',
    'Continuar com Microsoft',
    'Continuar com GitHub',
    'Continuar com Facebook',
    'Continuar com Discord',
    'Continuar com login único',
  ]);
  for (const button of screen.getAllByRole('button')) expect(button.querySelector('svg')).toBeTruthy();
});

test('a provider that is not offered has none, and one without an entry neither', async () => {
  await render(['acme', 'unknown']);
  expect(labels()).toEqual(['Continuar com Acme']);
});

test('its button leaves for it, and only it is busy', async () => {
  const auth = createFakeAuth(null);
  await render(['acme', 'google'], auth);
  fireEvent.click(screen.getByRole('button', { name: 'Continuar com Acme' }));
  await waitFor(() => expect(labels()).toEqual(['Continuar com Google', 'Abrindo a Acme...']));
  expect(auth.signInWithOAuth).toHaveBeenCalledExactlyOnceWith({
    provider: 'acme',
    options: { redirectTo: `${window.location.origin}/login?via=acme` },
  });
});

test('a way back from it that failed is told in its name', async () => {
  window.history.replaceState(null, '', '/login?via=acme&error=access_denied');
  await renderWithProviders(<LinkNotice link={{ kind: 'provider', failed: true }} via="acme" />);
  expect(await screen.findByText('Erro no login com Acme')).toBeTruthy();
  expect(screen.getByText('Não foi possível fazer login com a Acme.')).toBeTruthy();
  window.history.replaceState(null, '', '/');
});
