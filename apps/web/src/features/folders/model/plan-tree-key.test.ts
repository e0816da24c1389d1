import { describe, expect, test } from 'vitest';
import { planTreeKey } from './plan-tree-key.ts';
import { findFolderOf, listVisibleNodes, type TreeFolder } from './tree-nodes.ts';

const folders: readonly TreeFolder[] = [
  {
    id: 'f1',
    name: 'Estudos',
    categories: [
      { id: 'c1', name: 'Ágora', linkCount: 0, sharing: 'private' },
      { id: 'c2', name: 'Redes', linkCount: 3, sharing: 'private' },
    ],
  },
  { id: 'f2', name: '📚 Álbum', categories: [] },
];

const press = (key: string, currentId: string, expandedId: string | null, shift = false) =>
  planTreeKey(key, shift, {
    nodes: listVisibleNodes(folders, expandedId),
    currentId,
    expandedId,
    typed: /^[a-zá]+$/.test(key) ? key : null,
  });

test('only the open folder shows its categories', () => {
  expect(listVisibleNodes(folders, null).map((node) => node.id)).toEqual(['f1', 'f2']);
  expect(listVisibleNodes(folders, 'f1').map((node) => node.id)).toEqual(['f1', 'c1', 'c2', 'f2']);
  expect(findFolderOf(folders, 'c2')).toBe('f1');
  expect(findFolderOf(folders, 'x')).toBeNull();
});

describe('keys', () => {
  test.each([
    ['ArrowDown', 'f1', 'f1', { act: 'focus', id: 'c1' }],
    ['ArrowDown', 'c2', 'f1', { act: 'focus', id: 'f2' }],
    ['ArrowDown', 'f2', 'f1', null],
    ['ArrowUp', 'f2', 'f1', { act: 'focus', id: 'c2' }],
    ['ArrowUp', 'f1', null, null],
    ['Home', 'f2', 'f1', { act: 'focus', id: 'f1' }],
    ['End', 'f1', null, { act: 'focus', id: 'f2' }],
    ['ArrowRight', 'f1', null, { act: 'expand', id: 'f1' }],
    ['ArrowRight', 'f1', 'f1', { act: 'focus', id: 'c1' }],
    ['ArrowRight', 'f2', 'f2', null],
    ['ArrowRight', 'c1', 'f1', null],
    ['ArrowLeft', 'c2', 'f1', { act: 'focus', id: 'f1' }],
    ['ArrowLeft', 'f1', 'f1', { act: 'collapse' }],
    ['ArrowLeft', 'f1', null, null],
    ['Tab', 'f1', null, null],
    ['F10', 'f1', null, null],
    ['z', 'f1', null, null],
    ['á', 'f1', 'f1', { act: 'focus', id: 'c1' }],
    ['a', 'c1', 'f1', { act: 'focus', id: 'f2' }],
    ['a', 'f2', 'f1', { act: 'focus', id: 'c1' }],
    ['aa', 'c1', 'f1', { act: 'focus', id: 'f2' }],
    ['ag', 'c1', 'f1', { act: 'focus', id: 'c1' }],
    ['al', 'c1', 'f1', { act: 'focus', id: 'f2' }],
    ['alface', 'c1', 'f1', null],
  ] as const)('%s on %s with %s open', (key, currentId, expandedId, step) => {
    expect(press(key, currentId, expandedId)).toEqual(step);
  });

  test.each([
    ['Enter', 'activate', false],
    [' ', 'activate', false],
    ['F2', 'rename', false],
    ['Delete', 'delete', false],
    ['ContextMenu', 'menu', false],
    ['F10', 'menu', true],
  ] as const)('%s means %s', (key, act, shift) => {
    expect(press(key, 'c1', 'f1', shift)).toMatchObject({ act, node: { id: 'c1', folderId: 'f1' } });
  });

  test('a row that has gone answers nothing', () => {
    expect(press('ArrowDown', 'gone', null)).toBeNull();
  });
});
