import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { PasskeyQuestion } from '../features/auth/components/passkey-question.tsx';
import type { Captcha } from '../shared/lib/captcha/use-captcha.tsx';
import { authFailure, createFakeAuth, fakeFactor, withLevel } from '../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../shared/test/render-with-providers.tsx';
import { stubSecurityKeys } from '../shared/test/stub-security-keys.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const BUTTON = 'Entrar com uma chave de acesso';

beforeAll(async () => {
  await loadScreens();
}, 60_000);
beforeEach(() => {
  stubSecurityKeys();
  // What is read once somebody is in: nothing there yet.
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
});
afterEach(() => vi.unstubAllGlobals());

/** A browser that offers keys in fields. */
function offersInFields() {
  const isConditionalMediationAvailable = async () => true;
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, { isConditionalMediationAvailable }),
  );
}
const press = async () => userEvent.setup().click(await screen.findByRole('button', { name: BUTTON }));

test('a key signs in without a password, and leads to where the person came from', async () => {
  const auth = createFakeAuth(null);
  const app = renderApp('/login?from=%2Fprofile', { auth });
  await press();
  await waitFor(() => expect(app.path()).toBe('/profile'));
  expect(await screen.findByText('Login realizado com sucesso!')).toBeTruthy();
  expect(auth.signInWithPasskey).toHaveBeenCalledExactlyOnceWith({
    options: { signal: expect.any(AbortSignal) },
  });
});

test('a press that came before the code is not lost', async () => {
  const auth = createFakeAuth(null);
  const captcha = { field: null, take: async () => undefined } as unknown as Captcha;
  await renderWithProviders(<PasskeyQuestion captcha={captcha} open onClose={() => undefined} />, {
    auth,
  });
  await waitFor(() => expect(auth.signInWithPasskey).toHaveBeenCalledTimes(1));
  expect(await screen.findByText('Login realizado com sucesso!')).toBeTruthy();
});

test('whoever has a second factor proves it as well, and is told of the sign-in only then', async () => {
  const auth = createFakeAuth(null);
  auth.signInWithPasskey.mockImplementation(async () => {
    const session = withLevel('aal1', [fakeFactor]);
    auth.announce('SIGNED_IN', session);
    return { data: { session, user: session.user }, error: null };
  });
  renderApp('/login', { auth });
  await press();
  expect(await screen.findByRole('heading', { name: 'Confirme que é você' })).toBeTruthy();
  expect(screen.queryByText('Login realizado com sucesso!')).toBeNull();
});

test.each([
  ['NotAllowedError', 'x', 'O navegador não recebeu a confirmação. Tente de novo.'],
  ['x', 'webauthn_verification_failed', 'Essa chave não abre nenhuma conta aqui. Entre com a senha.'],
  ['x', 'webauthn_challenge_expired', 'Passou tempo demais. Tente de novo.'],
  ['x', 'user_banned', 'Essa conta está bloqueada.'],
  ['x', 'over_request_rate_limit', 'Muitas tentativas em pouco tempo. Espere um minuto e tente de novo.'],
])('says what was against it: %s %s', async (name, code, words) => {
  const auth = createFakeAuth(null);
  const error = Object.assign(authFailure(code), name === 'x' ? {} : { name });
  auth.signInWithPasskey.mockResolvedValue({ data: null, error });
  renderApp('/login', { auth });
  await press();
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a browser that can offers keys where the address is typed, and a press ends that question', async () => {
  offersInFields();
  const auth = createFakeAuth(null);
  const asked: { mediation?: string; signal: AbortSignal }[] = [];
  auth.signInWithPasskey.mockImplementation(async (given) => {
    asked.push((given as { options: (typeof asked)[number] }).options);
    return new Promise(() => undefined);
  });
  renderApp('/login', { auth });
  await waitFor(() => expect(asked).toMatchObject([{ mediation: 'conditional' }]));
  expect((await screen.findByLabelText<HTMLInputElement>('E-mail')).autocomplete).toBe('username webauthn');
  await press();
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(asked[1]).not.toHaveProperty('mediation');
  expect(asked[1]?.signal.aborted).toBe(false);
});

test('what is wrong with a key that was chosen in the field is said, and keys are offered again', async () => {
  offersInFields();
  const auth = createFakeAuth(null);
  auth.signInWithPasskey
    .mockResolvedValueOnce({ data: null, error: authFailure('webauthn_challenge_expired') })
    .mockReturnValueOnce(new Promise(() => undefined));
  renderApp('/login', { auth });
  expect(await screen.findByText('Passou tempo demais. Tente de novo.')).toBeTruthy();
  await waitFor(() => expect(auth.signInWithPasskey).toHaveBeenCalledTimes(2));
});

test('nothing that nobody has asked for is said', async () => {
  offersInFields();
  const auth = createFakeAuth(null);
  const error = Object.assign(new Error('x'), { name: 'NotAllowedError' });
  auth.signInWithPasskey.mockResolvedValue({ data: null, error });
  renderApp('/login', { auth });
  await waitFor(() => expect(auth.signInWithPasskey).toHaveBeenCalledTimes(1));
  expect(await screen.findByRole('button', { name: BUTTON })).toBeTruthy();
  expect(screen.queryByText(/O navegador não recebeu/)).toBeNull();
});

test('none is offered where the host has them off, or the browser has none', async () => {
  const off = renderApp('/login', { auth: createFakeAuth(null), config: { passkeys: false } });
  expect(await screen.findByRole('button', { name: 'Entrar' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
  off.unmount();
  vi.stubGlobal('PublicKeyCredential', undefined);
  renderApp('/login', { auth: createFakeAuth(null) });
  expect(await screen.findByRole('button', { name: 'Entrar' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
});
