import { Copy, FolderInput, Info, Pencil, Trash2 } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';

interface LinkMenuProps {
  readonly anchor: Element | null;
  /** The link it is about; it stays while the menu fades out. */
  readonly link: Link | null;
  /** Null where the link belongs to someone else. */
  readonly onEdit: ((link: Link) => void) | null;
  readonly onMove: ((link: Link) => void) | null;
  readonly onDelete: ((link: Link) => void) | null;
  readonly onInfo: (link: Link) => void;
  readonly onClose: () => void;
}

/** The one menu of a list of links, beside whichever link asked for it. */
export function LinkMenu({ anchor, link, onEdit, onMove, onDelete, onInfo, onClose }: LinkMenuProps) {
  const act = (action: (link: Link) => void) => () => link && action(link);
  return (
    <AnchoredMenu anchor={anchor} label={`Ações do link ${link?.title ?? ''}`} onClose={onClose}>
      {onEdit ? (
        <MenuItem icon={<Pencil aria-hidden />} onSelect={act(onEdit)}>
          Editar
        </MenuItem>
      ) : null}
      <MenuItem icon={<Copy aria-hidden />} onSelect={act((each) => void copyLink(each.url))}>
        Copiar link
      </MenuItem>
      <MenuItem icon={<Info aria-hidden />} onSelect={act(onInfo)}>
        Informações
      </MenuItem>
      {onMove ? (
        <MenuItem icon={<FolderInput aria-hidden />} onSelect={act(onMove)}>
          Mover
        </MenuItem>
      ) : null}
      {onDelete ? (
        <>
          <MenuSeparator />
          <MenuItem tone="danger" icon={<Trash2 aria-hidden />} onSelect={act(onDelete)}>
            Excluir
          </MenuItem>
        </>
      ) : null}
    </AnchoredMenu>
  );
}
