import type { ReactNode } from 'react';
import type { TreeNode } from '../model/tree-nodes.ts';

/** What the rows of a tree can ask of it. The same functions on every render, so that a row stays as it is. */
export interface TreeActions {
  readonly toggle: (folderId: string) => void;
  readonly open: (categoryId: string) => void;
  readonly addCategory: (folderId: string) => void;
  readonly showMenu: (anchor: Element, node: TreeNode) => void;
  /** What stands in place of a name that is being changed. */
  readonly nameField: (node: TreeNode) => ReactNode;
}
