import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { authFailure, createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from '../test/render-app.tsx';

const ANA = fakeSession().user.id;

beforeAll(async () => {
  await Promise.all([
    loadScreens(),
    import('../../features/account/components/data-panel.tsx'),
    import('../../features/account/components/delete-account-dialog.tsx'),
  ]);
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

/** Whoever came with Google alone, and signed in too long ago to delete anything. */
async function askForDeletion(path: string, signInProviders: readonly string[]) {
  vi.stubGlobal('fetch', async (input: unknown) =>
    String(input).endsWith('/functions/v1/delete-account')
      ? Response.json({ error: 'x', code: 'reauthentication_needed' }, { status: 403 })
      : Response.json([]),
  );
  const session = fakeSession();
  session.user.app_metadata = { providers: ['google'] };
  const auth = createFakeAuth(session);
  const app = renderApp(path, { auth, config: { signInProviders } });
  await screen.findByText('Excluir conta', { selector: 'h2' });
  return { app, auth };
}

async function confirm() {
  fireEvent.change(await screen.findByLabelText('Digite EXCLUIR para confirmar'), {
    target: { value: 'EXCLUIR' },
  });
  const buttons = screen.getAllByRole('button', { name: 'Excluir minha conta' });
  fireEvent.click(buttons.at(-1) as HTMLElement);
}

test('who is to sign in again leaves for Google as who they are, and comes back to the open question', async () => {
  const { app, auth } = await askForDeletion(`/profile?tab=data&deleting=${ANA}`, ['google']);
  await confirm();
  fireEvent.click(await screen.findByRole('button', { name: 'Confirmar com o Google' }));
  const from = encodeURIComponent(`/profile?tab=data&deleting=${ANA}`);
  await waitFor(() =>
    expect(auth.signInWithOAuth).toHaveBeenCalledExactlyOnceWith({
      provider: 'google',
      options: {
        redirectTo: `${window.location.origin}/login?from=${from}&via=google`,
        queryParams: { login_hint: 'ana@exemplo.com' },
      },
    }),
  );
  expect(auth.signOut).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(app.path()).toBe('/profile?tab=data'));
});

test('where Google is not on, the way is out and in again', async () => {
  const { app, auth } = await askForDeletion('/profile?tab=data', []);
  fireEvent.click(screen.getByRole('button', { name: 'Excluir minha conta' }));
  await confirm();
  fireEvent.click(await screen.findByRole('button', { name: 'Sair e entrar de novo' }));
  await screen.findByLabelText('E-mail');
  expect(app.path()).toBe(`/login?from=${encodeURIComponent(`/profile?tab=data&deleting=${ANA}`)}`);
  expect(auth.signOut).toHaveBeenCalledOnce();
});

test('a sign-out that is refused on that way says so, and may be pressed again', async () => {
  const { app, auth } = await askForDeletion('/profile?tab=data', []);
  auth.admin.signOut.mockResolvedValue({ error: authFailure('unexpected_failure', 'x', 500) });
  fireEvent.click(screen.getByRole('button', { name: 'Excluir minha conta' }));
  await confirm();
  fireEvent.click(await screen.findByRole('button', { name: 'Sair e entrar de novo' }));
  expect(await screen.findByText('Não foi possível excluir sua conta')).toBeTruthy();
  const again = await screen.findByRole('button', { name: 'Sair e entrar de novo' });
  expect(again.getAttribute('aria-disabled')).toBeNull();
  expect(app.path()).toBe('/profile?tab=data');
  expect(auth.signOut).not.toHaveBeenCalled();
});

test('who comes back as somebody else finds no question open', async () => {
  await askForDeletion('/profile?tab=data&deleting=22222222-2222-4222-8222-222222222222', ['google']);
  expect(await screen.findByText(/^Você entrou como ana@exemplo.com, que é outra conta/)).toBeTruthy();
  expect(screen.queryByLabelText('Digite EXCLUIR para confirmar')).toBeNull();
});

test.each([true, false])('webhooks stand beside the keys where somebody sends them: %s', async (webhooks) => {
  vi.stubGlobal('fetch', async () => Response.json([]));
  renderApp('/profile?tab=programs', { auth: createFakeAuth(fakeSession()), config: { webhooks } });
  await screen.findByText('Chaves pessoais');
  if (webhooks) expect(await screen.findByRole('heading', { name: 'Webhooks' })).toBeTruthy();
  else expect(screen.queryByRole('heading', { name: 'Webhooks' })).toBeNull();
});
