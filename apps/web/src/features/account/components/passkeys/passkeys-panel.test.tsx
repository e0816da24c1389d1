import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usePerson } from '../../../../shared/lib/session/session-context.tsx';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  withLevel,
} from '../../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../../shared/test/setup-browser-tests.ts';
import { stubSecurityKeys } from '../../../../shared/test/stub-security-keys.ts';
import { PasskeysPanel } from './passkeys-panel.tsx';

const ADD = 'Adicionar chave de acesso';
const NAME = 'Nome, para você reconhecer';
const EMAIL = 'ana@exemplo.com';
const passkey = { id: 'a', friendly_name: 'Notebook', created_at: '2025-05-11T12:00:00Z' };

let auth: ReturnType<typeof createFakeAuth>;
beforeEach(() => {
  stubSecurityKeys();
  auth = createFakeAuth(withLevel('aal2', []));
});
afterEach(() => vi.unstubAllGlobals());

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <PasskeysPanel email={EMAIL} /> : null;
}
async function open(passkeys: readonly unknown[]) {
  auth.passkey.list.mockResolvedValue({ data: passkeys, error: null });
  await renderWithProviders(<Guarded />, { auth });
  return userEvent.setup();
}
async function begin(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: ADD }));
  const dialog = within(await screen.findByRole('dialog', { name: ADD }));
  return { dialog, next: () => user.click(dialog.getByRole('button', { name: 'Continuar' })) };
}

test('a key is made by the browser, named and listed', async () => {
  const user = await open([]);
  expect(await screen.findByText('Nenhuma ainda.')).toBeTruthy();
  const { dialog, next } = await begin(user);
  await user.clear(dialog.getByLabelText(NAME));
  await next();
  expect(await dialog.findByText('Dê um nome.')).toBeTruthy();
  expect(auth.registerPasskey).not.toHaveBeenCalled();
  auth.passkey.list.mockResolvedValue({
    data: [{ ...passkey, last_used_at: '2025-06-01T12:00:00Z' }],
    error: null,
  });
  await user.type(dialog.getByLabelText(NAME), 'Notebook{Enter}');
  expect(await screen.findByText('Chave de acesso adicionada')).toBeTruthy();
  expect(auth.passkey.update).toHaveBeenCalledExactlyOnceWith({
    passkeyId: 'nova',
    friendlyName: 'Notebook',
  });
  expect(await screen.findByText('Adicionada em 11/05/2025, usada em 01/06/2025')).toBeTruthy();
});

test('whoever signed in long ago confirms the password first', async () => {
  auth.registerPasskey.mockResolvedValueOnce({ data: null, error: authFailure('reauthentication_needed') });
  const user = await open([]);
  const { dialog, next } = await begin(user);
  await next();
  const field = await dialog.findByLabelText('Senha');
  await next();
  expect(await dialog.findByText('Digite sua senha.')).toBeTruthy();
  auth.signInWithPassword.mockResolvedValueOnce({ data: null, error: authFailure('invalid_credentials') });
  await user.type(field, 'errada{Enter}');
  expect(await dialog.findByText('Senha atual incorreta')).toBeTruthy();
  await user.clear(field);
  await user.type(field, 'certa{Enter}');
  expect(await screen.findByText('Chave de acesso adicionada')).toBeTruthy();
  expect(auth.signInWithPassword).toHaveBeenLastCalledWith({ email: EMAIL, password: 'certa' });
  expect(auth.registerPasskey).toHaveBeenCalledTimes(2);
});

test('with a second factor, another sign-in would lower the session: the person signs out', async () => {
  auth.registerPasskey.mockResolvedValue({ data: null, error: authFailure('reauthentication_needed') });
  auth.mfa.listFactors.mockResolvedValue({ data: { all: [fakeFactor] }, error: null });
  const { dialog, next } = await begin(await open([]));
  await waitFor(() => expect(auth.mfa.listFactors).toHaveBeenCalled());
  await next();
  expect(await dialog.findByText(/Saia, entre de novo/)).toBeTruthy();
  expect(dialog.queryByLabelText('Senha')).toBeNull();
});

test.each([
  [
    Object.assign(new Error('x'), { name: 'NotAllowedError' }),
    'O navegador não recebeu a confirmação. Tente de novo.',
  ],
  [
    Object.assign(new Error('x'), { name: 'InvalidStateError' }),
    'Este aparelho já tem uma chave da sua conta.',
  ],
  [authFailure('too_many_passkeys'), 'Você já tem dez. Remova uma para adicionar outra.'],
  [authFailure('unexpected_failure'), 'Não foi possível adicionar a chave. Tente de novo.'],
])('says what is against it, and adds nothing: %s', async (error, words) => {
  auth.registerPasskey.mockResolvedValue({ data: null, error });
  const { dialog, next } = await begin(await open([]));
  await next();
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(auth.passkey.update).not.toHaveBeenCalled();
});

test('a key gets another name', async () => {
  const user = await open([passkey]);
  await user.click(await screen.findByRole('button', { name: 'Renomear' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = await dialog.findByLabelText<HTMLInputElement>(NAME);
  expect(field.value).toBe('Notebook');
  await user.clear(field);
  await user.type(field, '{Enter}');
  expect(await dialog.findByText('Dê um nome.')).toBeTruthy();
  await user.type(field, 'Trabalho{Enter}');
  await waitFor(() =>
    expect(auth.passkey.update).toHaveBeenCalledExactlyOnceWith({ passkeyId: 'a', friendlyName: 'Trabalho' }),
  );
});

test('a key is removed after a question; one that could not be stays', async () => {
  const user = await open([{ ...passkey, friendly_name: undefined }]);
  expect(await screen.findByText('Adicionada em 11/05/2025, ainda não usada')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remover “Chave de acesso”?' }));
  auth.passkey.delete.mockResolvedValueOnce({ data: null, error: authFailure('x', 'x', 500) });
  await user.click(question.getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Não foi possível remover. Tente de novo.')).toBeTruthy();
  auth.passkey.list.mockResolvedValue({ data: [], error: null });
  await user.click(question.getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Removida')).toBeTruthy();
  expect(auth.passkey.delete).toHaveBeenLastCalledWith({ passkeyId: 'a' });
  await waitFor(() => expect(document.activeElement?.id).toBe('passkeys'));
});

test('a list that does not come says so, and is asked for again', async () => {
  auth.passkey.list.mockResolvedValue({ data: null, error: authFailure('unexpected_failure', 'x', 400) });
  await renderWithProviders(<Guarded />, { auth });
  expect(await screen.findByText('Não foi possível ver suas chaves de acesso')).toBeTruthy();
  auth.passkey.list.mockResolvedValue({ data: [passkey], error: null });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('Notebook')).toBeTruthy();
  expectConsoleError(/read failed/);
});
