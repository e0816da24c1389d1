import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { usePerson } from '../../../../shared/lib/session/session-context.tsx';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeRecoveryCodes,
  withLevel,
} from '../../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../../shared/test/setup-browser-tests.ts';
import { FACTOR_MESSAGES } from '../../model/factor-messages.ts';
import { FactorsPanel } from './factors-panel.tsx';

const SECRET = 'ABCDEFGHIJKLMNOP';
const BEGUN = {
  data: {
    id: 'novo',
    totp: { qr_code: 'data:image/svg+xml;utf-8,<svg></svg>', secret: SECRET, uri: 'otpauth://x' },
  },
  error: null,
};

const CODES = ['k4m9x7qp2ab8ht3z', '9wze6r5npd4cmq7v'];

let auth: ReturnType<typeof createFakeAuth>;
beforeEach(() => {
  auth = createFakeAuth(withLevel('aal2', [fakeFactor]));
  auth.mfa.enroll.mockResolvedValue(BEGUN);
  auth.mfa.recoveryCodes.generate.mockResolvedValue({ data: { codes: CODES }, error: null });
  auth.mfa.recoveryCodes.regenerate.mockResolvedValue({ data: { codes: CODES }, error: null });
});

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <FactorsPanel /> : null;
}
async function open(factors: readonly unknown[]) {
  auth.mfa.listFactors.mockResolvedValue({ data: { all: factors }, error: null });
  await renderWithProviders(<Guarded />, { auth });
  return userEvent.setup();
}

async function begin(user: ReturnType<typeof userEvent.setup>, name?: string) {
  await user.click(await screen.findByRole('button', { name: /Ligar com um aplicativo|Adicionar outro/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = await dialog.findByLabelText('Nome, para você reconhecer');
  if (name !== undefined) {
    await user.clear(field);
    if (name) await user.type(field, name);
  }
  await user.click(dialog.getByRole('button', { name: 'Continuar' }));
  return dialog;
}

test('without one it says that the password alone opens the account, and adds an app in two steps', async () => {
  const user = await open([]);
  expect(await screen.findByText('Desligada. Sua conta abre só com a senha.')).toBeTruthy();
  const dialog = await begin(user);
  expect(auth.mfa.enroll).toHaveBeenCalledExactlyOnceWith({
    factorType: 'totp',
    friendlyName: 'Celular',
    issuer: 'Linkoteca',
  });
  const picture = await dialog.findByRole<HTMLImageElement>('img', { name: /Código QR/ });
  expect(picture.src).toMatch(/^data:image\/svg/);
  expect(dialog.getByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
  expect(dialog.getByRole<HTMLAnchorElement>('link', { name: /neste aparelho/ }).href).toBe('otpauth://x');
  auth.mfa.listFactors.mockResolvedValue({ data: { all: [fakeFactor] }, error: null });
  await user.type(dialog.getByLabelText('Código que o aplicativo mostra'), '123 456{Enter}');
  expect(await screen.findByText('Verificação em duas etapas ligada')).toBeTruthy();
  expect(auth.mfa.challengeAndVerify).toHaveBeenCalledExactlyOnceWith({ factorId: 'novo', code: '123456' });
  expect(auth.mfa.unenroll).not.toHaveBeenCalled();
  expect(await screen.findByText('Adicionado em 11/05/2025')).toBeTruthy();
  expect(screen.queryByRole('img', { name: /Código QR/ })).toBeNull();
  // What opens the account without the app comes at once.
  await waitFor(() => expect(auth.mfa.recoveryCodes.generate).toHaveBeenCalled());
  expect(auth.mfa.recoveryCodes.generate).toHaveBeenCalledExactlyOnceWith({
    friendlyName: 'Códigos de recuperação',
  });
  expect(await screen.findByText('k4m9-x7qp-2ab8-ht3z')).toBeTruthy();
});

test('a wrong code adds nothing and says so beside the field', async () => {
  const user = await open([]);
  auth.mfa.challengeAndVerify.mockResolvedValue({
    data: null,
    error: authFailure('mfa_verification_failed'),
  });
  const dialog = await begin(user);
  await user.type(await dialog.findByLabelText('Código que o aplicativo mostra'), '000000{Enter}');
  expect(
    await dialog.findByText('Código incorreto. Confira a hora do celular e digite o próximo.'),
  ).toBeTruthy();
  expect(screen.queryByText('Verificação em duas etapas ligada')).toBeNull();
});

test('leaving in between gives up what was begun, and so does the next beginning', async () => {
  const user = await open([{ ...fakeFactor, id: 'largado', status: 'unverified' }]);
  expect(await screen.findByText('Desligada. Sua conta abre só com a senha.')).toBeTruthy();
  const dialog = await begin(user);
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'largado' }));
  await user.click(await dialog.findByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'novo' }));
});

test('a name is asked for, once each', async () => {
  const user = await open([fakeFactor]);
  const dialog = await begin(user);
  expect(await dialog.findByText('Dê um nome ao aplicativo.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Nome, para você reconhecer'), 'Celular{Enter}');
  expect(await dialog.findByText('Você já tem um aplicativo com este nome.')).toBeTruthy();
  expect(auth.mfa.enroll).not.toHaveBeenCalled();
});

test('an app is removed after a question that says what it means, and the session is renewed', async () => {
  const user = await open([fakeFactor]);
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Remover “Celular”?' }));
  expect(question.getByText('Não há outra: sua conta volta a abrir só com a senha.')).toBeTruthy();
  auth.mfa.listFactors.mockResolvedValue({ data: { all: [] }, error: null });
  await user.click(question.getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Removido')).toBeTruthy();
  expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: fakeFactor.id });
  expect(auth.refreshSession).toHaveBeenCalledTimes(1);
  expect(await screen.findByText('Desligada. Sua conta abre só com a senha.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.id).toBe('second-factors'));
});

test('with the last app the recovery codes go, which never stand alone; with another one they stay', async () => {
  const user = await open([fakeFactor, fakeRecoveryCodes]);
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Removido')).toBeTruthy();
  const [removed] = auth.mfa.unenroll.mock.invocationCallOrder;
  const [forgotten] = auth.mfa.recoveryCodes.unenroll.mock.invocationCallOrder;
  expect(Number(forgotten)).toBeLessThan(Number(removed));
});

test('of several apps, one goes without the codes', async () => {
  const user = await open([
    fakeFactor,
    { ...fakeFactor, id: 'b', friendly_name: 'Tablet' },
    fakeRecoveryCodes,
  ]);
  await user.click((await screen.findAllByRole('button', { name: 'Remover' }))[1] as HTMLElement);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remover' }));
  await waitFor(() => expect(auth.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'b' }));
  expect(auth.mfa.recoveryCodes.unenroll).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement?.id).toBe('second-factors'));
  const [remove] = screen.getAllByRole('button', { name: 'Remover' });
  await user.click(remove as HTMLElement);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(document.activeElement).toBe(remove));
});

test('says how many codes are left, makes others after a question, and asks before they are closed unkept', async () => {
  const user = await open([fakeFactor, fakeRecoveryCodes]);
  expect(await screen.findByText('Restam 7 de 10. Cada um vale uma vez.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Gerar novos códigos' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Gerar novos códigos?' }));
  expect(question.getByText('Os que você guardou deixam de valer.')).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Gerar códigos' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guarde estes códigos' }));
  expect(dialog.getByText('9wze-6r5n-pd4c-mq7v')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Fechar' }));
  const unkept = within(await screen.findByRole('alertdialog', { name: 'Fechar sem guardar?' }));
  await user.click(unkept.getAllByRole('button')[0] as HTMLElement);
  await user.click(dialog.getByRole('button', { name: 'Copiar' }));
  expect(await screen.findByText('Códigos copiados')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('k4m9-x7qp-2ab8-ht3z\n9wze-6r5n-pd4c-mq7v');
  await user.click(dialog.getByRole('button', { name: 'Já guardei' }));
  await waitFor(() => expect(screen.queryByText('9wze-6r5n-pd4c-mq7v')).toBeNull());
});

test('codes that could not be made say so, and none are shown', async () => {
  const user = await open([fakeFactor]);
  auth.mfa.recoveryCodes.generate.mockResolvedValue({ data: null, error: authFailure('x', 'x', 400) });
  await user.click(await screen.findByRole('button', { name: 'Gerar códigos' }));
  expect(await screen.findByText('Não foi possível gerar os códigos. Tente de novo.')).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Guarde estes códigos' })).toBeNull();
});

test('one that could not be removed stays', async () => {
  const user = await open([fakeFactor]);
  auth.mfa.unenroll.mockResolvedValue({ data: null, error: authFailure('unexpected_failure', 'x', 500) });
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Não foi possível remover. Tente de novo.')).toBeTruthy();
  expect(auth.refreshSession).not.toHaveBeenCalled();
});

test('a list that does not come says so, and is asked for again', async () => {
  auth.mfa.listFactors.mockResolvedValue({ data: null, error: authFailure('unexpected_failure', 'x', 400) });
  await renderWithProviders(<Guarded />, { auth });
  expect(await screen.findByText('Não foi possível ver sua verificação em duas etapas')).toBeTruthy();
  auth.mfa.listFactors.mockResolvedValue({ data: { all: [fakeFactor] }, error: null });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(await screen.findByText('Celular')).toBeTruthy();
  expectConsoleError(/read failed/);
});

test('the last one goes where no codes were ever made, and where another device has taken it away meanwhile', async () => {
  const gone = { data: null, error: authFailure('mfa_factor_not_found', 'x', 404) };
  auth.mfa.recoveryCodes.unenroll.mockResolvedValue(gone);
  auth.mfa.unenroll.mockResolvedValue(gone);
  const user = await open([fakeFactor]);
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog'));
  auth.mfa.listFactors.mockResolvedValue({ data: { all: [] }, error: null });
  await user.click(question.getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Removido')).toBeTruthy();
  expect(auth.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: fakeFactor.id });
  expect(await screen.findByText('Desligada. Sua conta abre só com a senha.')).toBeTruthy();
});

test('codes that could not be taken away leave the last one where it is', async () => {
  const error = authFailure('unexpected_failure', 'x', 500);
  auth.mfa.recoveryCodes.unenroll.mockResolvedValue({ data: null, error });
  const user = await open([fakeFactor, fakeRecoveryCodes]);
  await user.click(await screen.findByRole('button', { name: 'Remover' }));
  const question = within(await screen.findByRole('alertdialog'));
  await user.click(question.getByRole('button', { name: 'Remover' }));
  expect(await screen.findByText('Não foi possível remover. Tente de novo.')).toBeTruthy();
  expect(auth.mfa.unenroll).not.toHaveBeenCalled();
});

test.each([
  [0, 'Você já usou todos. Gere novos.'],
  [1, 'Resta 1 de 10. Vale uma vez.'],
  [2, 'Restam 2 de 10. Cada um vale uma vez.'],
])('%i recovery codes that are left are told so', (left, words) => {
  expect(FACTOR_MESSAGES.codesLeft(left, 10)).toBe(words);
});
