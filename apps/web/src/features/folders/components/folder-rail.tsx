import { FolderPlus } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { FolderSpine } from '../../../shared/ui/folder-spine.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import type { TreeFolder } from '../model/tree-nodes.ts';

interface FolderRailProps {
  readonly folders: readonly TreeFolder[];
  /** What stands between 'Nova Pasta' and the folders. */
  readonly children: ReactNode;
  readonly onNewFolder: () => void;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onAddCategory: (folderId: string) => void;
  /** How full the plan is, where it has no room for another category. */
  readonly addLock: string | null;
}

/** The folders while the sidebar is collapsed: spines, each with a menu of its categories. */
export function FolderRail(props: FolderRailProps) {
  const { folders, children, onNewFolder, onOpenCategory, onAddCategory } = props;
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly folder: TreeFolder } | null>(null);
  const last = useRef<TreeFolder | null>(null);
  if (menu) last.current = menu.folder;
  const folder = last.current;
  return (
    <div className="flex flex-col items-center gap-1 py-2">
      <IconButton label="Nova Pasta" onClick={onNewFolder}>
        <FolderPlus aria-hidden />
      </IconButton>
      {children}
      {folders.map((each) => (
        <IconButton
          key={each.id}
          label={each.name}
          aria-haspopup="menu"
          aria-expanded={menu?.folder.id === each.id}
          onClick={(event) => setMenu({ anchor: event.currentTarget, folder: each })}
        >
          <FolderSpine folderId={each.id} large />
        </IconButton>
      ))}
      <AnchoredMenu anchor={menu?.anchor ?? null} label={folder?.name ?? ''} onClose={() => setMenu(null)}>
        {folder?.categories.map((category) => (
          <MenuItem key={category.id} onSelect={() => onOpenCategory(category.id)}>
            {category.name}
          </MenuItem>
        ))}
        <MenuItem lock={props.addLock} onSelect={() => folder && onAddCategory(folder.id)}>
          Nova Categoria
        </MenuItem>
      </AnchoredMenu>
    </div>
  );
}
