import { formatCount, formatNumber } from '@linkoteca/domain/format-number';
import { Ellipsis } from 'lucide-react';
import type { MouseEvent } from 'react';
import { joinClassNames } from '../../../shared/lib/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { TreeCategory, TreeNode } from '../model/folder-tree.ts';
import { countClassName, rowActionsClassName, rowClassName } from './tree-class-names.ts';

interface CategoryLeafProps {
  readonly category: TreeCategory;
  readonly folderId: string;
  /** 1 for the first category of the folder. */
  readonly place: number;
  readonly siblings: number;
  readonly active: boolean;
  readonly tabbable: boolean;
  readonly menuOpen: boolean;
  readonly onOpen: () => void;
  readonly onMenu: (anchor: Element, node: TreeNode) => void;
}

const activeClassName =
  'bg-accent-soft text-accent-text before:absolute before:inset-y-1 before:left-0 before:w-0.5 before:rounded-full before:bg-accent';

/** A category's row. It holds a real address, so that a middle click opens it in another tab. */
export function CategoryLeaf(props: CategoryLeafProps) {
  const { category, folderId, place, siblings, active, tabbable, menuOpen, onOpen, onMenu } = props;
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
      aria-description={formatCount(category.linkCount, 'link', 'links')}
      aria-level={2}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={active}
      aria-current={active ? 'page' : undefined}
      tabIndex={tabbable ? 0 : -1}
      data-node={category.id}
      title={category.name}
      className={joinClassNames(rowClassName, 'pl-8', active && activeClassName)}
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
        aria-hidden
        data-count={formatNumber(category.linkCount)}
        className={joinClassNames(countClassName, active && 'text-accent-text')}
      />
      <span className={joinClassNames(rowActionsClassName, menuOpen && 'row-actions-open')}>
        <IconButton
          size="small"
          label={`Ações da categoria ${category.name}`}
          title="Ações"
          aria-haspopup="menu"
          aria-expanded={menuOpen}
          tabIndex={tabbable ? 0 : -1}
          onClick={(event) => onMenu(event.currentTarget, node)}
        >
          <Ellipsis aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}
