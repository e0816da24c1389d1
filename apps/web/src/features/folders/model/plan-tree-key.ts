import { foldText } from '@linkoteca/domain/fold-text';
import type { TreeNode } from './tree-nodes.ts';

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
  /** What has been typed in one breath, this key included; null for a key that writes nothing. */
  readonly typed: string | null;
}

/**
 * The tree view pattern of the ARIA practices guide: arrows walk, open and close, Home and End jump, Enter and space
 * act, letters jump to the next name that starts with them; F2 renames, Delete deletes, Shift+F10 opens the menu.
 * @returns null for a key that means nothing here.
 */
export function planTreeKey(
  key: string,
  shift: boolean,
  { nodes, currentId, expandedId, typed }: TreeSituation,
): TreeStep | null {
  const at = nodes.findIndex((node) => node.id === currentId);
  const node = nodes[at];
  if (node === undefined) return null;
  if (typed !== null) return findByName(typed, nodes, at);
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
      return null;
  }
}

/** One letter, typed once or again and again, walks on; more letters may name the very row one is on. */
function findByName(typed: string, nodes: readonly TreeNode[], at: number): TreeStep | null {
  const name = foldText(typed);
  const walking = new Set(name).size === 1;
  const wanted = walking ? name.slice(0, 1) : name;
  const from = walking ? at + 1 : at;
  const ahead = [...nodes.slice(from), ...nodes.slice(0, from)];
  return focus(ahead.find((node) => nameToType(node.name).startsWith(wanted)));
}

/** A name as one types it: without the emoji or bracket that it may begin with. */
function nameToType(name: string): string {
  return foldText(name).replace(/^[^\p{L}\p{N}]+/u, '');
}

function focus(node: TreeNode | undefined): TreeStep | null {
  return node === undefined ? null : { act: 'focus', id: node.id };
}
