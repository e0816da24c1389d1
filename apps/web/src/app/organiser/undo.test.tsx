import { screen, waitFor, within } from '@testing-library/react';
import type userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { beginWithLibrary } from '../test/begin-with-library.ts';
import type { Refusal } from '../test/fake-library.ts';
import { openSignedIn } from '../test/open-signed-in.ts';

const refusal = (code: string, more: object = {}): Refusal => ({
  status: 400,
  body: { code, message: 'interno', details: null, hint: null, ...more },
});

const library = beginWithLibrary();

/** Opens the category 'Redes' of three links in the folder 'Estudos', or the dashboard above it. */
function open(where: 'category' | 'dashboard') {
  const folder = library.add('folders', { name: 'Estudos' });
  const category = library.add('categories', { name: 'Redes', folder_id: folder['id'], is_public: false });
  for (const title of ['Roteador', 'Cabo', 'Antena']) {
    library.add('links', { title, url: `https://exemplo.com/${title}`, category_id: category['id'] });
  }
  const path = `/category/${String(category['id'])}`;
  const app = openSignedIn(where === 'category' ? path : '/dashboard');
  return { ...app, categoryPath: path };
}

type User = ReturnType<typeof userEvent.setup>;

async function confirmDeletion(user: User) {
  const dialog = await screen.findByRole('alertdialog', { name: 'Confirmar exclusão' });
  await user.click(within(dialog).getByRole('button', { name: 'Excluir' }));
}

async function deleteByMenu(user: User, button: string) {
  await user.click(await screen.findByRole('button', { name: button }));
  await user.click(await screen.findByRole('menuitem', { name: 'Excluir' }));
  await confirmDeletion(user);
}

const undoButton = () => screen.findByRole('button', { name: 'Desfazer' });
const inTree = (name: string) => screen.queryByRole('treeitem', { name, hidden: true });
const linkNames = () =>
  screen.queryAllByRole('link', { name: /Roteador|Cabo|Antena/ }).map((each) => each.textContent);
const counters = () => [...document.querySelectorAll('dd')].map((figure) => figure.textContent);

describe('undoing a deletion', () => {
  test('of a folder brings it back with its categories, links and counters, and opens the category again', async () => {
    const { user, path, categoryPath } = open('category');
    await deleteByMenu(user, 'Ações da pasta Estudos');
    expect(await screen.findByText('Pasta excluída com sucesso')).toBeTruthy();
    await waitFor(() => expect(counters()).toEqual(['0', '0', '0']));
    expect(path()).toBe('/dashboard');
    expect(library.table('links')).toEqual([]);

    await user.click(await undoButton());
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    await waitFor(() => expect(path()).toBe(categoryPath));
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
    expect(inTree('Estudos')).toBeTruthy();
    expect(library.table('links')).toHaveLength(3);
  });

  test('of a category shows it before the service has answered', async () => {
    const { user } = open('dashboard');
    await waitFor(() => expect(counters()).toEqual(['1', '1', '3']));
    await user.click(await screen.findByRole('treeitem', { name: 'Estudos' }));
    await deleteByMenu(user, 'Ações da categoria Redes');
    await waitFor(() => expect(counters()).toEqual(['1', '0', '0']));
    let release: () => void = () => undefined;
    library.control.beforeWrite = async (relation) => {
      if (!/undo|restore/.test(relation)) return;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    await user.click(await undoButton());
    await waitFor(() => expect(counters()).toEqual(['1', '1', '3']));
    expect(library.table('categories')).toEqual([]);
    expect(screen.queryByText('Exclusão desfeita')).toBeNull();
    release();
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(library.table('categories')).toHaveLength(1);
  });

  test('of one link puts it back in its place', async () => {
    const { user } = open('category');
    await deleteByMenu(user, 'Ações do link Cabo');
    expect(await screen.findByText('Link excluído com sucesso')).toBeTruthy();
    expect(linkNames()).toEqual(['Antena', 'Roteador']);
    await user.click(await undoButton());
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(screen.getByText('3 links')).toBeTruthy();
  });

  test('works by key, also for many links, but not where someone types', async () => {
    const { user } = open('category');
    await user.click(await screen.findByRole('button', { name: 'Selecionar' }));
    await user.click(screen.getByRole('button', { name: 'Selecionar todos' }));
    await user.click(screen.getByRole('button', { name: 'Excluir (3)' }));
    await confirmDeletion(user);
    expect(await screen.findByText('3 links excluídos com sucesso')).toBeTruthy();
    await user.click(screen.getByPlaceholderText('Buscar links...'));
    await user.keyboard('{Control>}z{/Control}');
    expect(library.table('links')).toEqual([]);
    await user.click(document.body);
    await user.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']);
  });

  test('works by key when the words have long gone, also on another page', async () => {
    const { user } = open('category');
    await deleteByMenu(user, 'Ações do link Cabo');
    await screen.findByText('Link excluído com sucesso');
    await user.click(screen.getByLabelText('Fechar aviso'));
    await waitFor(() => expect(screen.queryByText('Link excluído com sucesso')).toBeNull());
    await user.click(screen.getByRole('link', { name: 'Lixeira' }));
    await screen.findByRole('list', { name: 'Itens na Lixeira' });
    await user.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(screen.getByText('Cabo')).toBeTruthy();
    expect(library.table('links')).toHaveLength(3);
    expect(await screen.findByText('A Lixeira está vazia')).toBeTruthy();
  });

  test('of two in a row: each has its own way back, and the key takes the last first', async () => {
    const { user } = open('category');
    await deleteByMenu(user, 'Ações do link Cabo');
    await screen.findByText('Link excluído com sucesso');
    await deleteByMenu(user, 'Ações do link Antena');
    await waitFor(() => expect(linkNames()).toEqual(['Roteador']));
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Roteador']));
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
    await waitFor(() => expect(library.table('links')).toHaveLength(3));
  });

  test('that is asked for before the deletion was answered waits for the answer', async () => {
    const { user } = open('category');
    const calls: string[] = [];
    let release: () => void = () => undefined;
    // By name: what the app asks meanwhile by itself is no part of this.
    library.control.beforeWrite = async (relation) => {
      if (!/delet/.test(relation)) return;
      calls.push(relation.replace('rpc/', ''));
      if (relation !== 'rpc/delete_links') return;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    await deleteByMenu(user, 'Ações do link Cabo');
    expect(await screen.findByText('Excluindo link...')).toBeTruthy();
    await user.click(await undoButton());
    expect(calls).toEqual(['delete_links']);
    expect(linkNames()).toEqual(['Antena', 'Roteador']);
    release();
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
    expect(await screen.findByText('Exclusão desfeita')).toBeTruthy();
    expect(calls).toEqual(['delete_links', 'undo_deletion']);
    expect(screen.queryByText('Link excluído com sucesso')).toBeNull();
  });

  test('that is refused takes it away again and says why', async () => {
    const { user } = open('category');
    await deleteByMenu(user, 'Ações do link Cabo');
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/undo_deletion'
        ? refusal('P0001', { hint: 'plan_limit_links', details: '{"max":20,"plan":"free"}' })
        : null;
    await user.click(await undoButton());
    expect(await screen.findByText('Não conseguimos desfazer a exclusão')).toBeTruthy();
    expect(screen.getByText('Limite de 20 links atingido.')).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Roteador']));
    expect(screen.getByText('2 links')).toBeTruthy();

    library.control.refuse = () => null;
    await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
  });

  test('that comes too late says so, and does not offer to try again', async () => {
    const { user } = open('category');
    await deleteByMenu(user, 'Ações do link Cabo');
    library.control.refuse = (_method, relation) =>
      relation === 'rpc/undo_deletion'
        ? { status: 200, body: { folders: 0, categories: 0, links: 0 } }
        : null;
    await user.click(await undoButton());
    expect(await screen.findByText('Já foi restaurado ou não está mais na Lixeira.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Tentar de novo' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Abrir a Lixeira' })).toBeTruthy();
    await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Roteador']));
  });
});

test('a service without bulk deletion says so, and everything stays', async () => {
  const { user } = open('category');
  library.control.refuse = (_method, relation) =>
    relation === 'rpc/delete_links' ? { ...refusal('PGRST202'), status: 404 } : null;
  await deleteByMenu(user, 'Ações do link Cabo');
  expect(await screen.findByText('Função de exclusão múltipla não disponível')).toBeTruthy();
  await waitFor(() => expect(linkNames()).toEqual(['Antena', 'Cabo', 'Roteador']));
  expect(screen.queryByRole('button', { name: 'Desfazer' })).toBeNull();
});
