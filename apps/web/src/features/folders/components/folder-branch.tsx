import { formatNumber } from '@linkoteca/domain/format-number';
import { pickHue } from '@linkoteca/domain/pick-hue';
import { ChevronRight, Ellipsis, Plus } from 'lucide-react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { TreeFolder, TreeNode } from '../model/folder-tree.ts';
import { CategoryLeaf } from './category-leaf.tsx';
import { rowActionsClassName, rowClassName, treeItemClassName } from './tree-class-names.ts';

interface FolderBranchProps {
  readonly folder: TreeFolder;
  readonly expanded: boolean;
  readonly activeCategoryId: string | null;
  readonly tabStop: string | null;
  readonly openMenuId: string | null;
  readonly onToggle: () => void;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onAddCategory: () => void;
  readonly onMenu: (anchor: Element, node: TreeNode) => void;
}

/** A folder's row and, while it is open, its categories. */
export function FolderBranch(props: FolderBranchProps) {
  const { folder, expanded, activeCategoryId, tabStop, openMenuId, onToggle, onAddCategory, onMenu } = props;
  const node: TreeNode = { kind: 'folder', id: folder.id, name: folder.name, folderId: folder.id };
  const actionTab = tabStop === folder.id ? 0 : -1;
  return (
    <div
      role="treeitem"
      aria-label={folder.name}
      aria-expanded={expanded}
      aria-level={1}
      tabIndex={actionTab}
      data-node={folder.id}
      className={treeItemClassName}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree item itself takes the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the tree item carries the role */}
      <div className={rowClassName} onClick={onToggle} title={folder.name}>
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
        <span className="text-xs pointer-fine:group-hover/row:hidden text-ink-faint tabular-nums">
          {formatNumber(folder.categories.length)}
        </span>
        <span className={joinClassNames(rowActionsClassName, openMenuId === folder.id && 'row-actions-open')}>
          <IconButton
            size="small"
            label={`Adicionar categoria em ${folder.name}`}
            tabIndex={actionTab}
            onClick={(event) => {
              event.stopPropagation();
              onAddCategory();
            }}
          >
            <Plus aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            label={`Ações da pasta ${folder.name}`}
            aria-haspopup="menu"
            aria-expanded={openMenuId === folder.id}
            tabIndex={actionTab}
            onClick={(event) => {
              event.stopPropagation();
              onMenu(event.currentTarget, node);
            }}
          >
            <Ellipsis aria-hidden />
          </IconButton>
        </span>
      </div>
      {expanded ? (
        // biome-ignore lint/a11y/useSemanticElements: a branch of a tree, not a set of form fields
        <div role="group" className="flex flex-col gap-px pt-px pb-1">
          {folder.categories.map((category) => (
            <CategoryLeaf
              key={category.id}
              category={category}
              folderId={folder.id}
              active={category.id === activeCategoryId}
              tabbable={tabStop === category.id}
              menuOpen={openMenuId === category.id}
              onOpen={() => props.onOpenCategory(category.id)}
              onMenu={onMenu}
            />
          ))}
          {folder.categories.length === 0 ? (
            <div className="py-1.5 pl-8 text-sm text-ink-faint">Nenhuma categoria ainda</div>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
