import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const library = beginWithLibrary(() =>
  Promise.all([
    import('../../features/links/components/form/link-dialog.tsx'),
    import('../../shared/ui/dialogs/conflict-dialog.tsx'),
  ]),
);
let folder: Record<string, unknown>;
let category: Record<string, unknown>;
let link: Record<string, unknown>;

beforeEach(() => {
  folder = library.add('folders', { name: 'Estudos' });
  category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  link = library.add('links', {
    title: 'Roteador',
    url: 'https://exemplo.com/',
    category_id: category['id'],
  });
});

/** What another tab does meanwhile. */
const elsewhere = (row: Record<string, unknown>, change: Record<string, unknown>) =>
  Object.assign(row, change, { updated_at: new Date(Date.UTC(2025, 5, 1)).toISOString() });

async function edit(menuButton: string) {
  const { user } = openSignedIn(`/category/${String(category['id'])}`);
  await user.click(await screen.findByRole('button', { name: menuButton }));
  await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
  return user;
}

async function type(user: ReturnType<typeof userEvent.setup>, label: string, text: string) {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  await user.type(field, text);
}

const save = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Salvar' }));
/** A toast is a dialog as well, and stays for seconds. */
const form = () => screen.queryByRole('dialog', { name: /^Editar / });
const question = () => screen.findByRole('alertdialog', { name: 'Alteração em outro lugar' });
const answer = async (user: ReturnType<typeof userEvent.setup>, name: string) =>
  user.click(within(await question()).getByRole('button', { name }));
const inTree = (name: string) => screen.queryByRole('treeitem', { name, hidden: true });

test('a folder renamed elsewhere meanwhile: both names are shown, the list shows the current one, mine can be kept', async () => {
  const user = await edit('Ações da pasta Estudos');
  await type(user, 'Nome da Pasta', 'Minha');
  elsewhere(folder, { name: 'De outra aba' });
  await save(user);
  const dialog = within(await question());
  expect(dialog.getByText('Sua versão').parentElement?.textContent).toContain('Minha');
  expect(dialog.getByText('Versão atual').parentElement?.textContent).toContain('De outra aba');
  expect(folder['name']).toBe('De outra aba');
  expect(inTree('De outra aba')).toBeTruthy();
  expect(inTree('Minha')).toBeNull();

  await answer(user, 'Manter a minha');
  expect(await screen.findByText('Pasta atualizada com sucesso')).toBeTruthy();
  expect(folder['name']).toBe('Minha');
  await waitFor(() => expect(inTree('Minha')).toBeTruthy());
  await waitFor(() => expect(form()).toBeNull());
});

test('using the current version closes the form and writes nothing', async () => {
  const user = await edit('Ações da categoria Redes');
  await type(user, 'Nome da Categoria', 'Minha');
  elsewhere(category, { name: 'De outra aba', description: 'nova' });
  await save(user);
  const dialog = within(await question());
  expect(dialog.getByText('nova')).toBeTruthy();
  expect(dialog.getByText('(vazio)')).toBeTruthy();
  await answer(user, 'Usar a atual');
  await waitFor(() => expect(form()).toBeNull());
  expect(category).toMatchObject({ name: 'De outra aba', description: 'nova' });
  expect(inTree('De outra aba')).toBeTruthy();
});

test('going back keeps what was typed; saving again is then made against what was seen', async () => {
  const user = await edit('Ações do link Roteador');
  await type(user, 'Título', 'Meu roteador');
  elsewhere(link, { title: 'Roteador de outra aba', url: 'https://exemplo.com/outra' });
  await save(user);
  const dialog = within(await question());
  expect(dialog.getByText('https://exemplo.com/outra')).toBeTruthy();
  expect(dialog.queryByText('Categoria')).toBeNull();
  await answer(user, 'Voltar a editar');
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Título').value).toBe('Meu roteador');
  expect(link['title']).toBe('Roteador de outra aba');
  await type(user, 'Título', 'Os dois');
  await save(user);
  expect(await screen.findByText('Link atualizado com sucesso')).toBeTruthy();
  expect(link['title']).toBe('Os dois');
});

test('a change in between asks again', async () => {
  const user = await edit('Ações da pasta Estudos');
  await type(user, 'Nome da Pasta', 'Minha');
  elsewhere(folder, { name: 'Segunda' });
  await save(user);
  await question();
  Object.assign(folder, { name: 'Terceira', updated_at: '2025-07-01T00:00:00Z' });
  await answer(user, 'Manter a minha');
  expect(await screen.findByText('Terceira', { selector: 'p' })).toBeTruthy();
  expect(folder['name']).toBe('Terceira');
});

test.each([
  ['Ações da pasta Estudos', 'Nome da Pasta', 'folders', 'Pasta não encontrada. A pasta foi excluída em'],
  [
    'Ações da categoria Redes',
    'Nome da Categoria',
    'categories',
    'Categoria não encontrada. A categoria foi',
  ],
  ['Ações do link Roteador', 'Título', 'links', 'Link não encontrado. O link foi excluído em outro lugar'],
])('%s: what was deleted elsewhere says so and keeps the text', async (button, label, table, words) => {
  const user = await edit(button);
  await type(user, label, 'Minha');
  library.table(table).length = 0;
  await save(user);
  expect(await screen.findByText(new RegExp(`^${words}`))).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('Minha');
});

test('a category that was shared or moved meanwhile is renamed without a question', async () => {
  const user = await edit('Ações da categoria Redes');
  await type(user, 'Nome da Categoria', 'Minha');
  elsewhere(category, { is_public: true });
  await save(user);
  expect(await screen.findByText('Categoria atualizada com sucesso')).toBeTruthy();
  expect(category).toMatchObject({ name: 'Minha', is_public: true });
});

test("one's own edits in a row are no conflict", async () => {
  const user = await edit('Ações da pasta Estudos');
  await type(user, 'Nome da Pasta', 'Primeiro');
  await save(user);
  await waitFor(() => expect(form()).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Ações da pasta Primeiro' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
  await type(user, 'Nome da Pasta', 'Segundo');
  await user.dblClick(screen.getByRole('button', { name: 'Salvar' }));
  await waitFor(() => expect(folder['name']).toBe('Segundo'));
  await waitFor(() => expect(form()).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
});
