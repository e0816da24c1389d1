import { formatCount, formatNumber } from '@linkoteca/domain/format-number';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { ChevronRight, Ellipsis, Plus } from 'lucide-react';
import type { MouseEvent } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { TreeFolder, TreeNode } from '../model/folder-tree.ts';
import { CategoryLeaf } from './category-leaf.tsx';
import { countClassName, rowActionsClassName, rowClassName } from './tree-class-names.ts';

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
  readonly onToggle: () => void;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onAddCategory: () => void;
  readonly onMenu: (anchor: Element, node: TreeNode) => void;
}

/**
 * A folder's row and, while it is open, its categories. Rows are siblings with levels, not nested: a row's name
 * is then its own and not that of everything below it.
 */
export function FolderBranch(props: FolderBranchProps) {
  const { folder, place, folderCount, expanded, activeCategoryId, tabStop, openMenuId, onMenu } = props;
  const { categories } = folder;
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows */}
      <div
        role="treeitem"
        aria-label={folder.name}
        aria-description={formatCount(categories.length, 'categoria', 'categorias')}
        aria-expanded={expanded}
        aria-level={1}
        aria-posinset={place}
        aria-setsize={folderCount}
        tabIndex={tabStop === folder.id ? 0 : -1}
        data-node={folder.id}
        title={folder.name}
        className={rowClassName}
        onClick={props.onToggle}
      >
        <ChevronRight
          aria-hidden
          className={joinClassNames(
            'size-3.5 shrink-0 text-ink-faint transition-transform',
            expanded && 'rotate-90',
          )}
        />
        <span
          aria-hidden
          className="h-4 w-1 shrink-0 rounded-full"
          style={{ background: `var(--folder-${pickHue(folder.id) + 1})` }}
        />
        <span className="min-w-0 flex-1 truncate font-medium">{folder.name}</span>
        <span aria-hidden data-count={formatNumber(categories.length)} className={countClassName} />
        <FolderActions {...props} />
      </div>
      {expanded
        ? categories.map((category, index) => (
            <CategoryLeaf
              key={category.id}
              category={category}
              folderId={folder.id}
              place={index + 1}
              siblings={categories.length}
              active={category.id === activeCategoryId}
              tabbable={tabStop === category.id}
              menuOpen={openMenuId === category.id}
              onOpen={() => props.onOpenCategory(category.id)}
              onMenu={onMenu}
            />
          ))
        : null}
      {expanded && categories.length === 0 ? (
        <div className="py-1.5 pl-8 text-sm text-ink-faint">Nenhuma categoria ainda</div>
      ) : null}
    </>
  );
}

/** The row's buttons; a press on them is not a press on the row. */
function FolderActions({ folder, tabStop, openMenuId, onAddCategory, onMenu }: FolderBranchProps) {
  const tabIndex = tabStop === folder.id ? 0 : -1;
  const act = (action: (button: Element) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    event.stopPropagation();
    action(event.currentTarget);
  };
  const node: TreeNode = { kind: 'folder', id: folder.id, name: folder.name, folderId: folder.id };
  return (
    <span className={joinClassNames(rowActionsClassName, openMenuId === folder.id && 'row-actions-open')}>
      <IconButton
        size="small"
        label={`Adicionar categoria em ${folder.name}`}
        title="Nova Categoria"
        tabIndex={tabIndex}
        onClick={act(onAddCategory)}
      >
        <Plus aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label={`Ações da pasta ${folder.name}`}
        title="Ações"
        aria-haspopup="menu"
        aria-expanded={openMenuId === folder.id}
        tabIndex={tabIndex}
        onClick={act((button) => onMenu(button, node))}
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </span>
  );
}
