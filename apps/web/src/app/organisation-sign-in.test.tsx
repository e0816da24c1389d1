import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test } from 'vitest';
import { authFailure, createFakeAuth } from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const BUTTON = 'Entrar com a conta da organização';
const config = { organisations: true };

beforeAll(async () => {
  await loadScreens();
  await import('../features/auth/components/organisation-form.tsx');
}, 60_000);

async function press(email: string) {
  const user = userEvent.setup();
  if (email !== '') await user.type(await screen.findByLabelText('E-mail'), email);
  await user.click(await screen.findByRole('button', { name: BUTTON }));
}

test('the address in the form names the organisation, and the way back leads to where the person came from', async () => {
  const auth = createFakeAuth(null);
  renderApp('/login?from=%2Fprofile', { auth, config });
  await press('Ana@Empresa.BR');
  const redirectTo = `${window.location.origin}/login?from=%2Fprofile&via=organisation`;
  await waitFor(() =>
    expect(auth.signInWithSSO).toHaveBeenCalledExactlyOnceWith({
      domain: 'empresa.br',
      options: { redirectTo },
    }),
  );
});

test('without an address it asks for one', async () => {
  const auth = createFakeAuth(null);
  renderApp('/login', { auth, config });
  await press('');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('E-mail')));
  expect(auth.signInWithSSO).not.toHaveBeenCalled();
});

test.each([
  ['sso_provider_not_found', 'Nenhuma organização entra aqui com esse e-mail. Entre com a senha.'],
  ['sso_provider_disabled', 'Nenhuma organização entra aqui com esse e-mail. Entre com a senha.'],
  ['unexpected_failure', 'Tente de novo daqui a pouco.'],
])('says what was against it: %s', async (code, words) => {
  const auth = createFakeAuth(null);
  auth.signInWithSSO.mockResolvedValue({ data: null, error: authFailure(code) });
  renderApp('/login', { auth, config });
  await press('ana@empresa.br');
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a refusal at the organisation is told', async () => {
  const authLink = { kind: 'provider', failed: true } as const;
  renderApp('/login?via=organisation', { auth: createFakeAuth(null), config, authLink });
  expect(await screen.findByText(/Sua organização não confirmou quem você é/)).toBeTruthy();
});

test('none is offered where the installation has none', async () => {
  renderApp('/login', { auth: createFakeAuth(null) });
  expect(await screen.findByRole('button', { name: 'Entrar' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
});
