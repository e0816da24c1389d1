import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { renderApp } from '../test/render-app.tsx';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/sharing/components/folder-groups.tsx'),
    import('../../features/sharing/components/groups-dialog.tsx'),
  ]),
);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run, 0));
  vi.stubGlobal('cancelIdleCallback', (timer: number) => clearTimeout(timer));
});

// While it can still take back what waits for an idle moment.
afterEach(cleanup);

const members = () =>
  library
    .table('folder_members')
    .map(({ email, role }) => `${email} ${role}`)
    .sort();
const groups = () => library.table('groups').map(({ name, emails }) => [name, emails]);

async function openDialog(plan: 'free' | 'plus' | 'pro' = 'pro') {
  const userId = fakeSession().user.id;
  library.tables['subscribers'] = [{ user_id: userId, plan, subscription_status: 'active' }];
  library.tables['profiles'] = [{ id: userId, plan }];
  const folder = library.add('folders', { name: 'Estudos' });
  renderApp('/dashboard', { auth: createFakeAuth(fakeSession()) });
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('button', { name: 'Ações da pasta Estudos' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Compartilhar pasta…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compartilhar pasta' });
  await within(dialog).findByRole('region', { name: 'Grupos' });
  return { user, dialog, folder };
}
const sharing = () => screen.findByRole('dialog', { name: 'Compartilhar pasta' });

test('a group is made of pasted addresses and has access with one press, in the role that is chosen', async () => {
  const { user, dialog } = await openDialog();
  await user.click(within(dialog).getByRole('button', { name: 'Novo grupo' }));
  const list = await screen.findByRole('dialog', { name: 'Grupos' });
  expect(await within(list).findByText(/Nenhum grupo ainda/)).toBeTruthy();
  await user.click(within(list).getByRole('button', { name: 'Novo grupo' }));
  const form = await screen.findByRole('dialog', { name: 'Novo grupo' });
  await user.click(within(form).getByLabelText('Pessoas do grupo'));
  await user.paste('Ana Lima <Ana@Escola.br>; bia@escola.br\ncaio@escola.br, ana@escola.br');
  expect(within(form).getByText('3/500')).toBeTruthy();
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(within(form).getByText('Dê um nome ao grupo')).toBeTruthy();
  await user.type(within(form).getByLabelText('Nome do grupo'), 'Turma 9B');
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Grupo salvo')).toBeTruthy();
  expect(groups()).toEqual([['Turma 9B', ['ana@escola.br', 'bia@escola.br', 'caio@escola.br']]]);
  await user.click(await screen.findByRole('button', { name: 'Voltar à pasta' }));

  await user.click(await screen.findByRole('button', { name: 'Dar acesso a Turma 9B, 3 pessoas' }));
  expect(await screen.findByText('Turma 9B agora tem acesso')).toBeTruthy();
  const role = await screen.findByLabelText('Permissão de Turma 9B');
  expect(members()).toEqual(['ana@escola.br viewer', 'bia@escola.br viewer', 'caio@escola.br viewer']);
  // The group stands for its people: they are in no list of their own, and count.
  expect(within(await sharing()).queryByText('ana@escola.br')).toBeNull();
  expect(within(await sharing()).getByText('3/100')).toBeTruthy();
  await user.selectOptions(role, 'Pode editar');
  await waitFor(() => expect(members()[0]).toBe('ana@escola.br editor'));
  await user.click(screen.getByRole('button', { name: 'Remover Turma 9B' }));
  expect(await screen.findByText('Turma 9B não tem mais acesso')).toBeTruthy();
  expect(members()).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await waitFor(() => expect(members()[0]).toBe('ana@escola.br editor'));
});

test('whoever is in by a group may be invited to do more, and goes wholly when removed', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { user, dialog } = await openDialog();
  await user.click(await screen.findByRole('button', { name: 'Dar acesso a Turma, 1 pessoa' }));
  await screen.findByLabelText('Permissão de Turma');
  await user.type(within(dialog).getByLabelText('Convidar por e-mail'), 'ana@escola.br');
  await user.click(within(dialog).getByRole('button', { name: 'Convidar' }));
  await screen.findByLabelText('Permissão de ana@escola.br');
  expect(members()).toEqual(['ana@escola.br editor', 'ana@escola.br viewer']);
  expect(within(dialog).getByText('1/100')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Remover ana@escola.br' }));
  await waitFor(() => expect(members()).toEqual([]));
});

test('a group is renamed, filled and emptied by what changed, and its name is its own', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br', 'bia@escola.br'] });
  const { user } = await openDialog();
  await user.click(await screen.findByRole('button', { name: 'Gerenciar grupos' }));
  await user.click(await screen.findByRole('button', { name: 'Editar Turma' }));
  const form = await screen.findByRole('dialog', { name: 'Editar grupo' });
  await user.click(within(form).getByRole('button', { name: /^Remover ana@escola.br/ }));
  await user.type(within(form).getByLabelText('Pessoas do grupo'), 'caio@escola.br');
  // Another screen has added somebody meanwhile: they stay.
  Object.assign(library.table('groups')[0] ?? {}, {
    emails: ['ana@escola.br', 'bia@escola.br', 'davi@escola.br'],
  });
  const name = within(form).getByLabelText('Nome do grupo');
  await user.clear(name);
  await user.type(name, 'Redação');
  library.control.refuse = (_method, relation) =>
    relation === 'rpc/save_group'
      ? {
          status: 409,
          body: {
            code: '23505',
            message: 'duplicate key value violates unique constraint "groups_name_once"',
          },
        }
      : null;
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(await within(form).findByText('Você já tem um grupo com este nome')).toBeTruthy();
  library.control.refuse = () => null;
  await user.click(within(form).getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Grupo salvo')).toBeTruthy();
  expect(groups()).toEqual([['Redação', ['bia@escola.br', 'davi@escola.br', 'caio@escola.br']]]);
});

test('a deleted group is had back with those who had access by it', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { user } = await openDialog();
  await user.click(await screen.findByRole('button', { name: 'Dar acesso a Turma, 1 pessoa' }));
  await user.click(await screen.findByRole('button', { name: 'Gerenciar grupos' }));
  expect(await screen.findByText('1 pessoa · em 1 pasta')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Excluir Turma' }));
  expect(await screen.findByText('Grupo excluído')).toBeTruthy();
  expect([groups(), members()]).toEqual([[], []]);
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await waitFor(() => expect(groups()).toEqual([['Turma', ['ana@escola.br']]]));
  expect(members()).toEqual(['ana@escola.br viewer']);
});

test('a group that does not fit gets no access, in the words of the limit', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { user } = await openDialog('plus');
  const body = { code: 'P0001', message: 'x', details: '{"max":3}', hint: 'plan_limit_folder_members' };
  library.control.refuse = (_method, relation) =>
    relation === 'rpc/share_folder_with_group' ? { status: 400, body } : null;
  await user.click(await screen.findByRole('button', { name: 'Dar acesso a Turma, 1 pessoa' }));
  expect(await screen.findByText('Limite de 3 pessoas por pasta atingido')).toBeTruthy();
});

test('on the free plan no group gets access, and none that had it loses the way out', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { dialog } = await openDialog('free');
  expect(await within(dialog).findByRole('button', { name: 'Gerenciar grupos' })).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: /^Dar acesso/ })).toBeNull();
});

test('a group whose access ends after the dialog was closed is said to have lost it, with the way back', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { user, dialog } = await openDialog();
  await user.click(await screen.findByRole('button', { name: 'Dar acesso a Turma, 1 pessoa' }));
  const remove = await screen.findByRole('button', { name: 'Remover Turma' });
  const answer = Promise.withResolvers<void>();
  library.control.beforeWrite = (relation) =>
    relation === 'rpc/end_group_share' ? answer.promise : Promise.resolve();
  await user.click(remove);
  await user.click(within(dialog).getByRole('button', { name: 'Fechar' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Compartilhar pasta' })).toBeNull());
  answer.resolve();
  expect(await screen.findByText('Turma não tem mais acesso')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  await waitFor(() => expect(members()).toEqual(['ana@escola.br viewer']));
});

test('a deleted group that cannot be had back is said so also where the list of groups is closed', async () => {
  library.add('groups', { id: 'g', name: 'Turma', emails: ['ana@escola.br'] });
  const { user } = await openDialog();
  await user.click(await screen.findByRole('button', { name: 'Gerenciar grupos' }));
  await user.click(await screen.findByRole('button', { name: 'Excluir Turma' }));
  expect(await screen.findByText('Grupo excluído')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Voltar à pasta' }));
  await sharing();
  library.control.refuse = (_method, relation) =>
    relation === 'rpc/restore_group' ? { status: 500, body: { code: 'XX000', message: 'interno' } } : null;
  await user.click(screen.getByRole('button', { name: 'Desfazer' }));
  expect(await screen.findByText('Não foi possível devolver o grupo')).toBeTruthy();
});
