import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DragLoad } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import type { TreeFolder, TreeNode } from '../model/tree-nodes.ts';
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

const onDrop = vi.fn<(load: DragLoad, node: TreeNode) => void>();
const calls = {
  onOpenCategory: vi.fn(),
  onAddCategory: vi.fn(),
  onEdit: vi.fn(),
  onShareFolder: vi.fn(),
  onMove: vi.fn(),
  onHistory: vi.fn(),
  renderNameField: () => null,
  starredIds: new Set<string>(),
  onStar: vi.fn(),
  onDelete: vi.fn(),
};
const dataTransfer = { setData: vi.fn(), setDragImage: vi.fn(), effectAllowed: '', dropEffect: '' };

const tree = (change: Partial<FolderTreeProps> = {}) => (
  <FolderTree
    folders={folders}
    activeCategoryId="c1"
    arrival={null}
    addLock={null}
    drops={{ accepts: (load, node) => node.folderId !== load.homeKey, onDrop }}
    {...calls}
    {...change}
  />
);

beforeEach(() => {
  vi.useFakeTimers();
  onDrop.mockClear();
});

afterEach(() => {
  vi.useRealTimers();
});

const row = (name: string) => screen.getByRole('treeitem', { name });
const expanded = () =>
  screen.queryAllByRole('treeitem', { expanded: true }).map((item) => item.getAttribute('aria-label'));
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

function pickUp(name: string) {
  fireEvent.dragStart(screen.getByText(name), { dataTransfer });
  wait(1);
}

test('resting on a closed folder opens it besides the open one, until the drag ends', () => {
  render(tree());
  pickUp('Redes');
  fireEvent.dragOver(row('Viagens'), { dataTransfer });
  wait(599);
  expect(expanded()).toEqual(['Estudos']);
  wait(1);
  expect(expanded()).toEqual(['Estudos', 'Viagens']);
  fireEvent.dragOver(row('Vazia'), { dataTransfer });
  wait(300);
  fireEvent.dragOver(row('Chapada'), { dataTransfer });
  wait(600);
  expect(expanded()).toEqual(['Estudos', 'Viagens']);
  fireEvent.dragEnd(screen.getByText('Redes'));
  expect(expanded()).toEqual(['Estudos']);
});

test('a category lands in the folder of whatever row it is dropped on; its own folder takes nothing', () => {
  render(tree());
  pickUp('Redes');
  fireEvent.dragOver(row('Estudos'), { dataTransfer });
  fireEvent.drop(row('Estudos'), { dataTransfer });
  expect(onDrop).not.toHaveBeenCalled();
  pickUp('Redes');
  fireEvent.dragOver(row('Viagens'), { dataTransfer });
  fireEvent.drop(row('Viagens'), { dataTransfer });
  expect(onDrop).toHaveBeenCalledExactlyOnceWith(
    { kind: 'category', ids: ['c1'], label: 'Redes', homeKey: 'f1' },
    { kind: 'folder', id: 'f2', name: 'Viagens', folderId: 'f2' },
  );
});

test('a folder is not dragged', () => {
  render(tree());
  dataTransfer.setDragImage.mockClear();
  pickUp('Viagens');
  expect(dataTransfer.setDragImage).not.toHaveBeenCalled();
});

test('a folder that something has come to opens, once; what the person opens after that stays', () => {
  const view = render(tree());
  view.rerender(tree({ arrival: { folderId: 'f2', key: '1' } }));
  expect(expanded()).toEqual(['Viagens']);
  fireEvent.click(row('Vazia'));
  view.rerender(tree({ arrival: { folderId: 'f2', key: '1' } }));
  expect(expanded()).toEqual(['Vazia']);
});
