import { foldText } from '@linkoteca/domain/fold-text';
import type { TreeNode } from './folder-tree.ts';

/** What a key asks of the tree. */
export type TreeStep =
  | { readonly act: 'focus'; readonly id: string }
  | { readonly act: 'expand'; readonly id: string }
  | { readonly act: 'collapse' }
  | { readonly act: 'activate'; readonly node: TreeNode }
  | { readonly act: 'menu'; readonly node: TreeNode }
  | { readonly act: 'rename'; readonly node: TreeNode }
  | { readonly act: 'delete'; readonly node: TreeNode };

interface TreeSituation {
  readonly nodes: readonly TreeNode[];
  readonly currentId: string;
  readonly expandedId: string | null;
}

/**
 * The tree view pattern of the ARIA practices guide: arrows walk, open and close, Home and End jump, Enter and space
 * act, a letter jumps to the next name that starts with it; F2 renames, Delete deletes, Shift+F10 opens the menu.
 * @returns null for a key that means nothing here.
 */
export function planTreeKey(
  key: string,
  shift: boolean,
  { nodes, currentId, expandedId }: TreeSituation,
): TreeStep | null {
  const at = nodes.findIndex((node) => node.id === currentId);
  const node = nodes[at];
  if (node === undefined) return null;
  switch (key) {
    case 'ArrowDown':
      return focus(nodes[at + 1]);
    case 'ArrowUp':
      return focus(nodes[at - 1]);
    case 'Home':
      return focus(nodes[0]);
    case 'End':
      return focus(nodes.at(-1));
    case 'ArrowRight':
      if (node.kind === 'category') return null;
      if (node.id !== expandedId) return { act: 'expand', id: node.id };
      return nodes[at + 1]?.kind === 'category' ? focus(nodes[at + 1]) : null;
    case 'ArrowLeft':
      if (node.kind === 'category') return { act: 'focus', id: node.folderId };
      return node.id === expandedId ? { act: 'collapse' } : null;
    case 'Enter':
    case ' ':
      return { act: 'activate', node };
    case 'F2':
      return { act: 'rename', node };
    case 'Delete':
      return { act: 'delete', node };
    case 'ContextMenu':
      return { act: 'menu', node };
    case 'F10':
      return shift ? { act: 'menu', node } : null;
    default:
      return findByLetter(key, nodes, at);
  }
}

function findByLetter(key: string, nodes: readonly TreeNode[], at: number): TreeStep | null {
  if ([...key].length !== 1) return null;
  const letter = foldText(key);
  const ahead = [...nodes.slice(at + 1), ...nodes.slice(0, at)];
  return focus(ahead.find((node) => foldText(node.name).startsWith(letter)));
}

function focus(node: TreeNode | undefined): TreeStep | null {
  return node === undefined ? null : { act: 'focus', id: node.id };
}
