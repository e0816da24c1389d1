import { createEvent, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { RenameField } from '../../../shared/ui/fields/rename-field.tsx';
import type { TreeFolder } from '../model/tree-nodes.ts';
import { FolderTree, type FolderTreeProps } from './folder-tree.tsx';

const folders: readonly TreeFolder[] = [
  { id: 'f1', name: 'Estudos', categories: [{ id: 'c1', name: 'Redes', linkCount: 3, sharing: 'private' }] },
  {
    id: 'f2',
    name: 'Viagens',
    categories: [{ id: 'c2', name: 'Chapada', linkCount: 0, sharing: 'private' }],
  },
  { id: 'f3', name: 'Vazia', categories: [] },
];

function setUp(change: Partial<FolderTreeProps> = {}) {
  const calls = {
    onOpenCategory: vi.fn(),
    onAddCategory: vi.fn(),
    onEdit: vi.fn(),
    onShareFolder: vi.fn(),
    onMove: vi.fn(),
    onHistory: vi.fn(),
    onStar: vi.fn(),
    onDelete: vi.fn(),
    onRename: vi.fn(async (_id: string, _name: string) => true),
  };
  const drops = { accepts: () => false, onDrop: vi.fn() };
  const props: FolderTreeProps = {
    folders,
    activeCategoryId: null,
    arrival: null,
    drops,
    addLock: null,
    renderNameField: (node, end) => (
      <RenameField
        name={node.name}
        label={`Nome de ${node.name}`}
        onSave={(name) => calls.onRename(node.id, name)}
        onEnd={end}
      />
    ),
    starredIds: new Set(),
    ...calls,
    ...change,
  };
  const view = render(<FolderTree {...props} />);
  return {
    calls,
    user: userEvent.setup(),
    rerender: (next: Partial<FolderTreeProps>) => view.rerender(<FolderTree {...props} {...next} />),
  };
}

const row = (name: string) => screen.getByRole('treeitem', { name });
const expanded = () =>
  screen.getAllByRole('treeitem', { expanded: true }).map((item) => item.getAttribute('aria-label'));

test('folders start collapsed, and one is open at a time', async () => {
  const { user } = setUp();
  expect(screen.queryAllByRole('treeitem', { expanded: true })).toEqual([]);
  await user.click(screen.getByText('Estudos'));
  expect(expanded()).toEqual(['Estudos']);
  await user.click(screen.getByText('Viagens'));
  expect(expanded()).toEqual(['Viagens']);
  expect(screen.queryByRole('treeitem', { name: 'Redes' })).toBeNull();
  await user.click(screen.getByText('Viagens'));
  expect(screen.queryAllByRole('treeitem', { expanded: true })).toEqual([]);
});

test('a folder without categories says so', async () => {
  const { user } = setUp();
  await user.click(screen.getByText('Vazia'));
  expect(screen.getByText('Nenhuma categoria ainda')).toBeTruthy();
});

test('opening a category expands its folder and marks it; it can be closed all the same', async () => {
  const { user, rerender } = setUp({ activeCategoryId: 'c1' });
  expect(expanded()).toEqual(['Estudos']);
  expect(row('Redes').getAttribute('aria-current')).toBe('page');
  rerender({ activeCategoryId: 'c2' });
  expect(expanded()).toEqual(['Viagens']);
  await user.click(screen.getByText('Viagens'));
  expect(screen.queryAllByRole('treeitem', { expanded: true })).toEqual([]);
});

test('the folder of the open category expands when the list arrives after it', () => {
  const { rerender } = setUp({ activeCategoryId: 'c2', folders: [] });
  rerender({ folders, activeCategoryId: 'c2' });
  expect(expanded()).toEqual(['Viagens']);
});

test('the whole tree is one stop of Tab, walked by arrows', async () => {
  const { user, calls } = setUp();
  await user.tab();
  expect(document.activeElement).toBe(row('Estudos'));
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(row('Redes'));
  await user.keyboard('{Enter}');
  expect(calls.onOpenCategory).toHaveBeenCalledExactlyOnceWith('c1');
  await user.keyboard('{End}');
  expect(document.activeElement).toBe(row('Vazia'));
  await user.keyboard('{Home}');
  await user.keyboard('{Delete}');
  expect(calls.onDelete).toHaveBeenCalledWith(expect.objectContaining({ id: 'f1' }));
  expect(screen.getAllByRole('treeitem').filter((item) => item.tabIndex === 0)).toHaveLength(1);
});

test('a plain press opens a category, a press with Ctrl is left to the browser', async () => {
  const { user, calls } = setUp({ activeCategoryId: 'c1' });
  const link = screen.getByText('Redes');
  expect(link.getAttribute('href')).toBe('/category/c1');
  await user.click(link);
  expect(calls.onOpenCategory).toHaveBeenCalledTimes(1);
  link.addEventListener('click', (event) => event.preventDefault(), { once: true });
  await user.keyboard('{Control>}');
  await user.click(link);
  expect(calls.onOpenCategory).toHaveBeenCalledTimes(1);
});

test('adding a category opens its folder, and a press on the button is not a press on the row', async () => {
  const { user, calls } = setUp();
  await user.click(screen.getByRole('button', { name: 'Adicionar categoria em Viagens' }));
  expect(calls.onAddCategory).toHaveBeenCalledExactlyOnceWith('f2');
  expect(expanded()).toEqual(['Viagens']);
});

test('one menu serves every row', async () => {
  const { user, calls } = setUp();
  expect(screen.queryByRole('menu')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Ações da pasta Viagens' }));
  const menu = await screen.findByRole('menu');
  await user.click(within(menu).getByRole('menuitem', { name: 'Excluir' }));
  expect(calls.onDelete).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ id: 'f2', name: 'Viagens' }),
  );
  expect(calls.onEdit).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

test('a category has a history, a folder has none', async () => {
  const { user, calls } = setUp({ activeCategoryId: 'c1' });
  await user.click(screen.getByRole('button', { name: 'Ações da categoria Redes' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Histórico' }));
  expect(calls.onHistory).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ id: 'c1', name: 'Redes' }),
  );
  await user.click(screen.getByRole('button', { name: 'Ações da pasta Viagens' }));
  await screen.findByRole('menuitem', { name: 'Excluir' });
  expect(screen.queryByRole('menuitem', { name: 'Histórico' })).toBeNull();
});

test('a name typed in one breath is jumped to, whatever accents, and with a space in it', async () => {
  const { user, calls } = setUp({
    folders: [
      { id: 'f1', name: 'Minha casa', categories: [] },
      { id: 'f2', name: '🎵 Música', categories: [] },
      { id: 'f3', name: 'Minha família', categories: [] },
    ],
  });
  /** In one breath, however long the machine takes. */
  const type = (letters: string, startsAt: number) => {
    for (const [index, key] of [...letters].entries()) {
      const place = document.activeElement ?? document.body;
      const press = createEvent.keyDown(place, { key });
      Object.defineProperty(press, 'timeStamp', { value: startsAt + index * 100 });
      fireEvent(place, press);
    }
  };
  await user.tab();
  type('mu', 10_000);
  expect(document.activeElement).toBe(row('🎵 Música'));
  await user.keyboard('{Home}');
  type('minha f', 20_000);
  expect(document.activeElement).toBe(row('Minha família'));
  expect(calls.onOpenCategory).not.toHaveBeenCalled();
  expect(screen.queryAllByRole('treeitem', { expanded: true })).toEqual([]);
});

test('Shift+F10 opens the menu of the row, and Esc gives the focus back to it', async () => {
  const { user } = setUp();
  await user.tab();
  await user.keyboard('{Shift>}{F10}{/Shift}');
  expect(await screen.findByRole('menu', { name: 'Ações de Estudos' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(row('Estudos')));
});

describe('a name is changed in its own row', () => {
  const field = (name: string) => screen.queryByRole('textbox', { name: `Nome de ${name}` });

  test('F2 opens it, Enter saves what was typed, and the keyboard is back on the row', async () => {
    const { user, calls } = setUp({ activeCategoryId: 'c1' });
    row('Redes').focus();
    await user.keyboard('{F2}');
    expect(document.activeElement).toBe(field('Redes'));
    // All of it is selected, and no letter of it is the tree's.
    await user.keyboard('Viagens no mar{Enter}');
    expect(calls.onRename).toHaveBeenCalledExactlyOnceWith('c1', 'Viagens no mar');
    await waitFor(() => expect(field('Redes')).toBeNull());
    expect(document.activeElement).toBe(row('Redes'));
    expect(calls.onOpenCategory).not.toHaveBeenCalled();
  });

  test('Esc leaves it as it was; so does an empty name', async () => {
    const { user, calls } = setUp();
    await user.tab();
    await user.keyboard('{F2}Outra{Escape}');
    expect(field('Estudos')).toBeNull();
    expect(document.activeElement).toBe(row('Estudos'));
    await user.keyboard('{F2}{Backspace}{Enter}');
    expect(field('Estudos')).toBeNull();
    expect(calls.onRename).not.toHaveBeenCalled();
  });

  test('a double click opens it, leaving saves, a press on a button of the row does not open it', async () => {
    const { user, calls } = setUp();
    await user.dblClick(screen.getByRole('button', { name: 'Ações da pasta Viagens' }));
    expect(field('Viagens')).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    await user.dblClick(screen.getByText('Viagens'));
    await user.keyboard('Passeios');
    await user.click(document.body);
    expect(calls.onRename).toHaveBeenCalledExactlyOnceWith('f2', 'Passeios');
    await waitFor(() => expect(field('Viagens')).toBeNull());
  });

  test('what is refused stays in the field', async () => {
    const { user, calls } = setUp();
    calls.onRename.mockResolvedValueOnce(false);
    await user.tab();
    await user.keyboard('{F2}Viagens{Enter}');
    await waitFor(() => expect(field('Estudos')?.getAttribute('aria-invalid')).toBe('true'));
    expect((field('Estudos') as HTMLInputElement).value).toBe('Viagens');
    expect(document.activeElement).toBe(field('Estudos'));
  });
});
