import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeFactor, withLevel } from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../features/auth/components/second-step.tsx'),
    import('../features/auth/components/lost-device.tsx'),
  ]);
}, 60_000);

type Answer = { readonly status?: number; readonly body: unknown };
let answers: Record<string, Answer>;
let calls: { readonly line: string; readonly body: unknown }[];
beforeEach(() => {
  calls = [];
  answers = { 'GET ': { body: { status: 'none' } } };
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const [, path] = /\/auth\/v1\/factors\/reset(.*)$/.exec(String(input)) ?? [];
    const json = (body: unknown, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    if (path === undefined) return json([]);
    const line = `${init?.method} ${path}`;
    calls.push({ line, body: init?.body ? JSON.parse(String(init.body)) : undefined });
    const { body, status } = answers[line] ?? { body: {} };
    return json(body, status);
  });
});
afterEach(() => vi.unstubAllGlobals());

async function open() {
  const auth = createFakeAuth(withLevel('aal1', [fakeFactor]));
  renderApp('/profile', { auth });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Não tenho mais o celular nem os códigos' }));
  return { auth, user };
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('whoever has neither asks, reads from when on, and may cancel', async () => {
  answers['POST '] = { body: { status: 'waiting', ready_at: inDays(3) } };
  answers['DELETE '] = { body: { status: 'none' } };
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Pedir para desligar' }));
  expect(await screen.findByText(/^Pedido feito\. Volte a partir de /)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancelar pedido' }));
  expect(await screen.findByRole('button', { name: 'Pedir para desligar' })).toBeTruthy();
  expect(calls.map(({ line }) => line)).toEqual(['GET ', 'POST ', 'DELETE ']);
});

test('after the wait a mailed code takes the factors away, and the page opens', async () => {
  answers['GET '] = { body: { status: 'ready', ready_at: inDays(-1) } };
  answers['POST /finish'] = { status: 422, body: { code: 'reauthentication_not_valid' } };
  const { auth, user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Enviar código por e-mail' }));
  expect(auth.reauthenticate).toHaveBeenCalledTimes(1);
  await user.type(await screen.findByLabelText('Código do e-mail'), '000000{Enter}');
  expect(await screen.findByText('Código incorreto ou vencido. Peça outro.')).toBeTruthy();
  answers['POST /finish'] = { body: {} };
  auth.refreshSession.mockImplementation(async () => {
    auth.announce('TOKEN_REFRESHED', withLevel('aal1'));
    return { data: {}, error: null };
  });
  await user.type(screen.getByLabelText('Código do e-mail'), '{Enter}');
  expect(await screen.findByText('Verificação em duas etapas desligada')).toBeTruthy();
  expect(calls.at(-1)).toEqual({ line: 'POST /finish', body: { nonce: '000000' } });
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Confirme que é você' })).toBeNull());
});

test.each([
  ['its answer is lost', 'POST /finish', 'ready'],
  ['another device, or the operator, was faster', 'POST ', 'none'],
])('whose factors are gone already comes in: %s', async (_, line, status) => {
  answers['GET '] = { body: { status, ready_at: inDays(-1) } };
  answers[line] = { status: 404, body: { code: 'mfa_factor_not_found' } };
  const { auth, user } = await open();
  auth.refreshSession.mockImplementation(async () => {
    auth.announce('TOKEN_REFRESHED', withLevel('aal1'));
    return { data: {}, error: null };
  });
  if (status === 'ready') {
    await user.click(await screen.findByRole('button', { name: 'Enviar código por e-mail' }));
    await user.type(await screen.findByLabelText('Código do e-mail'), '000000{Enter}');
  } else await user.click(await screen.findByRole('button', { name: 'Pedir para desligar' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Confirme que é você' })).toBeNull());
  expect(calls.at(-1)?.line).toBe(line);
});

test('what is refused says so and changes nothing', async () => {
  answers['POST '] = { status: 422, body: { code: 'email_send_failed' } };
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Pedir para desligar' }));
  expect(await screen.findByText('Não deu certo. Tente de novo.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Pedir para desligar' })).toBeTruthy();
});

test.each([
  [405, /só quem administra a Linkoteca/],
  [500, /Sem resposta/],
])('where the service answers %i nothing is offered', async (status, words) => {
  answers['GET '] = { status, body: {} };
  await open();
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Pedir para desligar' })).toBeNull();
});
