import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { ChevronRight, Ellipsis, Plus } from 'lucide-react';
import { type MouseEvent, memo } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { RowDrop } from '../model/tree-drops.ts';
import type { TreeActions } from './tree-actions.ts';
import { countClassName, dropClassNames, rowActionsClassName, rowClassName } from './tree-class-names.ts';

interface FolderRowProps {
  readonly id: string;
  readonly name: string;
  readonly categoryCount: number;
  /** 1 for the first folder. */
  readonly place: number;
  readonly folderCount: number;
  readonly expanded: boolean;
  readonly tabbable: boolean;
  readonly menuOpen: boolean;
  readonly renaming: boolean;
  readonly drop: RowDrop;
  /** How full the plan is, where it has no room for another category. */
  readonly addLock: string | null;
  readonly actions: TreeActions;
}

/** A folder's own row. Memoised, and told texts and numbers alone: the tree redraws with every step of the focus. */
export const FolderRow = memo(function FolderRow(props: FolderRowProps) {
  const { id, name, categoryCount, place, folderCount, expanded, tabbable, renaming, drop, actions } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows
    <div
      role="treeitem"
      aria-label={name}
      aria-description={formatCount(categoryCount, 'categoria', 'categorias')}
      aria-expanded={expanded}
      aria-level={1}
      aria-posinset={place}
      aria-setsize={folderCount}
      tabIndex={tabbable ? 0 : -1}
      data-node={id}
      data-drop-key={id}
      title={name}
      className={joinClassNames(rowClassName, dropClassNames[drop])}
      onClick={() => actions.toggle(id)}
    >
      <ChevronRight
        aria-hidden
        className={joinClassNames(
          'size-3.5 shrink-0 text-ink-faint transition-transform',
          expanded && 'rotate-90',
        )}
      />
      <FolderSpine folderId={id} />
      {renaming ? (
        actions.nameField({ kind: 'folder', id, name, folderId: id })
      ) : (
        <>
          <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
          <span aria-hidden data-count={formatNumber(categoryCount)} className={countClassName} />
          <FolderButtons {...props} />
        </>
      )}
    </div>
  );
});

/** The row's buttons; a press on them is not a press on the row. */
function FolderButtons({ id, name, tabbable, menuOpen, addLock, actions }: FolderRowProps) {
  const tabIndex = tabbable ? 0 : -1;
  const act = (action: (button: Element) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    event.stopPropagation();
    action(event.currentTarget);
  };
  return (
    <span className={joinClassNames(rowActionsClassName, menuOpen && 'row-actions-open')}>
      <IconButton
        size="small"
        label={`Adicionar categoria em ${name}`}
        title="Nova Categoria"
        lock={addLock}
        tabIndex={tabIndex}
        onClick={act(() => actions.addCategory(id))}
      >
        <Plus aria-hidden />
      </IconButton>
      <IconButton
        size="small"
        label={`Ações da pasta ${name}`}
        title="Ações"
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        tabIndex={tabIndex}
        onClick={act((button) => actions.showMenu(button, { kind: 'folder', id, name, folderId: id }))}
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </span>
  );
}
