import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeKey,
  fakeRecoveryCodes,
  withLevel,
} from '../shared/test/create-fake-auth.ts';
import { fakeChallenge, stubSecurityKeys } from '../shared/test/stub-security-keys.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const TITLE = 'Confirme que é você';
const APP_CODE = 'Código do aplicativo autenticador';
const OPTIONS = { challenge: 'pergunta' };

beforeAll(async () => {
  await loadScreens();
  await import('../features/auth/components/second-step.tsx');
}, 60_000);

let browser: ReturnType<typeof stubSecurityKeys>;
beforeEach(() => {
  browser = stubSecurityKeys();
  // What is read once somebody is in: nothing there yet.
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
});
afterEach(() => vi.unstubAllGlobals());

function open(factors: Parameters<typeof withLevel>[1]) {
  const auth = createFakeAuth(withLevel('aal1', factors));
  auth.mfa.challenge.mockResolvedValue(fakeChallenge('request', OPTIONS));
  const app = renderApp('/profile', { auth });
  const press = async (name: string) => userEvent.setup().click(await screen.findByRole('button', { name }));
  return { auth, app, press };
}

test('whoever has a key proves it, and what they wanted opens', async () => {
  browser.get.mockResolvedValue('resposta');
  const { auth, app, press } = open([fakeKey]);
  await press('Confirmar');
  await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
  expect(browser.get).toHaveBeenCalledExactlyOnceWith({ publicKey: OPTIONS });
  expect(auth.mfa.verify).toHaveBeenCalledExactlyOnceWith({
    factorId: fakeKey.id,
    challengeId: 'desafio',
    webauthn: {
      rpId: window.location.hostname,
      rpOrigins: [window.location.origin],
      type: 'request',
      credential_response: 'resposta',
    },
  });
  expect(app.path()).toBe('/profile');
});

test('what the person or the service refuses is said, and may be tried again', async () => {
  const { auth, press } = open([fakeKey]);
  await press('Confirmar');
  expect(await screen.findByText('O navegador não recebeu a confirmação. Tente de novo.')).toBeTruthy();
  expect(auth.mfa.verify).not.toHaveBeenCalled();
  browser.get.mockResolvedValue('resposta');
  auth.mfa.verify.mockResolvedValueOnce({ data: null, error: authFailure('mfa_verification_failed') });
  await press('Confirmar');
  expect(await screen.findByText('Essa chave não foi aceita. Tente de novo.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: TITLE })).toBeTruthy();
});

test('whoever has an app and codes as well chooses among them', async () => {
  const { press } = open([fakeFactor, fakeKey, fakeRecoveryCodes]);
  await press('Usar o aplicativo');
  expect(await screen.findByLabelText(APP_CODE)).toBeTruthy();
  await press('Usar um código de recuperação');
  expect(await screen.findByLabelText('Código de recuperação')).toBeTruthy();
  await press('Usar a chave de segurança ou biometria');
  expect(await screen.findByRole('button', { name: 'Confirmar' })).toBeTruthy();
  expect(screen.queryByLabelText(APP_CODE)).toBeNull();
});

test('whoever has no app is not asked for one', async () => {
  open([fakeKey]);
  await screen.findByRole('button', { name: 'Confirmar' });
  expect(screen.queryByRole('button', { name: 'Usar o aplicativo' })).toBeNull();
});

test('a browser that cannot ask for keys asks for the app, or says so', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  const { press } = open([fakeFactor, fakeKey]);
  expect(await screen.findByLabelText(APP_CODE)).toBeTruthy();
  await press('Usar a chave de segurança ou biometria');
  expect(await screen.findByText(/Este navegador não lê sua chave de segurança/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Confirmar' })).toBeNull();
});
