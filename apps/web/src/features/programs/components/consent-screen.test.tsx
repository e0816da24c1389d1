import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { authFailure, createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { ConsentScreen } from './consent-screen.tsx';

const BACK = 'https://programa.exemplo/volta?code=abc&state=s';
const details = (wish: { name?: string; scope?: string; redirect_uri?: string } = {}) => ({
  authorization_id: 'pedido',
  redirect_uri: wish.redirect_uri ?? 'https://programa.exemplo/volta',
  client: { id: '1', name: wish.name ?? 'Leitor', uri: '', logo_uri: 'https://mau.exemplo/espia.png' },
  user: { id: '2', email: 'ana@exemplo.com' },
  scope: wish.scope ?? 'email links:read',
});

async function open(answer: unknown, error: Error | null = null) {
  const auth = createFakeAuth(fakeSession());
  auth.oauth.getAuthorizationDetails.mockResolvedValue({ data: answer, error });
  const leave = vi.fn();
  await renderWithProviders(<ConsentScreen id="pedido" leave={leave} />, { auth });
  return { auth, leave, user: userEvent.setup() };
}

test('says who asks, for what, where the answer goes and for which account, and decides nothing', async () => {
  const { auth, leave } = await open(details());
  expect(
    await screen.findByRole('heading', { name: 'Um programa quer usar sua conta da Linkoteca' }),
  ).toBeTruthy();
  expect(screen.getByText('Leitor')).toBeTruthy();
  expect(screen.getByText('Depois você volta para programa.exemplo')).toBeTruthy();
  expect(screen.getByText('Você está na conta ana@exemplo.com')).toBeTruthy();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Ver seu e-mail',
    'Ver suas pastas, categorias, links e tags, e o que compartilham com você',
  ]);
  expect(auth.oauth.approveAuthorization).not.toHaveBeenCalled();
  expect(leave).not.toHaveBeenCalled();
});

test.each([
  ['Permitir', 'approveAuthorization', 'denyAuthorization'],
  ['Agora não', 'denyAuthorization', 'approveAuthorization'],
] as const)('%s is told, once, and leads back to the program', async (button, call, other) => {
  const { auth, leave, user } = await open(details());
  auth.oauth[call].mockResolvedValue({ data: { redirect_url: BACK }, error: null });
  await user.dblClick(await screen.findByRole('button', { name: button }));
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(BACK));
  expect(auth.oauth[call]).toHaveBeenCalledExactlyOnceWith('pedido', { skipBrowserRedirect: true });
  expect(auth.oauth[other]).not.toHaveBeenCalled();
});

test('what was allowed before leads back at once', async () => {
  const { leave } = await open({ redirect_url: BACK });
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(BACK));
  expect(screen.queryByRole('button', { name: 'Permitir' })).toBeNull();
});

test.each(['javascript:alert(1)', 'data:text/html,<script>alert(1)</script>'])(
  'nobody is sent to %s',
  async (address) => {
    const { leave } = await open({ redirect_url: address });
    expect(await screen.findByText('O endereço do programa não é seguro. Nada foi permitido.')).toBeTruthy();
    expect(leave).not.toHaveBeenCalled();
  },
);

test('a request that is over, or somebody else’s, says so and offers nothing', async () => {
  const { auth } = await open(null, authFailure('oauth_authorization_not_found', 'x', 404));
  expect(await screen.findByRole('heading', { name: 'Este pedido não vale mais' })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(auth.oauth.getAuthorizationDetails).toHaveBeenCalledExactlyOnceWith('pedido');
});

test('a service that is away can be asked again', async () => {
  const { auth, user } = await open(null, authFailure('unexpected_failure', 'x', 500));
  auth.oauth.getAuthorizationDetails.mockResolvedValue({ data: details(), error: null });
  await user.click(await screen.findByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('Leitor')).toBeTruthy();
});

test('an answer that did not arrive is told, and can be given again', async () => {
  const { auth, leave, user } = await open(details());
  auth.oauth.approveAuthorization.mockResolvedValueOnce({ data: null, error: authFailure('x', 'x', 500) });
  await user.click(await screen.findByRole('button', { name: 'Permitir' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Não foi possível responder. Tente de novo.');
  auth.oauth.approveAuthorization.mockResolvedValueOnce({ data: { redirect_url: BACK }, error: null });
  await user.click(screen.getByRole('button', { name: 'Permitir' }));
  await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(BACK));
});

test.each([
  ['Permitir', 'approveAuthorization'],
  ['Agora não', 'denyAuthorization'],
] as const)(
  '%s to a request that is over by then says so, and asks for no further try',
  async (button, call) => {
    const { auth, leave, user } = await open(details());
    const error = authFailure('oauth_authorization_not_found', 'x', 404);
    auth.oauth[call].mockResolvedValue({ data: null, error });
    await user.click(await screen.findByRole('button', { name: button }));
    expect(await screen.findByRole('heading', { name: 'Este pedido não vale mais' })).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(leave).not.toHaveBeenCalled();
  },
);

test('a hostile name is text, short, and no picture of the program’s is fetched', async () => {
  const name = `<img src=x onerror="alert(1)">\u202e${'x'.repeat(2000)}`;
  await open(details({ name, scope: 'links:read <b>tudo</b>' }));
  const shown = await screen.findByText(/^<img src=x onerror="alert\(1\)">/);
  expect(shown.tagName).toBe('BDI');
  expect([...(shown.textContent ?? '')].length).toBeLessThanOrEqual(61);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByText('<b>tudo</b>')).toBeTruthy();
});

test('a name of letters that only look alike is warned of', async () => {
  await open(details({ name: 'Lіnkoteca' }));
  const warning = await screen.findByText(/O nome e o endereço são o que o programa diz de si/);
  expect(warning.className).toContain('warning');
});
