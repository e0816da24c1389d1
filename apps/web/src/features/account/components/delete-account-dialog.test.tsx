import type { Factor } from '@supabase/auth-js';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { SIGN_IN_PROVIDERS } from '../../../shared/sign-in/sign-in-providers.tsx';
import {
  authFailure,
  createFakeAuth,
  fakeFactor,
  fakeSession,
  withLevel,
} from '../../../shared/test/create-fake-auth.ts';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

const UNTIL = '2027-03-31T12:00:00+00:00';
afterEach(() => vi.unstubAllGlobals());

/** As behind the login guard. */
function Guarded(props: ComponentProps<typeof DeleteAccountDialog>) {
  return usePerson() ? <DeleteAccountDialog {...props} /> : null;
}

async function open(
  answer: () => Response | Promise<Response> = () => Response.json({ closed: true, restorableUntil: UNTIL }),
  hasPassword = true,
  factors: readonly Factor[] = [],
  isListed = true,
  connection: ReturnType<typeof createFakeConnection> | null = null,
) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    if (!String(input).endsWith('/functions/v1/delete-account')) return new Response('{}');
    asked.push(JSON.parse(String(init?.body)));
    return answer();
  });
  const auth = createFakeAuth(factors.length === 0 ? fakeSession() : withLevel('aal2', factors));
  auth.mfa.listFactors.mockReturnValue(
    isListed ? Promise.resolve({ data: { all: factors }, error: null }) : new Promise(() => undefined),
  );
  const onClose = vi.fn();
  const onDeleted = vi.fn();
  const leave = vi.fn(async () => undefined);
  await renderWithProviders(
    <Guarded
      open
      email="ana@exemplo.com"
      hasPassword={hasPassword}
      freshSignIn={{ provider: SIGN_IN_PROVIDERS[0], leave }}
      onClose={onClose}
      onDeleted={onDeleted}
    />,
    { auth, connection },
  );
  const fill = (word: string, password?: string) => {
    fireEvent.change(screen.getByLabelText('Digite EXCLUIR para confirmar'), { target: { value: word } });
    if (password !== undefined)
      fireEvent.change(screen.getByLabelText('Senha atual'), { target: { value: password } });
    fireEvent.click(screen.getByRole('button', { name: 'Excluir minha conta' }));
  };
  return { auth, asked, onClose, onDeleted, leave, fill };
}

test('the password is proven, then the account goes, and the date is handed on', async () => {
  const { auth, asked, onDeleted, fill } = await open();
  fill('EXCLUIR', 'segredo');
  await waitFor(() => expect(onDeleted).toHaveBeenCalledExactlyOnceWith(UNTIL));
  expect(auth.signInWithPassword).toHaveBeenCalledExactlyOnceWith({
    email: 'ana@exemplo.com',
    password: 'segredo',
    options: {},
  });
  expect(asked).toEqual([{ confirmation: 'EXCLUIR' }]);
});

test.each([
  ['excluir', 'segredo', 'Digite EXCLUIR, em letras maiúsculas'],
  ['', 'segredo', 'Digite EXCLUIR, em letras maiúsculas'],
  ['EXCLUIR', '', 'Senha atual é obrigatória'],
])('%j with the password %j is not enough: %s', async (word, password, words) => {
  const { auth, asked, fill } = await open();
  fill(word, password);
  await screen.findByText(words);
  expect([auth.signInWithPassword.mock.calls, asked]).toEqual([[], []]);
});

test('a wrong password closes nothing', async () => {
  const { auth, asked, onDeleted, fill } = await open();
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: authFailure('invalid_credentials') });
  fill('EXCLUIR', 'errada');
  await screen.findByText('Senha atual incorreta');
  expect(asked).toEqual([]);
  expect(onDeleted).not.toHaveBeenCalled();
});

test('whoever has a second factor is asked for no password, which would sign in below it', async () => {
  const { auth, asked, onDeleted, fill } = await open(undefined, true, [fakeFactor]);
  await waitFor(() => expect(screen.queryByLabelText('Senha atual')).toBeNull());
  fill('EXCLUIR');
  await waitFor(() => expect(onDeleted).toHaveBeenCalledExactlyOnceWith(UNTIL));
  expect([auth.signInWithPassword.mock.calls, asked]).toEqual([[], [{ confirmation: 'EXCLUIR' }]]);
});

test('with a second factor, too, a sign-in of long ago leads to another one, and closes nothing', async () => {
  const tooOld = () => Response.json({ error: 'x', code: 'reauthentication_needed' }, { status: 403 });
  const { auth, onDeleted, fill } = await open(tooOld, true, [fakeFactor]);
  await waitFor(() => expect(screen.queryByLabelText('Senha atual')).toBeNull());
  fill('EXCLUIR');
  await screen.findByText(/^Entre de novo para confirmar que é você/);
  expect([auth.signInWithPassword.mock.calls, onDeleted.mock.calls]).toEqual([[], []]);
});

test('until it is known whether there is one, what was typed signs nobody in below it', async () => {
  const { auth, asked, onDeleted, fill } = await open(undefined, true, [fakeFactor], false);
  fill('EXCLUIR', 'segredo');
  await waitFor(() => expect(onDeleted).toHaveBeenCalledExactlyOnceWith(UNTIL));
  expect([auth.signInWithPassword.mock.calls, asked]).toEqual([[], [{ confirmation: 'EXCLUIR' }]]);
});

test('whoever has no password is asked for none, and led to Google when the sign-in was long ago', async () => {
  const { auth, leave, onDeleted, fill } = await open(
    () => Response.json({ error: 'x', code: 'reauthentication_needed' }, { status: 403 }),
    false,
  );
  expect(screen.queryByLabelText('Senha atual')).toBeNull();
  fill('EXCLUIR');
  await screen.findByText(/^Entre de novo para confirmar que é você/);
  expect([auth.signInWithPassword.mock.calls, leave.mock.calls]).toEqual([[], []]);
  fireEvent.click(screen.getByRole('button', { name: 'Confirmar com o Google' }));
  expect(leave).toHaveBeenCalledOnce();
  expect(onDeleted).not.toHaveBeenCalled();
  await screen.findByRole('button', { name: 'Abrindo o Google...' });
});

test.each<[what: string, answer: () => Response | Promise<Response>, words: string]>([
  [
    'the server’s sentence is shown',
    () => Response.json({ error: 'Não foi possível cancelar sua assinatura agora.' }, { status: 503 }),
    'Não foi possível cancelar sua assinatura agora.',
  ],
  [
    'a refusal without a sentence has words of its own',
    () => new Response('<html>', { status: 429 }),
    'Não foi possível excluir sua conta',
  ],
  ...[
    { what: 'a broken answer', answer: () => new Response('<html>') },
    { what: 'an answer of a proxy', answer: () => new Response(null, { status: 504 }) },
    {
      what: 'a late answer',
      answer: () => Promise.reject(new DOMException('signal timed out', 'TimeoutError')),
    },
    { what: 'no answer', answer: () => Promise.reject(new TypeError('Failed to fetch')) },
  ].map(({ what, answer }): [string, typeof answer, string] => [
    `the account may be gone after ${what}, which is said`,
    answer,
    'Não foi possível confirmar a exclusão. Ela pode ter sido feita. Se a sua sessão terminar aqui, foi: entrar de novo restaura a conta.',
  ]),
])('%s, and nobody is led away', async (_what, answer, words) => {
  const { onDeleted, fill } = await open(answer);
  fill('EXCLUIR', 'segredo');
  expect((await screen.findByRole('alert')).textContent).toBe(words);
  expect(onDeleted).not.toHaveBeenCalled();
});

test('a password that could not be compared leaves the account as it was', async () => {
  const { auth, asked, fill } = await open();
  auth.signInWithPassword.mockResolvedValue({ data: {}, error: authFailure('unexpected_failure') });
  fill('EXCLUIR', 'segredo');
  expect((await screen.findByRole('alert')).textContent).toBe('Não foi possível excluir sua conta');
  expect(asked).toEqual([]);
});

test('what is under way cannot be called off: neither × nor Cancelar takes the question away', async () => {
  const answer = Promise.withResolvers<Response>();
  const { onClose, onDeleted, fill } = await open(() => answer.promise);
  fill('EXCLUIR', 'segredo');
  await screen.findByRole('button', { name: 'Excluindo...' });
  fireEvent.click(screen.getByRole('button', { name: 'Fechar' }));
  fireEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(onClose).not.toHaveBeenCalled();
  answer.resolve(Response.json({ closed: true, restorableUntil: UNTIL }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalledExactlyOnceWith(UNTIL));
});

test('without network it cannot be pressed, and says why', async () => {
  const { asked, fill } = await open(undefined, false, [], true, createFakeConnection(false));
  expect(screen.getByText('Você está sem conexão. Conecte-se para excluir a conta.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Excluir minha conta' }).hasAttribute('disabled')).toBe(true);
  fill('EXCLUIR');
  expect(asked).toEqual([]);
});
