import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import { Copy, FolderInput, Info, Pencil, Trash2 } from 'lucide-react';
import { copyLink } from '../../../shared/lib/browser/copy-link.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { MenuSeparator } from '../../../shared/ui/menus/menu-separator.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import type { LinkStars } from '../model/link-stars.ts';

interface LinkMenuProps {
  readonly anchor: Element | null;
  /** The link it is about; it stays while the menu fades out. */
  readonly link: Link | null;
  /** Null where the link belongs to someone else. */
  readonly onEdit: ((link: Link) => void) | null;
  readonly onMove: ((link: Link) => void) | null;
  readonly onDelete: ((link: Link) => void) | null;
  readonly onInfo: (link: Link) => void;
  readonly stars?: LinkStars;
  readonly onClose: () => void;
}

/** The one menu of a list of links, beside whichever link asked for it. */
export function LinkMenu(props: LinkMenuProps) {
  const { anchor, link, onEdit, onMove, onDelete, onInfo, stars, onClose } = props;
  const isStarred = link !== null && stars?.ids.has(link.id) === true;
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
      {stars ? (
        <MenuItem icon={<Star filled={isStarred} />} onSelect={act(stars.toggle)}>
          {isStarred ? FAVORITE_MESSAGES.remove : FAVORITE_MESSAGES.add}
        </MenuItem>
      ) : null}
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
