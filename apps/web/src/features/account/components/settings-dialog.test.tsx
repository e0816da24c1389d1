import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { readPerson } from '../../../shared/lib/session/read-person.ts';
import { fakeSession } from '../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

test('what is typed is not thrown away without a question; once it is saved there is none', async () => {
  const onClose = vi.fn();
  await renderWithProviders(
    <SettingsDialog
      person={readPerson(fakeSession().user)}
      open
      tab="security"
      onTabChange={() => undefined}
      onClose={onClose}
      billing={null}
    />,
  );
  const user = userEvent.setup();
  const dialog = within(await screen.findByRole('dialog', { name: 'Configurações da Conta' }));
  const close = () => user.click(dialog.getByRole('button', { name: 'Fechar' }));
  const keepEditing = async () => {
    await close();
    const question = await screen.findByRole('alertdialog', { name: 'Descartar o que você digitou?' });
    await user.click(within(question).getByRole('button', { name: 'Continuar editando' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(onClose).not.toHaveBeenCalled();
  };
  await user.type(await dialog.findByLabelText('Senha atual'), 'antiga');
  await keepEditing();
  await user.type(dialog.getByLabelText('Nova senha'), 'novasenha');
  await user.type(dialog.getByLabelText('Confirme a nova senha'), 'novasenha');
  await keepEditing();
  await user.type(dialog.getByLabelText('Confirme a nova senha'), '{Enter}');
  expect(await screen.findByText('Senha atualizada com sucesso!')).toBeTruthy();
  await close();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});
