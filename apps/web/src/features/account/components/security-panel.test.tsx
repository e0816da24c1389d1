import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, expect, type Mock, test, vi } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  type FakeAuth,
  fakeFactor,
  fakeSession,
  withLevel,
} from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { fakeChallenge, stubSecurityKeys } from '../../../shared/test/stub-security-keys.ts';
import { SecurityPanel } from './security-panel.tsx';

afterEach(() => vi.unstubAllGlobals());

async function change(current: string, next: string, again: string, auth = createFakeAuth(fakeSession())) {
  await renderWithProviders(<SecurityPanel email="ana@exemplo.com" />, { auth });
  const user = userEvent.setup();
  if (current) await user.type(screen.getByLabelText('Senha atual'), current);
  await user.type(screen.getByLabelText('Nova senha'), next);
  await user.type(screen.getByLabelText('Confirme a nova senha'), `${again}{Enter}`);
  return auth;
}

test('the current password is verified, then the new one is set and the fields are empty', async () => {
  const auth = await change('antiga', 'novasenha', 'novasenha');
  expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
  expect(auth.signInWithPassword).toHaveBeenCalledExactlyOnceWith({
    email: 'ana@exemplo.com',
    password: 'antiga',
  });
  expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({ password: 'novasenha' });
  expect(screen.getByLabelText<HTMLInputElement>('Senha atual').value).toBe('');
});

test('a wrong current password changes nothing', async () => {
  const auth = createFakeAuth(fakeSession());
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: authFailure('invalid_credentials') });
  await change('errada', 'novasenha', 'novasenha', auth);
  expect((await screen.findAllByText('Senha atual incorreta')).length).toBeGreaterThan(0);
  expect(auth.updateUser).not.toHaveBeenCalled();
});

test.each([
  ['', 'novasenha', 'novasenha', 'Senha atual é obrigatória'],
  ['antiga', 'curta', 'curta', 'A nova senha precisa ter no mínimo 8 caracteres'],
  ['antiga', 'novasenha', 'outrasenha', 'As senhas não correspondem'],
])('%s / %s / %s: %s', async (current, next, again, words) => {
  const auth = await change(current, next, again);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(auth.signInWithPassword).not.toHaveBeenCalled();
});

// The check of the current password, then the new one.
test.each(['signInWithPassword', 'updateUser'] as const)(
  'any other failure (%s) has its own words, and what was typed stays',
  async (call) => {
    const auth = createFakeAuth(fakeSession());
    auth[call].mockResolvedValue({ data: {}, error: authFailure('unexpected_failure', 'x', 500) });
    await change('antiga', 'novasenha', 'novasenha', auth);
    expect(await screen.findByText('Erro ao atualizar senha. Por favor, tente novamente.')).toBeTruthy();
    expect(screen.queryByText('Senha atual incorreta')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Nova senha').value).toBe('novasenha');
  },
);

test.each([
  { code: 'same_password', reasons: [], words: 'A nova senha precisa ser diferente da atual.' },
  {
    code: 'weak_password',
    reasons: ['characters'],
    words: 'Misture letras maiúsculas e minúsculas, números e símbolos.',
  },
])(
  'what the service will never take ($code) is said beside the field, and not to be tried again',
  async ({ code, reasons, words }) => {
    const auth = createFakeAuth(fakeSession());
    const error = Object.assign(authFailure(code, 'x', 422), { reasons });
    auth.updateUser.mockResolvedValue({ data: {}, error });
    await change('antiga', 'novasenha', 'novasenha', auth);
    const field = screen.getByLabelText('Nova senha');
    await waitFor(() => expect(document.activeElement).toBe(field));
    const told = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(told?.textContent).toBe(words);
    expect(screen.queryByText(/tente novamente/)).toBeNull();
  },
);

test('of whoever has a second factor the service compares the password: another sign-in would have to prove it again', async () => {
  const auth = createFakeAuth(withLevel('aal2', [fakeFactor]));
  await change('antiga', 'novasenha', 'novasenha', auth);
  expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
  expect(auth.signInWithPassword).not.toHaveBeenCalled();
  expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({
    password: 'novasenha',
    current_password: 'antiga',
  });
  auth.updateUser.mockResolvedValue({ data: {}, error: authFailure('current_password_invalid') });
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Senha atual'), 'errada');
  await user.type(screen.getByLabelText('Nova senha'), 'novasenha');
  await user.type(screen.getByLabelText('Confirme a nova senha'), 'novasenha{Enter}');
  expect((await screen.findAllByText('Senha atual incorreta')).length).toBeGreaterThan(0);
});

test('who came by Google is offered a link for a password; nobody else is', async () => {
  const session = fakeSession();
  const auth = createFakeAuth({
    ...session,
    user: { ...session.user, app_metadata: { providers: ['google'] } },
  });
  const view = await renderWithProviders(<SecurityPanel email="ana@exemplo.com" />, { auth });
  expect(await screen.findByText(/^Você entra com o Google\. /)).toBeTruthy();
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Criar uma senha' }));
  expect(await screen.findByText('Email enviado!')).toBeTruthy();
  expect(auth.resetPasswordForEmail).toHaveBeenCalledExactlyOnceWith('ana@exemplo.com', {
    redirectTo: `${window.location.origin}/change-password?by=token`,
  });
  view.unmount();
  await renderWithProviders(<SecurityPanel email="ana@exemplo.com" />);
  await screen.findByLabelText('Senha atual');
  expect(screen.queryByRole('button', { name: 'Criar uma senha' })).toBeNull();
});

const here = {
  session_id: '11111111-0000-4000-8000-000000000000',
  is_current: true,
  signed_in_at: '2025-03-05T10:00:00Z',
  last_used_at: '2025-03-05T10:00:00Z',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  network: null,
};
const phone = {
  ...here,
  session_id: '22222222-0000-4000-8000-000000000000',
  is_current: false,
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
};
const add = async (user: UserEvent, button: string) => {
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Continuar' }));
  return dialog;
};

interface Change {
  readonly by: string;
  readonly make: (user: UserEvent) => Promise<void>;
  /** The last that the service is asked for it. */
  readonly last: (auth: FakeAuth) => Mock;
}
const CHANGES: readonly Change[] = [
  {
    by: 'a new password',
    make: async (user) => {
      await user.type(screen.getByLabelText('Senha atual'), 'antiga');
      await user.type(screen.getByLabelText('Nova senha'), 'novasenha');
      await user.type(screen.getByLabelText('Confirme a nova senha'), 'novasenha{Enter}');
    },
    last: (auth) => auth.updateUser,
  },
  {
    by: 'an authenticator app',
    make: async (user) => {
      const dialog = await add(user, 'Ligar com um aplicativo');
      await user.type(await dialog.findByLabelText('Código que o aplicativo mostra'), '123456{Enter}');
    },
    last: (auth) => auth.mfa.challengeAndVerify,
  },
  {
    by: 'a security key',
    make: async (user) => void (await add(user, 'Adicionar chave de segurança ou biometria')),
    last: (auth) => auth.mfa.verify,
  },
  {
    by: 'a passkey',
    make: async (user) => void (await add(user, 'Adicionar chave de acesso')),
    last: (auth) => auth.registerPasskey,
  },
];
test.each(CHANGES)(
  'the devices that $by has signed out go from the list below it',
  async ({ make, last }) => {
    stubSecurityKeys().create.mockResolvedValue('resposta');
    const auth = createFakeAuth(withLevel('aal2'));
    const totp = { qr_code: 'data:image/svg+xml;utf-8,<svg></svg>', secret: 'ABCDEFGH', uri: 'otpauth://x' };
    auth.mfa.enroll.mockResolvedValue({ data: { id: 'novo', totp }, error: null });
    auth.mfa.challenge.mockResolvedValue(fakeChallenge('create', {}));
    await renderWithProviders(<SecurityPanel email="ana@exemplo.com" />, {
      auth,
      respond: ({ path }) => {
        if (!path.endsWith('list_devices')) return { body: [] };
        return { body: last(auth).mock.calls.length > 0 ? [here] : [here, phone] };
      },
    });
    expect(await screen.findByText('Safari no iPhone')).toBeTruthy();
    await make(userEvent.setup());
    await waitFor(() => expect(last(auth)).toHaveBeenCalledOnce());
    await waitFor(() => expect(screen.queryByText('Safari no iPhone')).toBeNull());
    expect(screen.getByText('Firefox no Linux')).toBeTruthy();
  },
);
