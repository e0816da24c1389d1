import { categoryNode, folderNode, type TreeFolder, type TreeNode } from '../model/folder-tree.ts';
import type { RowDrop } from '../model/tree-drops.ts';
import { CategoryLeaf } from './category-leaf.tsx';
import { FolderRow } from './folder-row.tsx';
import type { TreeActions } from './tree-actions.ts';

interface FolderBranchProps {
  readonly folder: TreeFolder;
  /** 1 for the first folder. */
  readonly place: number;
  readonly folderCount: number;
  readonly expanded: boolean;
  readonly activeCategoryId: string | null;
  /** The one row that Tab reaches. */
  readonly tabStop: string | null;
  readonly openMenuId: string | null;
  readonly dropOf: (node: TreeNode) => RowDrop;
  readonly actions: TreeActions;
}

/**
 * A folder's row and, while it is open, its categories. Rows are siblings with levels, not nested: a row's name
 * is then its own and not that of everything below it.
 */
export function FolderBranch(props: FolderBranchProps) {
  const { folder, place, folderCount, expanded, activeCategoryId, tabStop, openMenuId, actions } = props;
  const { categories } = folder;
  return (
    <>
      <FolderRow
        id={folder.id}
        name={folder.name}
        categoryCount={categories.length}
        place={place}
        folderCount={folderCount}
        expanded={expanded}
        tabbable={tabStop === folder.id}
        menuOpen={openMenuId === folder.id}
        drop={props.dropOf(folderNode(folder))}
        actions={actions}
      />
      {expanded
        ? categories.map((category, index) => (
            <CategoryLeaf
              key={category.id}
              id={category.id}
              name={category.name}
              linkCount={category.linkCount}
              sharing={category.sharing}
              folderId={folder.id}
              place={index + 1}
              siblings={categories.length}
              active={category.id === activeCategoryId}
              tabbable={tabStop === category.id}
              menuOpen={openMenuId === category.id}
              drop={props.dropOf(categoryNode(folder.id, category))}
              actions={actions}
            />
          ))
        : null}
      {expanded && categories.length === 0 ? (
        <div data-drop-key={folder.id} className="py-1.5 pl-8 text-sm text-ink-faint">
          Nenhuma categoria ainda
        </div>
      ) : null}
    </>
  );
}
