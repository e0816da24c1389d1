import { Pencil, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import { AnchoredMenu } from '../../../shared/ui/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menu-item.tsx';
import type { TreeFolder, TreeNode } from '../model/folder-tree.ts';
import { findFolderOf, listVisibleNodes } from '../model/folder-tree.ts';
import { planTreeKey } from '../model/plan-tree-key.ts';
import { FolderBranch } from './folder-branch.tsx';

export interface FolderTreeProps {
  readonly folders: readonly TreeFolder[];
  /** The category on the screen; its folder opens by itself. */
  readonly activeCategoryId: string | null;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onAddCategory: (folderId: string) => void;
  readonly onEdit: (node: TreeNode) => void;
  readonly onDelete: (node: TreeNode) => void;
}

/** Folders and their categories: one folder open at a time, one menu for all rows, the whole keyboard. */
export function FolderTree(props: FolderTreeProps) {
  const { folders, activeCategoryId, onOpenCategory, onAddCategory, onEdit, onDelete } = props;
  const [expandedId, setExpandedId] = useExpandedFolder(folders, activeCategoryId);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly node: TreeNode } | null>(null);
  const menuNode = useRef<TreeNode | null>(null);
  if (menu) menuNode.current = menu.node;
  const tree = useRef<HTMLDivElement>(null);

  const nodes = listVisibleNodes(folders, expandedId);
  const tabStop = pickTabStop(nodes, focusedId, activeCategoryId);
  const rowOf = (id: string) =>
    [...(tree.current?.querySelectorAll<HTMLElement>('[data-node]') ?? [])].find(
      (row) => row.dataset['node'] === id,
    );
  const toggle = (folderId: string) => setExpandedId(folderId === expandedId ? null : folderId);
  const activate = (node: TreeNode) => (node.kind === 'folder' ? toggle(node.id) : onOpenCategory(node.id));

  const followKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = event.target instanceof HTMLElement ? event.target.dataset['node'] : undefined;
    if (at === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = planTreeKey(event.key, event.shiftKey, { nodes, currentId: at, expandedId });
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
        return onEdit(step.node);
      case 'delete':
        return onDelete(step.node);
      case 'menu':
        return setMenu({ anchor: event.target as Element, node: step.node });
    }
  };

  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label="Pastas"
        className="flex flex-col gap-px"
        onKeyDown={followKey}
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
            expanded={folder.id === expandedId}
            activeCategoryId={activeCategoryId}
            tabStop={tabStop}
            openMenuId={menu?.node.id ?? null}
            onToggle={() => toggle(folder.id)}
            onOpenCategory={onOpenCategory}
            onAddCategory={() => {
              setExpandedId(folder.id);
              onAddCategory(folder.id);
            }}
            onMenu={(anchor, node) => setMenu({ anchor, node })}
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

/** Which folder is open. It follows the category on the screen whenever that changes, or first becomes known. */
function useExpandedFolder(folders: readonly TreeFolder[], activeCategoryId: string | null) {
  const activeFolderId = findFolderOf(folders, activeCategoryId);
  const active = `${activeFolderId} ${activeCategoryId}`;
  const [state, setState] = useState({ expandedId: activeFolderId, followed: active });
  if (state.followed !== active) {
    setState({ expandedId: activeFolderId ?? state.expandedId, followed: active });
  }
  const setExpandedId = (expandedId: string | null) => setState({ expandedId, followed: active });
  return [state.expandedId, setExpandedId] as const;
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
