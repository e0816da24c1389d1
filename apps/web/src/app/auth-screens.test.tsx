import { AuthRetryableFetchError } from '@supabase/auth-js';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { authFailure, createFakeAuth, fakeSession } from '../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../shared/test/create-fake-connection.ts';
import { loadScreens, renderApp } from './test/render-app.tsx';

beforeAll(loadScreens, 60_000);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What the shell reads once someone is in: nothing there yet. */
function stubEmptyLibrary() {
  vi.stubGlobal('fetch', async () => new Response('[]', { headers: { 'content-type': 'application/json' } }));
}

async function signIn(email: string, password: string) {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('E-mail'), email);
  await user.type(screen.getByLabelText('Senha'), password);
  await user.click(screen.getByRole('button', { name: 'Entrar' }));
  return user;
}

describe('/login', () => {
  test('the right credentials lead to the dashboard with a welcome', async () => {
    stubEmptyLibrary();
    const app = renderApp('/login');
    await signIn('ana@exemplo.com', 'segredo');
    expect(await screen.findByText('Login realizado com sucesso!')).toBeTruthy();
    expect(screen.getByText('Bem-vindo de volta.')).toBeTruthy();
    await waitFor(() => expect(app.path()).toBe('/dashboard'));
  });

  /** The pages that a screen reader is told of from now on; each is said for some seconds only. */
  const listenForPages = () => {
    const said: string[] = [];
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        if (target instanceof Element && target.getAttribute('aria-live') === 'polite')
          said.push(...[...addedNodes].map(({ textContent }) => textContent ?? ''));
    });
    observer.observe(document.body, { subtree: true, childList: true });
    onTestFinished(() => observer.disconnect());
    return () => said.filter((text) => text.endsWith(' · Linkoteca'));
  };

  test('a screen reader is told which screen has come', async () => {
    const user = userEvent.setup();
    renderApp('/login');
    const link = await screen.findByRole('link', { name: 'Criar conta' });
    const pages = listenForPages();
    await user.click(link);
    await waitFor(() => expect(pages()).toEqual(['Criar conta · Linkoteca']));
  });

  test('a screen reader is told of the page that signing in leads to', async () => {
    stubEmptyLibrary();
    renderApp('/login');
    const pages = listenForPages();
    await signIn('ana@exemplo.com', 'segredo');
    await waitFor(() => expect(pages()).toEqual(['Início · Linkoteca']));
  });

  test.each([
    ['Criar conta', '/signup'],
    ['Esqueceu a senha?', '/reset-password'],
    ['Termos de uso', '/terms'],
    ['Política de privacidade', '/privacy-policy'],
  ])('%s leads to %s', async (name, path) => {
    renderApp('/login');
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(path);
  });

  test('wrong credentials say so and keep what was typed', async () => {
    const auth = createFakeAuth(null);
    auth.signInWithPassword.mockResolvedValue({ data: {}, error: authFailure('invalid_credentials') });
    const app = renderApp('/login', { auth });
    await signIn('ana@exemplo.com', 'errada');
    expect(await screen.findByText('Erro no login')).toBeTruthy();
    expect(screen.getByText('Email ou senha incorretos.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ana@exemplo.com');
    expect(app.path()).toBe('/login');
  });

  test('an unconfirmed address may have its mail sent again', async () => {
    const auth = createFakeAuth(null);
    auth.signInWithPassword.mockResolvedValue({ data: {}, error: authFailure('email_not_confirmed') });
    renderApp('/login', { auth });
    const user = await signIn('ana@exemplo.com', 'segredo');
    await user.click(await screen.findByRole('button', { name: 'Reenviar e-mail' }));
    expect(await screen.findByText('Enviamos um novo link para ana@exemplo.com.')).toBeTruthy();
    expect(auth.resend).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ type: 'signup', email: 'ana@exemplo.com' }),
    );
  });

  test('without network it says that, not that the password is wrong', async () => {
    const auth = createFakeAuth(null);
    const unreachable = Object.assign(new Error('Failed to fetch'), {
      name: 'AuthRetryableFetchError',
      status: 0,
    });
    auth.signInWithPassword.mockResolvedValue({ data: {}, error: unreachable });
    renderApp('/login', { auth });
    await signIn('ana@exemplo.com', 'segredo');
    expect(
      await screen.findByText('Sem conexão com a internet. Verifique sua rede e tente de novo.'),
    ).toBeTruthy();
    expect(screen.queryByText('Email ou senha incorretos.')).toBeNull();
  });

  test('a malformed address never reaches the service', async () => {
    const { auth } = renderApp('/login');
    await signIn('ana', 'segredo');
    expect(await screen.findByText('Email inválido')).toBeTruthy();
    expect(auth.signInWithPassword).not.toHaveBeenCalled();
  });

  test('two presses of Enter sign in once', async () => {
    const auth = createFakeAuth(null);
    let answer: (value: unknown) => void = () => undefined;
    auth.signInWithPassword.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
    renderApp('/login', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('E-mail'), 'ana@exemplo.com');
    await user.type(screen.getByLabelText('Senha'), 'segredo{Enter}{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Entrando...' })).toBeTruthy());
    expect(auth.signInWithPassword).toHaveBeenCalledTimes(1);
    await act(async () => answer({ data: {}, error: authFailure('invalid_credentials') }));
    expect(await screen.findByText('Erro no login')).toBeTruthy();
  });

  test('Google is offered only where the installation can do it', async () => {
    renderApp('/login');
    await screen.findByLabelText('E-mail');
    expect(screen.queryByRole('button', { name: 'Continuar com Google' })).toBeNull();
  });

  test('a Google sign-in that cannot begin says so', async () => {
    const auth = createFakeAuth(null);
    auth.signInWithOAuth.mockResolvedValue({ data: {}, error: authFailure('validation_failed') });
    renderApp('/login', { auth, config: { signInProviders: ['google'] } });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Continuar com Google' }));
    expect(await screen.findByText('Erro no login com Google')).toBeTruthy();
    expect(screen.getByText('Não foi possível fazer login com o Google.')).toBeTruthy();
  });

  test('a refusal at Google is told in the same words, once, and the address is tidied', async () => {
    stubEmptyLibrary();
    window.history.replaceState(null, '', '/login?via=google&from=%2Fprofile&error=access_denied#error=x');
    const app = renderApp('/login?via=google&from=%2Fprofile', {
      authLink: { kind: 'provider', failed: true },
    });
    expect(await screen.findByText('Erro no login com Google')).toBeTruthy();
    expect(screen.queryByText('A entrada foi cancelada.')).toBeNull();
    expect(window.location.search).toBe('?from=%2Fprofile');
    expect(window.location.hash).toBe('');
    window.history.replaceState(null, '', '/');
    await signIn('ana@exemplo.com', 'segredo');
    await waitFor(() => expect(app.path()).toBe('/profile'));
  });

  test('who is signed in and did not prove it at Google reads so back where they were, once', async () => {
    stubEmptyLibrary();
    window.history.replaceState(null, '', '/login?via=google&error=access_denied');
    const app = renderApp('/login?via=google&from=%2Fterms', {
      auth: createFakeAuth(fakeSession()),
      authLink: { kind: 'provider', failed: true },
    });
    expect(await screen.findByText('Erro no login com Google')).toBeTruthy();
    await waitFor(() => expect(app.path()).toBe('/terms'));
    expect(window.location.search).toBe('');
    window.history.replaceState(null, '', '/');
  });

  test('who leaves for Google keeps where they came from', async () => {
    const { auth } = renderApp('/login?from=%2Fcategory%2F1', { config: { signInProviders: ['google'] } });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Continuar com Google' }));
    expect(auth.signInWithOAuth).toHaveBeenCalledExactlyOnceWith({
      provider: 'google',
      options: { redirectTo: `${window.location.origin}/login?from=%2Fcategory%2F1&via=google` },
    });
  });

  test('an expired link is explained', async () => {
    renderApp('/login', { authLink: { kind: 'refused', code: 'otp_expired' } });
    expect(await screen.findByText(/Este link expirou ou já foi usado/)).toBeTruthy();
  });

  test('after an expired link the mail is sent again to the address in the form, and the address bar is tidied', async () => {
    window.history.replaceState(
      null,
      '',
      '/login?error=access_denied&from=%2Fprofile#error_code=otp_expired',
    );
    const { auth } = renderApp('/login?from=%2Fprofile', {
      authLink: { kind: 'refused', code: 'otp_expired' },
    });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Reenviar e-mail' }));
    expect(await screen.findByText('Email inválido')).toBeTruthy();
    expect(auth.resend).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText('E-mail'), 'ana@exemplo.com');
    await user.click(screen.getByRole('button', { name: 'Reenviar e-mail' }));
    const sent = 'Se ana@exemplo.com ainda espera confirmação, o novo link chega em instantes.';
    expect((await screen.findAllByText(sent)).length).toBeGreaterThan(0);
    expect(auth.resend).toHaveBeenCalledExactlyOnceWith({
      type: 'signup',
      email: 'ana@exemplo.com',
      options: { emailRedirectTo: `${window.location.origin}/login?from=%2Fprofile` },
    });
    // The notice tidies it, whose code may come last.
    await waitFor(() => expect(window.location.search + window.location.hash).toBe('?from=%2Fprofile'));
    window.history.replaceState(null, '', '/');
  });

  test.each(['bad_oauth_state', 'bad_oauth_callback'])(
    'a way back from Google that leads nowhere (%s) is explained, beside the way on',
    async (code) => {
      renderApp('/login', { authLink: { kind: 'refused', code }, config: { signInProviders: ['google'] } });
      expect(await screen.findByText(/^Esta entrada com o Google expirou ou já foi usada/)).toBeTruthy();
      expect(await screen.findByRole('button', { name: 'Continuar com Google' })).toBeTruthy();
      expect(screen.queryByText(/Peça um novo/)).toBeNull();
    },
  );

  test('a confirmation opened in another browser is a success', async () => {
    renderApp('/login', { authLink: { kind: 'foreign-code', forReset: false } });
    expect(await screen.findByText('E-mail confirmado. Entre com sua senha para continuar.')).toBeTruthy();
  });

  test('a reset link opened in another browser is sent back to the right one', async () => {
    renderApp('/change-password', { authLink: { kind: 'foreign-code', forReset: true } });
    expect(await screen.findByText(/Abra o link no mesmo navegador em que você pediu/)).toBeTruthy();
    expect(screen.queryByText(/E-mail confirmado/)).toBeNull();
  });

  test('password managers find their fields', async () => {
    renderApp('/login');
    expect((await screen.findByLabelText('E-mail')).getAttribute('autocomplete')).toBe('username webauthn');
    expect(screen.getByLabelText('Senha').getAttribute('autocomplete')).toBe('current-password');
  });
});

describe('/signup', () => {
  async function signUp(password = 'segredo') {
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nome'), 'Ana de Souza');
    await user.type(screen.getByLabelText('E-mail'), 'Ana@Exemplo.com');
    await user.type(screen.getByLabelText('Senha'), password);
    await user.click(screen.getByRole('button', { name: 'Criar conta' }));
  }

  test('success leads to /login, which tells to look for the mail', async () => {
    const app = renderApp('/signup');
    await signUp();
    expect(await screen.findByText('Cadastro realizado com sucesso!')).toBeTruthy();
    expect(screen.getByText('Verifique seu email para confirmar sua conta.')).toBeTruthy();
    expect(await screen.findByText('Verifique seu email para confirmar sua conta')).toBeTruthy();
    expect(app.path()).toContain('/login');
    expect((screen.getByLabelText('E-mail') as HTMLInputElement).value).toBe('ana@exemplo.com');
    expect(app.auth.signUp).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        email: 'ana@exemplo.com',
        options: expect.objectContaining({ data: { name: 'Ana de Souza' } }),
      }),
    );
  });

  test('where no address is to be confirmed it leads inside, and no mail is spoken of', async () => {
    stubEmptyLibrary();
    const auth = createFakeAuth(null);
    auth.signUp.mockImplementation(async () => {
      const session = fakeSession();
      auth.announce('SIGNED_IN', session);
      return { data: { session, user: { ...session.user, identities: [{}] } }, error: null };
    });
    const app = renderApp('/signup', { auth });
    await signUp();
    expect(await screen.findByText('Cadastro realizado com sucesso!')).toBeTruthy();
    expect(screen.queryByText(/Verifique seu email/)).toBeNull();
    await waitFor(() => expect(app.path()).toBe('/dashboard'));
    expect(screen.queryByText(/Verifique seu email/)).toBeNull();
  });

  test.each([
    [
      'the service says so',
      { data: {}, error: authFailure('user_already_exists', 'User already registered', 422) },
    ],
    ['the service answers with a made-up user', { data: { user: { identities: [] } }, error: null }],
  ])('an address that has an account is told when %s', async (_how, answer) => {
    const auth = createFakeAuth(null);
    auth.signUp.mockResolvedValue(answer);
    const app = renderApp('/signup', { auth });
    await signUp();
    expect(await screen.findByText('Erro no cadastro')).toBeTruthy();
    expect(screen.getByText('Este email já está cadastrado.')).toBeTruthy();
    expect(app.path()).toBe('/signup');
  });

  test('any other failure has its own words', async () => {
    const auth = createFakeAuth(null);
    auth.signUp.mockResolvedValue({ data: {}, error: authFailure('unexpected_failure', 'x', 500) });
    renderApp('/signup', { auth });
    await signUp();
    expect(await screen.findByText('Ocorreu um erro ao criar sua conta.')).toBeTruthy();
  });

  test('whoever came from a page returns to it: by the mail, and by signing in at once', async () => {
    const app = renderApp('/signup?from=%2Fshared%2Fx');
    await signUp();
    await waitFor(() => expect(app.path()).toContain('/login'));
    expect(app.path()).toContain('from=%2Fshared%2Fx');
    const [{ options }] = app.auth.signUp.mock.calls[0] as [{ options: { emailRedirectTo: string } }];
    expect(options.emailRedirectTo).toBe(`${window.location.origin}/login?from=%2Fshared%2Fx`);
  });

  test('a foreign page to return to is dropped', async () => {
    renderApp('/signup?from=%2F%2Fevil.example');
    expect((await screen.findByRole('link', { name: 'Entrar' })).getAttribute('href')).toBe('/login');
  });

  test('an address that looks mistyped is asked about, and put right by a press', async () => {
    renderApp('/signup');
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('E-mail'), 'ana@gmial.com');
    expect(screen.queryByText(/Você quis dizer/)).toBeNull();
    await user.tab();
    await user.click(await screen.findByRole('button', { name: 'ana@gmail.com' }));
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ana@gmail.com');
    expect(screen.queryByText(/Você quis dizer/)).toBeNull();
  });

  test('says how good a new password is, and beside the field why the service refused it', async () => {
    const auth = createFakeAuth(null);
    const weak = Object.assign(authFailure('weak_password', 'x', 422), { reasons: ['pwned'] });
    auth.signUp.mockResolvedValue({ data: {}, error: weak });
    renderApp('/signup', { auth });
    await signUp('quatro cavalos azuis');
    expect(await screen.findByText(/apareceu em vazamentos de dados/)).toBeTruthy();
    const field = screen.getByLabelText('Senha');
    expect(document.activeElement).toBe(field);
    await userEvent.setup().type(field, ' e brancos');
    expect(await screen.findByText('Senha forte.')).toBeTruthy();
  });

  test('a page that the browser has translated goes on while a new password is typed', async () => {
    renderApp('/signup');
    const hint = await screen.findByText(/^No mínimo \d+ caracteres\.$/);
    // As Chrome does it: another element in place of the text.
    const translation = document.createElement('font');
    translation.textContent = 'At least 6 characters.';
    hint.firstChild?.replaceWith(translation);
    await userEvent.setup().type(screen.getByLabelText('Senha'), 'cavalo bateria grampo');
    expect(await screen.findByText(/^Senha (fraca|razoável|boa|forte)/)).toBeTruthy();
    expect(screen.queryByText('At least 6 characters.')).toBeNull();
    expect(screen.queryByText('Algo não saiu como esperado')).toBeNull();
  });

  test('a password of five characters is not sent', async () => {
    const { auth } = renderApp('/signup');
    await signUp('cinco');
    expect(await screen.findByText('A senha precisa ter no mínimo 6 caracteres')).toBeTruthy();
    expect(auth.signUp).not.toHaveBeenCalled();
  });
});

test('whoever was inside and is signed out from elsewhere reads that at the login', async () => {
  stubEmptyLibrary();
  const app = renderApp('/dashboard', { auth: createFakeAuth(fakeSession()) });
  await waitFor(() => expect(screen.queryByText('Carregando...')).toBeNull());
  act(() => app.auth.announce('SIGNED_OUT', null));
  expect(
    await screen.findByText('Sua sessão neste dispositivo terminou. Entre de novo para continuar.'),
  ).toBeTruthy();
  expect(app.path()).toBe('/login?from=%2Fdashboard&notice=session-ended');
});

describe('/reset-password', () => {
  test('says that the mail is on its way, whatever the address', async () => {
    const { auth } = renderApp('/reset-password');
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('E-mail'), 'quem@exemplo.com{Enter}');
    expect(await screen.findByRole('heading', { name: 'Email enviado!' })).toBeTruthy();
    const [, options] = auth.resetPasswordForEmail.mock.calls[0] ?? [];
    expect(options).toEqual({ redirectTo: `${window.location.origin}/change-password?by=token` });
  });

  test('a failure is told', async () => {
    const auth = createFakeAuth(null);
    auth.resetPasswordForEmail.mockResolvedValue({ error: authFailure('unexpected_failure', 'x', 500) });
    renderApp('/reset-password', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('E-mail'), 'quem@exemplo.com{Enter}');
    expect(await screen.findByText('Erro ao enviar email')).toBeTruthy();
    expect(screen.getByText('Não foi possível enviar o email de redefinição.')).toBeTruthy();
  });
});

describe('/change-password', () => {
  test('without a session leads to /login', async () => {
    const app = renderApp('/change-password');
    await waitFor(() => expect(app.path()).toBe('/login'));
  });

  test('two different passwords are not sent', async () => {
    const { auth } = renderApp('/change-password', { auth: createFakeAuth(fakeSession()) });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'segredo1');
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'segredo2{Enter}');
    expect(await screen.findByText('As senhas não coincidem.')).toBeTruthy();
    expect(auth.updateUser).not.toHaveBeenCalled();
  });

  test('the same password as before is refused in words', async () => {
    const auth = createFakeAuth(fakeSession());
    auth.updateUser.mockResolvedValue({ error: authFailure('same_password', 'x', 422) });
    renderApp('/change-password', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'segredo1');
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'segredo1{Enter}');
    expect(await screen.findByText('Erro ao alterar senha')).toBeTruthy();
    expect(screen.getByText('A nova senha precisa ser diferente da atual.')).toBeTruthy();
  });

  test('a sign-in that is no longer fresh is sent for a new link', async () => {
    const auth = createFakeAuth(fakeSession());
    auth.updateUser.mockResolvedValue({ error: authFailure('reauthentication_needed', 'x', 400) });
    renderApp('/change-password', { auth });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'segredo1');
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'segredo1{Enter}');
    expect(await screen.findByText(/a senha só pode ser trocada logo depois de entrar/)).toBeTruthy();
  });

  test('without network nothing is sent and nothing typed is lost; back online the same press saves', async () => {
    const connection = createFakeConnection(false);
    const { auth } = renderApp('/change-password', { auth: createFakeAuth(fakeSession()), connection });
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'segredo1');
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'segredo1{Enter}');
    expect(await screen.findByText('Erro ao alterar senha')).toBeTruthy();
    expect(screen.getByText('Sem conexão. Tente de novo quando voltar.')).toBeTruthy();
    expect(auth.updateUser).not.toHaveBeenCalled();
    expect(screen.getByLabelText<HTMLInputElement>('Nova senha').value).toBe('segredo1');

    act(() => connection.set(true));
    expect(auth.updateUser).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
    expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({ password: 'segredo1' });
  });

  test('network that goes after the press keeps the person here, by their reset link; the next press saves', async () => {
    const app = renderApp('/terms');
    act(() => app.auth.announce('PASSWORD_RECOVERY', fakeSession()));
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText('Nova senha'), 'segredo1');
    app.auth.updateUser.mockResolvedValueOnce({ error: new AuthRetryableFetchError('Failed to fetch', 0) });
    await user.type(screen.getByLabelText('Confirme a nova senha'), 'segredo1{Enter}');
    expect(await screen.findByText('Erro ao alterar senha')).toBeTruthy();
    expect(app.path()).toBe('/change-password');
    expect(screen.getByLabelText<HTMLInputElement>('Nova senha').value).toBe('segredo1');
    await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
    expect(app.auth.updateUser).toHaveBeenCalledTimes(2);
  });

  test('what one typed after their reset link is gone once another signs in by another tab', async () => {
    const app = renderApp('/terms');
    const ana = fakeSession();
    act(() => app.auth.announce('PASSWORD_RECOVERY', ana));
    const password = await screen.findByLabelText<HTMLInputElement>('Nova senha');
    const confirmation = screen.getByLabelText<HTMLInputElement>('Confirme a nova senha');
    fireEvent.change(password, { target: { value: 'de-ana-1' } });
    fireEvent.change(confirmation, { target: { value: 'de-ana-1' } });
    act(() => app.auth.announce('TOKEN_REFRESHED', ana));
    expect([password.value, confirmation.value]).toEqual(['de-ana-1', 'de-ana-1']);
    const bia = { ...ana.user, id: '22222222-2222-4222-8222-222222222222', email: 'bia@exemplo.com' };
    act(() => app.auth.announce('SIGNED_IN', { ...ana, user: bia }));
    expect(await screen.findByText('bia@exemplo.com')).toBeTruthy();
    expect([password.value, confirmation.value]).toEqual(['', '']);
    fireEvent.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    await waitFor(() => expect(password.getAttribute('aria-invalid')).toBe('true'));
    expect(app.auth.updateUser).not.toHaveBeenCalled();
  });

  test('a new password leads to the dashboard after two seconds', async () => {
    stubEmptyLibrary();
    const app = renderApp('/change-password', { auth: createFakeAuth(fakeSession()) });
    const password = await screen.findByLabelText('Nova senha');
    fireEvent.change(password, { target: { value: 'segredo1' } });
    fireEvent.change(screen.getByLabelText('Confirme a nova senha'), { target: { value: 'segredo1' } });
    const savedAt = performance.now();
    fireEvent.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
    expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
    // By the real clock: whether the services are there is asked before, and waits by it.
    await waitFor(() => expect(app.path()).toBe('/dashboard'), { timeout: 20_000 });
    expect(performance.now() - savedAt).toBeGreaterThan(1_900);
  });

  describe('by the link of the reset mail', () => {
    const fillIn = async (password = 'segredo1') => {
      const user = userEvent.setup();
      await user.type(await screen.findByLabelText('Nova senha'), password);
      await user.type(screen.getByLabelText('Confirme a nova senha'), `${password}{Enter}`);
      return user;
    };

    test('in any browser the token is spent by the press, once, and leaves the address', async () => {
      const app = renderApp('/change-password?by=token&token_hash=pkce_abc&type=recovery');
      await screen.findByLabelText('Nova senha');
      expect(app.auth.verifyOtp).not.toHaveBeenCalled();
      const refusal = { error: authFailure('same_password', 'x', 422) };
      app.auth.updateUser.mockResolvedValueOnce(refusal);
      const user = await fillIn();
      expect(await screen.findByText('A nova senha precisa ser diferente da atual.')).toBeTruthy();
      expect(app.auth.verifyOtp).toHaveBeenCalledExactlyOnceWith({
        type: 'recovery',
        token_hash: 'pkce_abc',
      });
      await waitFor(() => expect(app.path()).toBe('/change-password'));
      await user.click(screen.getByRole('button', { name: 'Salvar nova senha' }));
      expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
      expect(app.auth.verifyOtp).toHaveBeenCalledTimes(1);
      expect(app.auth.updateUser).toHaveBeenLastCalledWith({ password: 'segredo1' });
    });

    test('one that came too late offers another, and nothing is changed', async () => {
      const auth = createFakeAuth(fakeSession());
      auth.verifyOtp.mockResolvedValue({ data: {}, error: authFailure('otp_expired', 'x', 403) });
      renderApp('/change-password?by=token&token_hash=abc&type=recovery', { auth });
      await fillIn();
      expect(await screen.findByText('Este link expirou ou já foi usado.')).toBeTruthy();
      expect(screen.getByRole('link', { name: 'Pedir um novo link' }).getAttribute('href')).toBe(
        '/reset-password',
      );
      expect(auth.updateUser).not.toHaveBeenCalled();
    });

    test('an invitation’s is spent as such, and its words stay while the password is refused', async () => {
      const app = renderApp('/change-password?by=token&token_hash=abc&type=invite');
      expect(await screen.findByRole('heading', { name: 'Criar sua senha' })).toBeTruthy();
      expect(document.title).toContain('Criar sua senha');
      expect(screen.getByText('Você recebeu um convite: escolha a senha da sua conta.')).toBeTruthy();
      app.auth.updateUser.mockResolvedValueOnce({ error: authFailure('weak_password', 'x', 422) });
      await fillIn();
      expect(await screen.findByText('Erro ao alterar senha')).toBeTruthy();
      expect(app.auth.verifyOtp).toHaveBeenCalledExactlyOnceWith({ type: 'invite', token_hash: 'abc' });
      await waitFor(() => expect(app.path()).toBe('/change-password?type=invite'));
      expect(screen.getByRole('heading', { name: 'Criar sua senha' })).toBeTruthy();
    });

    test('any other word than an invitation’s is a reset’s', async () => {
      const app = renderApp('/change-password?by=token&token_hash=abc&type=signup');
      await fillIn();
      expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
      expect(app.auth.verifyOtp).toHaveBeenCalledExactlyOnceWith({ type: 'recovery', token_hash: 'abc' });
    });

    test('whose it is is not guessed from whoever is signed in', async () => {
      renderApp('/change-password?by=token&token_hash=abc&type=recovery', {
        auth: createFakeAuth(fakeSession()),
      });
      await screen.findByLabelText('Nova senha');
      expect(screen.queryByText('ana@exemplo.com')).toBeNull();
    });
  });

  test('a reset link leads here from wherever it landed', async () => {
    const app = renderApp('/terms');
    act(() => app.auth.announce('PASSWORD_RECOVERY', fakeSession()));
    await waitFor(() => expect(app.path()).toBe('/change-password'));
  });
});

test('the front page sends signed-in people to their dashboard', async () => {
  stubEmptyLibrary();
  const app = renderApp('/', { auth: createFakeAuth(fakeSession()) });
  await waitFor(() => expect(app.path()).toBe('/dashboard'));
});

describe('what the server draws', () => {
  const cameFrom = (address: string) =>
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name: address } as PerformanceEntry]);
  const reload = vi.fn();
  const replace = vi.fn();
  beforeEach(() => {
    reload.mockClear();
    replace.mockClear();
    vi.stubGlobal('location', { href: location.href, origin: location.origin, reload, replace });
  });
  afterEach(() => vi.restoreAllMocks());

  test.each(['/', '/terms', '/privacy-policy'])(
    '%s is asked for anew, once, when a link leads there',
    async (path) => {
      cameFrom('https://links.example.com/login');
      renderApp(path);
      await waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith(path));
      expect(screen.queryByRole('heading')).toBeNull();
    },
  );

  test('is not asked for again where the answer was the app', async () => {
    cameFrom('https://links.example.com/terms');
    renderApp('/terms');
    expect(await screen.findByText('Esta página não está guardada neste aparelho')).toBeTruthy();
    expect(replace).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    expect(reload).toHaveBeenCalledOnce();
  });

  test('leaves visitors of a host of plain files the way in', async () => {
    cameFrom('https://links.example.com/?utm_source=x');
    const app = renderApp('/');
    await waitFor(() => expect(app.path()).toBe('/login'));
    expect(replace).not.toHaveBeenCalled();
  });
});

test('a path that leads nowhere shows the not-found screen', async () => {
  renderApp('/nada/aqui');
  expect(await screen.findByRole('heading', { name: 'Página não encontrada' })).toBeTruthy();
});
