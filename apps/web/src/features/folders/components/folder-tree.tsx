import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import { SHARE_FOLDER_LABEL } from '@linkoteca/domain/messages/shared-folder-labels';
import { FolderInput, History, Pencil, Trash2, Users } from 'lucide-react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { useRef, useState } from 'react';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import { planTreeKey } from '../model/plan-tree-key.ts';
import type { TreeDrops } from '../model/tree-drops.ts';
import type { TreeFolder, TreeNode } from '../model/tree-nodes.ts';
import { findFolderOf, listVisibleNodes } from '../model/tree-nodes.ts';
import { extendTypeAhead, type TypeAhead } from '../model/type-ahead.ts';
import { FolderBranch } from './folder-branch.tsx';
import type { TreeActions } from './tree-actions.ts';
import { useTreeDrag } from './use-tree-drag.ts';

export interface FolderTreeProps {
  readonly folders: readonly TreeFolder[];
  /** The category on the screen; its folder opens by itself. */
  readonly activeCategoryId: string | null;
  /** A folder that something has just come to: it opens, too. Another key for each time. */
  readonly arrival: { readonly folderId: string; readonly key: string } | null;
  readonly drops: TreeDrops;
  /** Categories that are favourites. */
  readonly starredIds: ReadonlySet<string>;
  /** Turns the star of a category over. */
  readonly onStar: (node: TreeNode) => void;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onAddCategory: (folderId: string) => void;
  /** How full the plan is, where it has no room for another category. */
  readonly addLock: string | null;
  readonly onEdit: (node: TreeNode) => void;
  /** What stands in place of the name of a row while it is being changed, in that row. */
  readonly renderNameField: (node: TreeNode, end: (refocus: boolean) => void) => ReactNode;
  /** Asks where a category shall go. */
  readonly onMove: (node: TreeNode) => void;
  /** Shows what changed in a category. */
  readonly onHistory: (node: TreeNode) => void;
  /** Asks who shares a folder. */
  readonly onShareFolder: (node: TreeNode) => void;
  readonly onDelete: (node: TreeNode) => void;
}

/** Folders and their categories: one folder open at a time, one menu for all rows, the whole keyboard. */
export function FolderTree(props: FolderTreeProps) {
  const { folders, activeCategoryId, onOpenCategory, onAddCategory, onEdit, onMove, onDelete } = props;
  const [expandedId, setExpandedId] = useExpandedFolder(folders, activeCategoryId, props.arrival);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly node: TreeNode } | null>(null);
  const menuNode = useRef<TreeNode | null>(null);
  if (menu) menuNode.current = menu.node;
  const tree = useRef<HTMLDivElement>(null);
  const drag = useTreeDrag(tree, folders, props.drops);

  const nodes = listVisibleNodes(folders, expandedId);
  const tabStop = pickTabStop(nodes, focusedId, activeCategoryId);
  const typeAhead = useRef<TypeAhead | null>(null);
  const rowOf = (id: string) => tree.current?.querySelector<HTMLElement>(`[data-node="${id}"]`);
  const toggle = (folderId: string) => setExpandedId(folderId === expandedId ? null : folderId);
  const actions = useSameActions({
    toggle,
    open: onOpenCategory,
    addCategory: (folderId) => {
      setExpandedId(folderId);
      onAddCategory(folderId);
    },
    showMenu: (anchor, node) => setMenu({ anchor, node }),
    nameField: (node) =>
      props.renderNameField(node, (refocus) => {
        // First: a row without its focused field would leave the focus to the page.
        if (refocus) rowOf(node.id)?.focus();
        setRenamingId(null);
      }),
  });
  const activate = (node: TreeNode) => (node.kind === 'folder' ? toggle(node.id) : onOpenCategory(node.id));

  const followKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = event.target instanceof HTMLElement ? event.target.dataset['node'] : undefined;
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = extendTypeAhead(typeAhead.current, event.key, event.timeStamp);
    const typed = typing?.text ?? null;
    const step = planTreeKey(event.key, event.shiftKey, { nodes, currentId: at, expandedId, typed });
    if (typing !== null || step !== null) typeAhead.current = typing;
    if (step === null) return;
    event.preventDefault();
    switch (step.act) {
      case 'focus':
        return rowOf(step.id)?.focus();
      case 'expand':
        return setExpandedId(step.id);
      case 'collapse':
        return setExpandedId(null);
      case 'activate':
        return activate(step.node);
      case 'rename':
        return setRenamingId(step.node.id);
      case 'delete':
        return onDelete(step.node);
      case 'menu':
        return setMenu({ anchor: event.target as Element, node: step.node });
    }
  };

  const followDoubleClick = (event: MouseEvent<HTMLDivElement>) => {
    const { target } = event;
    // Under a thumb a double tap is a slip.
    if (!(target instanceof Element) || target.closest('button') || matchMedia('(pointer: coarse)').matches)
      return;
    setRenamingId(target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null);
  };

  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label="Pastas"
        className="flex flex-col gap-px [-webkit-touch-callout:none]"
        onKeyDown={followKey}
        onDoubleClick={followDoubleClick}
        onFocus={(event) =>
          setFocusedId(event.target.closest<HTMLElement>('[data-node]')?.dataset['node'] ?? null)
        }
      >
        {folders.map((folder, index) => (
          <FolderBranch
            key={folder.id}
            folder={folder}
            place={index + 1}
            folderCount={folders.length}
            expanded={folder.id === expandedId || drag.openedIds.has(folder.id)}
            activeCategoryId={activeCategoryId}
            tabStop={tabStop}
            openMenuId={menu?.node.id ?? null}
            renamingId={renamingId}
            addLock={props.addLock}
            dropOf={drag.dropOf}
            actions={actions}
          />
        ))}
      </div>
      <AnchoredMenu
        anchor={menu?.anchor ?? null}
        label={`Ações de ${menuNode.current?.name ?? ''}`}
        onClose={() => setMenu(null)}
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => menuNode.current && onEdit(menuNode.current)}>
          Editar
        </MenuItem>
        {menuNode.current?.kind === 'category' ? (
          <>
            <MenuItem
              icon={<FolderInput aria-hidden />}
              onSelect={() => menuNode.current && onMove(menuNode.current)}
            >
              Mover
            </MenuItem>
            <MenuItem
              icon={<Star filled={props.starredIds.has(menuNode.current.id)} />}
              onSelect={() => menuNode.current && props.onStar(menuNode.current)}
            >
              {props.starredIds.has(menuNode.current.id) ? FAVORITE_MESSAGES.remove : FAVORITE_MESSAGES.add}
            </MenuItem>
            <MenuItem
              icon={<History aria-hidden />}
              onSelect={() => menuNode.current && props.onHistory(menuNode.current)}
            >
              Histórico
            </MenuItem>
          </>
        ) : (
          <MenuItem
            icon={<Users aria-hidden />}
            onSelect={() => menuNode.current && props.onShareFolder(menuNode.current)}
          >
            {SHARE_FOLDER_LABEL}
          </MenuItem>
        )}
        <MenuItem
          tone="danger"
          icon={<Trash2 aria-hidden />}
          onSelect={() => menuNode.current && onDelete(menuNode.current)}
        >
          Excluir
        </MenuItem>
      </AnchoredMenu>
    </>
  );
}

/**
 * Which folder is open. It follows the category on the screen whenever that changes, or first becomes known, and then
 * whatever has just come to a folder.
 */
function useExpandedFolder(
  folders: readonly TreeFolder[],
  activeCategoryId: string | null,
  arrival: FolderTreeProps['arrival'],
) {
  const activeFolderId = findFolderOf(folders, activeCategoryId);
  const active = `${activeFolderId} ${activeCategoryId}`;
  const arrivalKey = arrival?.key ?? null;
  const [state, setState] = useState({ expandedId: activeFolderId, active, arrivalKey });
  if (arrivalKey !== null && state.arrivalKey !== arrivalKey) {
    setState({ expandedId: arrival?.folderId ?? null, active, arrivalKey });
  } else if (state.active !== active) {
    setState({ expandedId: activeFolderId ?? state.expandedId, active, arrivalKey });
  }
  const setExpandedId = (expandedId: string | null) => setState({ expandedId, active, arrivalKey });
  return [state.expandedId, setExpandedId] as const;
}

/** The latest actions behind functions that never change. */
function useSameActions(actions: TreeActions): TreeActions {
  const latest = useRef(actions);
  latest.current = actions;
  const [same] = useState<TreeActions>(() => ({
    toggle: (folderId) => latest.current.toggle(folderId),
    open: (categoryId) => latest.current.open(categoryId),
    addCategory: (folderId) => latest.current.addCategory(folderId),
    showMenu: (anchor, node) => latest.current.showMenu(anchor, node),
    nameField: (node) => latest.current.nameField(node),
  }));
  return same;
}

/** The one row that Tab reaches: where focus was last, else the open category, else the first row. */
function pickTabStop(
  nodes: readonly TreeNode[],
  focusedId: string | null,
  activeId: string | null,
): string | null {
  const visible = (id: string | null) => (nodes.some((node) => node.id === id) ? id : null);
  return visible(focusedId) ?? visible(activeId) ?? nodes[0]?.id ?? null;
}
