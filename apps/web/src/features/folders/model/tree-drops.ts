import type { DragLoad } from '../../../shared/lib/drag-and-drop/drag-state.ts';
import { categoryNode, folderNode, type TreeFolder, type TreeNode } from './tree-nodes.ts';

/** A category on its way to another folder; the folder it is in is its home. */
export const CATEGORY_DRAG = 'category';

/** What may be dropped on the tree, and what comes of it. */
export interface TreeDrops {
  readonly accepts: (load: DragLoad, node: TreeNode) => boolean;
  readonly onDrop: (load: DragLoad, node: TreeNode) => void;
}

/** How a row takes part in the drag under way. */
export type RowDrop = 'idle' | 'possible' | 'over' | 'closed';

/** The row of this id, seen or not. */
export function findNode(folders: readonly TreeFolder[], id: string): TreeNode | null {
  for (const folder of folders) {
    if (folder.id === id) return folderNode(folder);
    const category = folder.categories.find((each) => each.id === id);
    if (category) return categoryNode(folder.id, category);
  }
  return null;
}

/** What a drag that begins on an element of the tree takes along: a category's row, or nothing. */
export function pickCategoryDrag(target: Element, folders: readonly TreeFolder[]): DragLoad | null {
  const id = target.closest('button, input')
    ? undefined
    : target.closest<HTMLElement>('[data-node]')?.dataset['node'];
  const node = id === undefined ? null : findNode(folders, id);
  if (node?.kind !== 'category') return null;
  return { kind: CATEGORY_DRAG, ids: [node.id], label: node.name, homeKey: node.folderId };
}
