import { shortenTotal } from '@linkoteca/domain/messages/search-messages';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { useSearchTotals } from '../api/count-saved-searches.ts';
import { SAVED_SEARCH_MESSAGES } from '../model/saved-search-messages.ts';
import type { SavedSearchesProps } from './saved-searches-group.tsx';

/** The group 'Buscas salvas' while the sidebar is collapsed: an icon with a menu of them. */
export function SavedSearchesRail({
  searches,
  activeQuestion,
}: Pick<SavedSearchesProps, 'searches' | 'activeQuestion'>) {
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<Element | null>(null);
  const totals = useSearchTotals(searches, anchor !== null);
  const active = searches.some(({ question }) => question === activeQuestion);
  return (
    <>
      <IconButton
        label={SAVED_SEARCH_MESSAGES.group}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        className={active ? 'bg-accent-soft text-accent-text' : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Search aria-hidden />
      </IconButton>
      <AnchoredMenu anchor={anchor} label={SAVED_SEARCH_MESSAGES.group} onClose={() => setAnchor(null)}>
        {searches.map(({ id, name, question }) => {
          const total = totals[question];
          return (
            <MenuItem
              key={id}
              aside={
                total === undefined ? null : (
                  <span className="text-xs text-ink-faint tabular-nums">{shortenTotal(total)}</span>
                )
              }
              onSelect={() => void navigate({ to: '/search', search: { q: question, page: 1 } })}
            >
              {name}
            </MenuItem>
          );
        })}
      </AnchoredMenu>
    </>
  );
}
