import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakePhone,
  withLevel,
} from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const TITLE = 'Confirme que é você';
const CODE = 'Código que você recebeu';

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../features/auth/components/second-step.tsx'),
    import('../features/auth/components/phone-form.tsx'),
  ]);
}, 60_000);
beforeEach(() => {
  // What is read once somebody is in: nothing there yet.
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
});
afterEach(() => vi.unstubAllGlobals());

function open(factors: Parameters<typeof withLevel>[1]) {
  const auth = createFakeAuth(withLevel('aal1', factors));
  auth.mfa.challenge.mockResolvedValue({ data: { id: 'desafio', type: 'phone' }, error: null });
  const app = renderApp('/profile', { auth });
  const user = userEvent.setup();
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  return {
    auth,
    app,
    press,
    type: async (code: string) => user.type(await screen.findByLabelText(CODE), code),
  };
}

test('whoever has a phone gets a code once they ask, and what they wanted opens', async () => {
  const { auth, app, press, type } = open([fakePhone]);
  expect(await screen.findByText(/para Telefone com final 5678/)).toBeTruthy();
  expect(auth.mfa.challenge).not.toHaveBeenCalled();
  await press('Enviar código');
  await type('123456{Enter}');
  await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
  expect(auth.mfa.challenge).toHaveBeenCalledExactlyOnceWith({ factorId: fakePhone.id, channel: 'sms' });
  expect(auth.mfa.verify).toHaveBeenCalledExactlyOnceWith({
    factorId: fakePhone.id,
    challengeId: 'desafio',
    code: '123456',
  });
  expect(app.path()).toBe('/profile');
});

test('a text that could not be sent, and a wrong code, are said, and may be tried again', async () => {
  const { auth, press, type } = open([fakePhone]);
  auth.mfa.challenge.mockResolvedValueOnce({ data: null, error: authFailure('sms_send_failed') });
  await press('Enviar código');
  expect(await screen.findByText('Não foi possível enviar a mensagem. Tente de novo.')).toBeTruthy();
  await press('Enviar código');
  auth.mfa.verify.mockResolvedValueOnce({ data: null, error: authFailure('mfa_verification_failed') });
  await type('000000{Enter}');
  expect(await screen.findByText('Código incorreto ou já usado. Confira, ou peça outro.')).toBeTruthy();
  await press('Enviar outro código');
  await waitFor(() => expect(auth.mfa.challenge).toHaveBeenCalledTimes(3));
  expect(screen.getByRole('heading', { name: TITLE })).toBeTruthy();
});

test('the app goes before the phone, which may be chosen', async () => {
  const { press } = open([fakePhone, fakeFactor]);
  expect(await screen.findByLabelText('Código do aplicativo autenticador')).toBeTruthy();
  await press('Receber um código por mensagem de texto');
  expect(await screen.findByRole('button', { name: 'Enviar código' })).toBeTruthy();
});

test('of two phones one is chosen, and a code is for that one', async () => {
  const other = { ...fakePhone, id: '88888888-8888-4888-8888-888888888888', friendly_name: 'Outro' };
  const { auth, press } = open([fakePhone, other]);
  await userEvent.setup().selectOptions(await screen.findByLabelText('Telefone'), 'Outro');
  await press('Enviar código');
  await waitFor(() =>
    expect(auth.mfa.challenge).toHaveBeenCalledExactlyOnceWith({ factorId: other.id, channel: 'sms' }),
  );
});
