import { useState } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import { FAVORITE_LIST_MESSAGES } from '../model/favorite-list-messages.ts';
import type { FavoritesProps } from './favorites-group.tsx';

/** The group 'Favoritos' while the sidebar is collapsed: an icon with a menu of them. */
export function FavoritesRail({
  entries,
  activeCategoryId,
  onOpenCategory,
}: Omit<FavoritesProps, 'onRemove'>) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const active = entries.some(({ id }) => id === activeCategoryId);
  return (
    <>
      <IconButton
        label={FAVORITE_LIST_MESSAGES.group}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        className={active ? 'bg-accent-soft text-accent-text' : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Star filled={false} />
      </IconButton>
      <AnchoredMenu anchor={anchor} label={FAVORITE_LIST_MESSAGES.group} onClose={() => setAnchor(null)}>
        {entries.map((entry) => (
          <MenuItem
            key={entry.id}
            onSelect={() =>
              entry.kind === 'link'
                ? window.open(entry.link.url, '_blank', 'noopener,noreferrer')
                : onOpenCategory(entry.id)
            }
          >
            {entry.name}
          </MenuItem>
        ))}
      </AnchoredMenu>
    </>
  );
}
