import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { readPerson } from '../../../shared/lib/session/read-person.ts';
import { authFailure, createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { PersonalPanel } from './personal-panel.tsx';

const session = fakeSession({ name: 'Ana de Souza', firstName: 'Ana', lastName: 'de Souza' });

async function rename(firstName: string, lastName: string, auth = createFakeAuth(session)) {
  await renderWithProviders(<PersonalPanel person={readPerson(session.user)} />, { auth });
  const user = userEvent.setup();
  for (const [label, text] of [
    ['Nome', firstName],
    ['Sobrenome', lastName],
  ] as const) {
    await user.clear(screen.getByLabelText(label));
    if (text) await user.type(screen.getByLabelText(label), text);
  }
  await user.click(screen.getByRole('button', { name: 'Salvar' }));
  return auth;
}

test('both names are saved, and the whole name with them', async () => {
  const auth = await rename('Bia', 'Lima');
  expect(await screen.findByText('Perfil atualizado com sucesso!')).toBeTruthy();
  expect(auth.updateUser).toHaveBeenCalledExactlyOnceWith({
    data: { firstName: 'Bia', lastName: 'Lima', name: 'Bia Lima' },
  });
});

test('a failure is told, and what was typed stays', async () => {
  const auth = createFakeAuth(session);
  auth.updateUser.mockResolvedValue({ error: authFailure('unexpected_failure', 'x', 500) });
  await rename('Bia', 'Lima', auth);
  expect(await screen.findByText('Erro ao atualizar perfil. Por favor, tente novamente.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Nome').value).toBe('Bia');
  expect(screen.queryByText('Perfil atualizado com sucesso!')).toBeNull();
});

test.each([
  ['', 'Lima', 'Nome é obrigatório'],
  ['Bia', '', 'Sobrenome é obrigatório'],
])('%j and %j: %s', async (firstName, lastName, words) => {
  const auth = await rename(firstName, lastName);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(auth.updateUser).not.toHaveBeenCalled();
});

test('the e-mail is shown and cannot be changed', async () => {
  await renderWithProviders(<PersonalPanel person={readPerson(session.user)} />);
  const email = screen.getByLabelText<HTMLInputElement>('E-mail');
  expect([email.value, email.readOnly]).toEqual(['ana@exemplo.com', true]);
  expect(screen.getByText('O email não pode ser alterado')).toBeTruthy();
});

test('mails are chosen by whoever has an address to get them', async () => {
  const { unmount } = await renderWithProviders(<PersonalPanel person={readPerson(session.user)} />);
  expect(await screen.findByRole('heading', { name: 'Resumo de novidades' })).toBeTruthy();
  unmount();
  await renderWithProviders(<PersonalPanel person={{ ...readPerson(session.user), email: '' }} />);
  expect(screen.queryByRole('heading', { name: 'Resumo de novidades' })).toBeNull();
});
