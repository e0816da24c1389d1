import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeRecoveryCodes,
  fakeSession,
  withLevel,
} from '../shared/test/create-fake-auth.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

const TITLE = 'Confirme que é você';
const LABEL = 'Código do aplicativo autenticador';
const PENDING = withLevel('aal1', [fakeFactor]);

beforeAll(async () => {
  await loadScreens();
  await Promise.all([
    import('../features/auth/components/second-step.tsx'),
    import('./admin/admin-route.tsx'),
    import('./admin/admin-area.tsx'),
  ]);
}, 60_000);

let asked: string[];
beforeEach(() => {
  asked = [];
  // What is read once somebody is in: nothing there yet.
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    asked.push(String(input instanceof Request ? input.url : input));
    return new Response('[]', { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const typeCode = async (code: string) => userEvent.setup().type(await screen.findByLabelText(LABEL), code);

describe('whoever has a second factor', () => {
  test.each(['/profile?tab=billing', '/diane/users'])(
    'proves it before %s opens, and nothing is read before',
    async (path) => {
      const auth = createFakeAuth(PENDING);
      const app = renderApp(path, { auth });
      expect(await screen.findByRole('heading', { name: TITLE })).toBeTruthy();
      expect(asked.filter((url) => url.includes('/rest/v1/'))).toEqual([]);
      expect(app.path()).toBe(path);
      await typeCode('123456');
      await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
      expect(auth.mfa.challengeAndVerify).toHaveBeenCalledExactlyOnceWith({
        factorId: fakeFactor.id,
        code: '123456',
      });
      expect(app.path()).toBe(path);
      await waitFor(() => expect(asked.some((url) => url.includes('/rest/v1/'))).toBe(true));
    },
  );

  test('is asked for it after the password, and told of the sign-in only then', async () => {
    const auth = createFakeAuth(null);
    auth.signInWithPassword.mockImplementation(async () => {
      auth.announce('SIGNED_IN', PENDING);
      return { data: { session: PENDING, user: PENDING.user }, error: null };
    });
    const app = renderApp('/login?from=%2Fprofile', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('E-mail'), 'ana@exemplo.com');
    await user.type(screen.getByLabelText('Senha'), 'segredo{Enter}');
    expect(await screen.findByRole('heading', { name: TITLE })).toBeTruthy();
    expect(screen.queryByText('Login realizado com sucesso!')).toBeNull();
    await typeCode('123 456');
    await waitFor(() => expect(app.path()).toBe('/profile'));
    expect(await screen.findByText('Login realizado com sucesso!')).toBeTruthy();
  });

  test('is told what was wrong beside the field, and tries again', async () => {
    const auth = createFakeAuth(PENDING);
    auth.mfa.challengeAndVerify.mockResolvedValueOnce({
      data: null,
      error: authFailure('mfa_verification_failed'),
    });
    renderApp('/profile', { auth });
    await typeCode('111111');
    expect(
      await screen.findByText('Código incorreto ou já usado. Espere o próximo e tente de novo.'),
    ).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>(LABEL).value).toBe('');
    auth.mfa.challengeAndVerify.mockResolvedValueOnce({
      data: null,
      error: authFailure('over_request_rate_limit', 'x', 429),
    });
    await typeCode('111111');
    expect(await screen.findByText('Muitas tentativas. Espere cinco minutos e tente de novo.')).toBeTruthy();
    await typeCode('222222');
    await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
  });

  test('sends nothing before the code is whole', async () => {
    const auth = createFakeAuth(PENDING);
    renderApp('/profile', { auth });
    await typeCode('123{Enter}');
    expect(await screen.findByText('O código tem 6 números.')).toBeTruthy();
    expect(auth.mfa.challengeAndVerify).not.toHaveBeenCalled();
  });

  test('chooses among several', async () => {
    const other = { ...fakeFactor, id: '33333333-3333-4333-8333-333333333333', friendly_name: 'Tablet' };
    const auth = createFakeAuth(withLevel('aal1', [fakeFactor, other]));
    renderApp('/profile', { auth });
    await userEvent.setup().selectOptions(await screen.findByLabelText('Aplicativo'), 'Tablet');
    await typeCode('123456');
    expect(auth.mfa.challengeAndVerify).toHaveBeenCalledWith({ factorId: other.id, code: '123456' });
  });

  test('goes on where it was taken away meanwhile', async () => {
    const auth = createFakeAuth(PENDING);
    auth.mfa.challengeAndVerify.mockResolvedValueOnce({
      data: null,
      error: authFailure('mfa_factor_not_found'),
    });
    auth.refreshSession.mockImplementation(async () => {
      auth.announce('TOKEN_REFRESHED', withLevel('aal1'));
      return { data: {}, error: null };
    });
    renderApp('/profile', { auth });
    await typeCode('123456');
    await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
  });

  test('may leave', async () => {
    const app = renderApp('/profile', { auth: createFakeAuth(PENDING) });
    await userEvent
      .setup()
      .click(await screen.findByRole('button', { name: 'Sair e entrar com outra conta' }));
    await waitFor(() => expect(app.path()).toContain('/login'));
  });

  test('proves it before a new password is saved, which stays typed', async () => {
    const auth = createFakeAuth(null);
    auth.verifyOtp.mockImplementation(async () => {
      auth.announce('PASSWORD_RECOVERY', PENDING);
      return { data: {}, error: null };
    });
    auth.updateUser.mockResolvedValueOnce({ data: {}, error: authFailure('insufficient_aal', 'x', 401) });
    renderApp('/change-password?by=token&token_hash=t', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'uma senha nova');
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'uma senha nova{Enter}');
    await typeCode('123456');
    await waitFor(() => expect(screen.queryByLabelText(LABEL)).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>('Nova senha').value).toBe('uma senha nova');
    expect(screen.queryByText('Erro ao alterar senha')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
    expect(auth.updateUser).toHaveBeenCalledTimes(2);
  });
});

describe('whoever has kept recovery codes', () => {
  const KEPT = withLevel('aal1', [fakeFactor, fakeRecoveryCodes]);
  const openCodes = async (auth: ReturnType<typeof createFakeAuth>) => {
    renderApp('/profile', { auth });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Usar um código de recuperação' }));
    return { user, field: await screen.findByLabelText('Código de recuperação') };
  };

  test('comes in by one of them, as it was typed', async () => {
    const auth = createFakeAuth(KEPT);
    const { user, field } = await openCodes(auth);
    await user.type(field, 'k4m9-x7qp-2ab8-ht3z{Enter}');
    await waitFor(() => expect(screen.queryByRole('heading', { name: TITLE })).toBeNull());
    expect(auth.mfa.recoveryCodes.verify).toHaveBeenCalledExactlyOnceWith({ code: 'k4m9-x7qp-2ab8-ht3z' });
    expect(await screen.findByText(/Esse código não vale mais/)).toBeTruthy();
  });

  test('is told of a wrong one, which stays to be put right, and goes back to the app', async () => {
    const auth = createFakeAuth(KEPT);
    auth.mfa.recoveryCodes.verify.mockResolvedValueOnce({
      data: null,
      error: authFailure('mfa_verification_failed'),
    });
    const { user, field } = await openCodes(auth);
    await user.type(field, '{Enter}');
    expect(await screen.findByText('Digite um dos códigos que você guardou.')).toBeTruthy();
    await user.type(field, 'abcd{Enter}');
    expect(await screen.findByText('Código incorreto ou já usado. Tente outro.')).toBeTruthy();
    expect((field as HTMLInputElement).value).toBe('abcd');
    auth.mfa.recoveryCodes.verify.mockResolvedValueOnce({
      data: null,
      error: authFailure('mfa_recovery_codes_locked', 'x', 429),
    });
    await user.type(field, 'e{Enter}');
    expect(await screen.findByText(/Espere cinco minutos/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Usar o aplicativo' }));
    expect(await screen.findByLabelText(LABEL)).toBeTruthy();
  });

  test('and nobody else is offered them', async () => {
    renderApp('/profile', { auth: createFakeAuth(PENDING) });
    await screen.findByLabelText(LABEL);
    expect(screen.queryByRole('button', { name: 'Usar um código de recuperação' })).toBeNull();
  });
});

test('whoever has none, or has proven it, is asked for nothing', async () => {
  for (const session of [fakeSession(), withLevel('aal1'), withLevel('aal2', [fakeFactor])]) {
    const { unmount } = renderApp('/profile', { auth: createFakeAuth(session) });
    expect(await screen.findByRole('heading', { name: 'Perfil' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: TITLE })).toBeNull();
    unmount();
  }
});
