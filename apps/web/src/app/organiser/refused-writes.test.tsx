import { act, screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const BROKEN: Refusal = {
  status: 500,
  body: { code: 'XX000', message: 'interno', details: null, hint: null },
};

/** The app reads by functions, too, some of them when it has nothing else to do: they are answered. */
const isWrite = (relation: string) => !relation.startsWith('rpc/') || relation === 'rpc/delete_links';

const library = beginWithLibrary(() => import('../../features/links/components/form/link-dialog.tsx'));
/** Lets the held writes reach the service. */
let release: () => void;

beforeEach(() => {
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Every write waits, so that a test sees what the screen shows meanwhile; then the service refuses it.
  library.control.beforeWrite = async (relation) => (isWrite(relation) ? held : undefined);
  library.control.refuse = (method, relation) => (method !== 'GET' && isWrite(relation) ? BROKEN : null);
});

/** Opens the category 'Redes' of two links in the folder 'Estudos', or the dashboard above it. */
function open(where: 'category' | 'dashboard') {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (const title of ['Roteador', 'Cabo']) {
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: category['id'] });
  }
  const path = where === 'category' ? `/category/${String(category['id'])}` : '/dashboard';
  return openSignedIn(path);
}

// A dialog hides what is behind it from assistive technology; the rows are there all the same.
const inTree = (name: string) => screen.queryByRole('treeitem', { name, hidden: true });
const linkNames = () =>
  ['Roteador', 'Cabo', 'Comutador'].filter((name) => screen.queryByRole('link', { name, hidden: true }));
const counters = () => [...document.querySelectorAll('dd')].map((figure) => figure.textContent);

describe('a refused category', () => {
  const menuOf = async (user: ReturnType<typeof userEvent.setup>, item: string) => {
    await user.click(await screen.findByRole('button', { name: 'Ações da categoria Redes' }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };

  test('that is new leaves tree and counters again; its text stays in the dialog', async () => {
    const { user } = open('dashboard');
    await waitFor(() => expect(counters()).toEqual(['1', '1', '2']));
    await user.click(await screen.findByRole('button', { name: 'Adicionar categoria em Estudos' }));
    await user.type(await screen.findByLabelText('Nome da Categoria'), 'Sinais{Enter}');
    await waitFor(() => expect(counters()).toEqual(['1', '2', '2']));
    release();
    expect(await screen.findByText('Não foi possível criar a categoria')).toBeTruthy();
    await waitFor(() => expect(counters()).toEqual(['1', '1', '2']));
    expect(inTree('Sinais')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Nome da Categoria').value).toBe('Sinais');
    expect(screen.queryByText('Categoria criada com sucesso')).toBeNull();
  });

  test('change takes the old name back; what was typed stays in the dialog', async () => {
    const { user } = open('category');
    await menuOf(user, 'Editar');
    const name = await screen.findByLabelText('Nome da Categoria');
    await user.clear(name);
    await user.type(name, 'Sinais{Enter}');
    await waitFor(() => expect(inTree('Sinais')).toBeTruthy());
    release();
    expect(await screen.findByText('Não foi possível atualizar a categoria')).toBeTruthy();
    await waitFor(() => expect(inTree('Redes')).toBeTruthy());
    expect(inTree('Sinais')).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Nome da Categoria').value).toBe('Sinais');
  });

  test('deletion brings it back, with what the counters said', async () => {
    const { user } = open('category');
    await menuOf(user, 'Excluir');
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    await waitFor(() => expect(counters()).toEqual(['1', '0', '0']));
    expect(inTree('Redes')).toBeNull();
    release();
    expect(await screen.findByText('Erro ao excluir categoria')).toBeTruthy();
    await waitFor(() => expect(counters()).toEqual(['1', '1', '2']));
    expect(library.table('categories')).toHaveLength(1);
    expect(screen.queryByText('Categoria excluída com sucesso')).toBeNull();
  });
});

describe('a refused link', () => {
  test('change takes the old title back; what was typed stays in the dialog', async () => {
    const { user } = open('category');
    await user.click(await screen.findByRole('button', { name: 'Ações do link Roteador' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Editar' }));
    const title = await screen.findByLabelText('Título');
    await user.clear(title);
    await user.type(title, 'Comutador{Enter}');
    await waitFor(() => expect(linkNames()).toEqual(['Cabo', 'Comutador']));
    release();
    expect(await screen.findByText('Não foi possível atualizar o link')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
    expect(screen.getByLabelText<HTMLInputElement>('Título').value).toBe('Comutador');
  });

  test('deletion brings it back', async () => {
    const { user } = open('category');
    await user.click(await screen.findByRole('button', { name: 'Ações do link Roteador' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    await waitFor(() => expect(linkNames()).toEqual(['Cabo']));
    release();
    expect(await screen.findByText('Não foi possível excluir o link')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
  });

  test('deletion of many brings them all back', async () => {
    const { user } = open('category');
    await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    await user.click(screen.getByRole('button', { name: 'Excluir (2)' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
    await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Nenhum link encontrado nesta categoria')).toBeTruthy();
    release();
    expect(await screen.findByText('Não foi possível excluir os links selecionados')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Roteador', 'Cabo']));
    expect(screen.getByText('2 links')).toBeTruthy();
    expect(screen.queryByText('2 links excluídos com sucesso')).toBeNull();
  });
});

describe('copying an address', () => {
  async function copy(user: ReturnType<typeof userEvent.setup>) {
    await user.click(await screen.findByRole('button', { name: 'Ações do link Roteador' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copiar link' }));
  }

  test('puts it on the clipboard and says so', async () => {
    const { user } = open('category');
    await copy(user);
    expect(await screen.findByText('Link copiado para a área de transferência')).toBeTruthy();
    expect(await act(() => navigator.clipboard.readText())).toBe('https://exemplo.com/Roteador');
  });

  test('that the browser refuses is told', async () => {
    const { user } = open('category');
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('não', 'NotAllowedError'));
    await copy(user);
    expect(await screen.findByText('Não foi possível copiar o link')).toBeTruthy();
    expect(screen.queryByText('Link copiado para a área de transferência')).toBeNull();
  });
});
