import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePerson } from '../../../../shared/lib/session/session-context.tsx';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeKey,
  withLevel,
} from '../../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { fakeChallenge, stubSecurityKeys } from '../../../../shared/test/stub-security-keys.ts';
import { FactorsPanel } from './factors-panel.tsx';

const ADD = 'Adicionar chave de segurança ou biometria';
const OPTIONS = { challenge: 'pergunta' };
const SITE = { rpId: window.location.hostname, rpOrigins: [window.location.origin] };

let auth: ReturnType<typeof createFakeAuth>;
let browser: ReturnType<typeof stubSecurityKeys>;
beforeEach(() => {
  browser = stubSecurityKeys();
  auth = createFakeAuth(withLevel('aal2', []));
  auth.mfa.enroll.mockResolvedValue({ data: { id: 'nova' }, error: null });
  auth.mfa.challenge.mockResolvedValue(fakeChallenge('create', OPTIONS));
  auth.mfa.recoveryCodes.generate.mockResolvedValue({ data: { codes: ['k4m9x7qp2ab8ht3z'] }, error: null });
});
afterEach(() => vi.unstubAllGlobals());

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <FactorsPanel /> : null;
}
async function open(factors: readonly unknown[], config = {}) {
  auth.mfa.listFactors.mockResolvedValue({ data: { all: factors }, error: null });
  await renderWithProviders(<Guarded />, { auth, config });
  return userEvent.setup();
}
async function begin(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: ADD }));
  const dialog = within(await screen.findByRole('dialog'));
  return { dialog, next: () => user.click(dialog.getByRole('button', { name: 'Continuar' })) };
}

test('a key is added by what the service asks and the browser answers, and recovery codes come at once', async () => {
  browser.create.mockResolvedValue('resposta');
  const user = await open([{ ...fakeKey, id: 'largada', status: 'unverified' }]);
  const { next } = await begin(user);
  await next();
  expect(await screen.findByText('Verificação em duas etapas ligada')).toBeTruthy();
  expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: 'largada' });
  expect(auth.mfa.enroll).toHaveBeenCalledExactlyOnceWith({
    factorType: 'webauthn',
    friendlyName: 'Este aparelho',
  });
  expect(browser.create).toHaveBeenCalledExactlyOnceWith({ publicKey: OPTIONS });
  expect(auth.mfa.verify).toHaveBeenCalledExactlyOnceWith({
    factorId: 'nova',
    challengeId: 'desafio',
    webauthn: { ...SITE, type: 'create', credential_response: 'resposta' },
  });
  expect(await screen.findByText('k4m9-x7qp-2ab8-ht3z')).toBeTruthy();
});

test('what the person refuses is said beside the name, and leaves nothing behind', async () => {
  const user = await open([]);
  const { dialog, next } = await begin(user);
  await next();
  expect(await dialog.findByText('O navegador não recebeu a confirmação. Tente de novo.')).toBeTruthy();
  expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: 'nova' });
  expect(auth.mfa.verify).not.toHaveBeenCalled();
  browser.create.mockRejectedValue(new DOMException('x', 'InvalidStateError'));
  await next();
  expect(await dialog.findByText('Essa chave já está na sua conta.')).toBeTruthy();
});

test.each([
  ['too_many_enrolled_mfa_factors', 'Você já tem o máximo. Remova uma para adicionar outra.'],
  ['mfa_factor_name_conflict', 'Você já usou este nome.'],
  ['unexpected_failure', 'Não foi possível adicionar a chave. Tente de novo.'],
])('says what the service has against it: %s', async (code, words) => {
  auth.mfa.enroll.mockResolvedValue({ data: null, error: authFailure(code) });
  const { dialog, next } = await begin(await open([]));
  await next();
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(browser.create).not.toHaveBeenCalled();
});

test('a name is asked for, once each', async () => {
  const user = await open([fakeKey]);
  const { dialog, next } = await begin(user);
  await next();
  expect(await dialog.findByText('Dê um nome.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Nome, para você reconhecer'), 'Este aparelho{Enter}');
  expect(await dialog.findByText('Você já usou este nome.')).toBeTruthy();
  expect(auth.mfa.enroll).not.toHaveBeenCalled();
});

test('a key stands beside apps, and is removed as they are', async () => {
  const user = await open([fakeFactor, { ...fakeKey, friendly_name: '' }]);
  const row = (await screen.findByText('Chave de segurança')).closest('li') as HTMLElement;
  expect(screen.getByText('Celular')).toBeTruthy();
  await user.click(within(row).getByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remover “Chave de segurança”?' }));
  expect(question.getByText('Deixa de valer para entrar na sua conta.')).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Remover' }));
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: fakeKey.id }));
});

test('none is offered where the host has them off', async () => {
  await open([], { securityKeys: false });
  expect(await screen.findByRole('button', { name: 'Ligar com um aplicativo' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: ADD })).toBeNull();
});

test('none is offered by a browser that cannot ask', async () => {
  vi.unstubAllGlobals();
  await open([]);
  expect(await screen.findByRole('button', { name: 'Ligar com um aplicativo' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: ADD })).toBeNull();
});
