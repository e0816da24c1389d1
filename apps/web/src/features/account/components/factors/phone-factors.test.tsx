import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { usePerson } from '../../../../shared/lib/session/session-context.tsx';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakePhone,
  withLevel,
} from '../../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { FactorsPanel } from './factors-panel.tsx';

const ADD = 'Adicionar telefone';
const CODE = 'Código que você recebeu';

let auth: ReturnType<typeof createFakeAuth>;
beforeEach(() => {
  auth = createFakeAuth(withLevel('aal2', []));
  auth.mfa.enroll.mockResolvedValue({ data: { id: 'novo' }, error: null });
  auth.mfa.challenge.mockResolvedValue({ data: { id: 'desafio', type: 'phone' }, error: null });
  auth.mfa.recoveryCodes.generate.mockResolvedValue({ data: { codes: ['k4m9x7qp2ab8ht3z'] }, error: null });
});

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <FactorsPanel /> : null;
}
async function open(factors: readonly unknown[], config = {}) {
  auth.mfa.listFactors.mockResolvedValue({ data: { all: factors }, error: null });
  await renderWithProviders(<Guarded />, { auth, config });
  return userEvent.setup();
}
async function begin(user: ReturnType<typeof userEvent.setup>, number: string) {
  await user.click(await screen.findByRole('button', { name: ADD }));
  const dialog = within(await screen.findByRole('dialog', { name: ADD }));
  await user.type(await dialog.findByLabelText('Número, com DDD'), `${number}{Enter}`);
  return dialog;
}

test('a phone is added by its number and the code that it gets, and recovery codes come at once', async () => {
  const user = await open([{ ...fakePhone, id: 'largado', status: 'unverified' }]);
  const dialog = await begin(user, '(11) 91234-5678');
  await user.type(await dialog.findByLabelText(CODE), '1234 5678{Enter}');
  expect(await screen.findByText('Verificação em duas etapas ligada')).toBeTruthy();
  expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: 'largado' });
  expect(auth.mfa.enroll).toHaveBeenCalledExactlyOnceWith({
    factorType: 'phone',
    friendlyName: 'Telefone com final 5678',
    phone: '+5511912345678',
  });
  expect(auth.mfa.challenge).toHaveBeenCalledExactlyOnceWith({ factorId: 'novo', channel: 'sms' });
  expect(auth.mfa.verify).toHaveBeenCalledExactlyOnceWith({
    factorId: 'novo',
    challengeId: 'desafio',
    code: '12345678',
  });
  expect(await screen.findByText('k4m9-x7qp-2ab8-ht3z')).toBeTruthy();
});

test('what is no number is said beside it, and nothing is sent', async () => {
  const user = await open([]);
  const dialog = await begin(user, '1234');
  expect(await dialog.findByText(/Confira o número/)).toBeTruthy();
  expect(auth.mfa.enroll).not.toHaveBeenCalled();
});

test('a wrong code adds nothing, another one may be asked for, and leaving gives up what was begun', async () => {
  const user = await open([]);
  const dialog = await begin(user, '11 91234-5678');
  auth.mfa.verify.mockResolvedValue({ data: null, error: authFailure('mfa_verification_failed') });
  await user.type(await dialog.findByLabelText(CODE), '000000{Enter}');
  expect(await dialog.findByText('Código incorreto ou já usado. Confira, ou peça outro.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Enviar outro código' }));
  expect(await screen.findByText('Enviamos outro código')).toBeTruthy();
  expect(auth.mfa.challenge).toHaveBeenCalledTimes(2);
  await user.click(dialog.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: 'novo' }));
});

test.each([
  ['mfa_verified_factor_exists', 'Esse telefone já está na sua conta.'],
  ['too_many_enrolled_mfa_factors', 'Você já tem o máximo. Remova uma para adicionar outra.'],
  ['over_sms_send_rate_limit', 'Espere um pouco antes de pedir outro código.'],
  ['sms_send_failed', 'A mensagem não pôde ser enviada. Tente de novo.'],
  ['unexpected_failure', 'Não foi possível adicionar o telefone. Tente de novo.'],
])('says what the service has against it: %s', async (code, words) => {
  auth.mfa.enroll.mockResolvedValue({ data: null, error: authFailure(code) });
  const dialog = await begin(await open([]), '11 91234-5678');
  expect(await dialog.findByText(words)).toBeTruthy();
});

test('it stands beside apps, and is removed as they are', async () => {
  const user = await open([fakeFactor, { ...fakePhone, friendly_name: '' }]);
  const row = (await screen.findByText('Telefone')).closest('li') as HTMLElement;
  await user.click(within(row).getByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remover “Telefone”?' }));
  await user.click(question.getByRole('button', { name: 'Remover' }));
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: fakePhone.id }));
});

test('none is offered where the host has them off', async () => {
  await open([], { phoneFactors: false });
  expect(await screen.findByRole('button', { name: 'Ligar com um aplicativo' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: ADD })).toBeNull();
});
