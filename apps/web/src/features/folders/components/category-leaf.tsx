import { formatNumber } from '@linkoteca/domain/format-number';
import { Ellipsis } from 'lucide-react';
import type { MouseEvent } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { TreeCategory, TreeNode } from '../model/folder-tree.ts';
import { rowActionsClassName, rowClassName, treeItemClassName } from './tree-class-names.ts';

interface CategoryLeafProps {
  readonly category: TreeCategory;
  readonly folderId: string;
  readonly active: boolean;
  readonly tabbable: boolean;
  readonly menuOpen: boolean;
  readonly onOpen: () => void;
  readonly onMenu: (anchor: Element, node: TreeNode) => void;
}

/** A category's row. It is a real address, so that a middle click opens it in another tab. */
export function CategoryLeaf({
  category,
  folderId,
  active,
  tabbable,
  menuOpen,
  onOpen,
  onMenu,
}: CategoryLeafProps) {
  const node: TreeNode = { kind: 'category', id: category.id, name: category.name, folderId };
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <div
      role="treeitem"
      aria-label={category.name}
      aria-level={2}
      aria-selected={active}
      aria-current={active ? 'page' : undefined}
      tabIndex={tabbable ? 0 : -1}
      data-node={category.id}
      className={treeItemClassName}
    >
      <div
        className={joinClassNames(
          rowClassName,
          'pl-8',
          active &&
            'bg-accent-soft text-accent-text before:absolute before:inset-y-1 before:left-0 before:w-0.5 before:rounded-full before:bg-accent',
        )}
        title={category.name}
      >
        <a
          href={`/category/${category.id}`}
          tabIndex={-1}
          className="min-w-0 flex-1 truncate outline-none after:absolute after:inset-0"
          onClick={open}
        >
          {category.name}
        </a>
        <span
          className={joinClassNames(
            'text-xs pointer-fine:group-hover/row:hidden tabular-nums',
            active ? 'text-accent-text' : 'text-ink-faint',
          )}
        >
          {formatNumber(category.linkCount)}
        </span>
        <span className={joinClassNames(rowActionsClassName, menuOpen && 'row-actions-open')}>
          <IconButton
            size="small"
            label={`Ações da categoria ${category.name}`}
            aria-haspopup="menu"
            aria-expanded={menuOpen}
            tabIndex={tabbable ? 0 : -1}
            onClick={(event) => {
              event.stopPropagation();
              onMenu(event.currentTarget, node);
            }}
          >
            <Ellipsis aria-hidden />
          </IconButton>
        </span>
      </div>
    </div>
  );
}
