import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import type { SharingMode } from '@linkoteca/domain/sharing';
import { describeSharingMark } from '@linkoteca/domain/sharing';
import { Ellipsis, Globe, Lock } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { RowDrop } from '../model/tree-drops.ts';
import { categoryNode, folderNode, type TreeFolder, type TreeNode } from '../model/tree-nodes.ts';
import { FolderRow } from './folder-row.tsx';
import type { TreeActions } from './tree-actions.ts';
import { countClassName, dropClassNames, rowActionsClassName, rowClassName } from './tree-class-names.ts';

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
  /** The row whose name is being changed. */
  readonly renamingId: string | null;
  /** How full the plan is, where it has no room for another category. */
  readonly addLock: string | null;
  readonly dropOf: (node: TreeNode) => RowDrop;
  readonly actions: TreeActions;
}

/**
 * A folder's row and, while it is open, its categories. Rows are siblings with levels, not nested: a row's name
 * is then its own and not that of everything below it.
 */
export function FolderBranch(props: FolderBranchProps) {
  const { folder, place, folderCount, expanded, activeCategoryId, tabStop, openMenuId, renamingId, actions } =
    props;
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
        renaming={renamingId === folder.id}
        drop={props.dropOf(folderNode(folder))}
        addLock={props.addLock}
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
              renaming={renamingId === category.id}
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

interface CategoryLeafProps {
  readonly id: string;
  readonly name: string;
  readonly linkCount: number;
  readonly sharing: SharingMode;
  readonly folderId: string;
  /** 1 for the first category of the folder. */
  readonly place: number;
  readonly siblings: number;
  readonly active: boolean;
  readonly tabbable: boolean;
  readonly menuOpen: boolean;
  readonly renaming: boolean;
  readonly drop: RowDrop;
  readonly actions: TreeActions;
}

const activeClassName =
  'bg-accent-soft text-accent-text before:absolute before:inset-y-1 before:left-0 before:w-0.5 before:rounded-full before:bg-accent';

/** A category's row, memoised as FolderRow is. It holds a real address, so that a middle click opens it in another tab. */
const CategoryLeaf = memo(function CategoryLeaf(props: CategoryLeafProps) {
  const { id, name, linkCount, sharing, folderId, place, siblings, active, tabbable, menuOpen } = props;
  const { renaming, drop, actions } = props;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    actions.open(id);
  };
  return (
    <div
      role="treeitem"
      aria-label={name}
      aria-description={[formatCount(linkCount, 'link', 'links'), describeSharingMark(sharing)]
        .filter(Boolean)
        .join(', ')}
      aria-level={2}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={active}
      aria-current={active ? 'page' : undefined}
      tabIndex={tabbable ? 0 : -1}
      data-node={id}
      data-category={id}
      data-drop-key={id}
      title={name}
      className={joinClassNames(rowClassName, 'pl-8', active && activeClassName, dropClassNames[drop])}
    >
      {renaming ? (
        actions.nameField({ kind: 'category', id, name, folderId })
      ) : (
        <>
          <a
            href={`/category/${id}`}
            tabIndex={-1}
            className="min-w-0 flex-1 truncate outline-none after:absolute after:inset-0"
            onClick={open}
          >
            {name}
          </a>
          <SharingMark sharing={sharing} />
          <span
            aria-hidden
            data-count={formatNumber(linkCount)}
            className={joinClassNames(countClassName, active && 'text-accent-text')}
          />
          <span className={joinClassNames(rowActionsClassName, menuOpen && 'row-actions-open')}>
            <IconButton
              size="small"
              label={`Ações da categoria ${name}`}
              title="Ações"
              aria-haspopup="menu"
              aria-expanded={menuOpen}
              tabIndex={tabbable ? 0 : -1}
              onClick={(event) =>
                actions.showMenu(event.currentTarget, { kind: 'category', id, name, folderId })
              }
            >
              <Ellipsis aria-hidden />
            </IconButton>
          </span>
        </>
      )}
    </div>
  );
});

/** Beside the count and as quiet: the name gives way, the row keeps its width. */
function SharingMark({ sharing }: { readonly sharing: SharingMode }) {
  if (sharing === 'private') return null;
  const Icon = sharing === 'public' ? Globe : Lock;
  return <Icon aria-hidden className="size-3 shrink-0 text-ink-faint" />;
}
