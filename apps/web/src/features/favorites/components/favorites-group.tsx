import { FAVORITE_MESSAGES } from '@linkoteca/domain/messages/favorite-messages';
import { ChevronRight } from 'lucide-react';
import { useId, useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Star } from '../../../shared/ui/star.tsx';
import type { FavoriteEntry } from '../model/favorite-entries.ts';
import { describeFavoriteRemoval, FAVORITE_LIST_MESSAGES } from '../model/favorite-list-messages.ts';
import { FavoriteAnchor } from './favorite-anchor.tsx';

export interface FavoritesProps {
  readonly entries: readonly FavoriteEntry[];
  readonly activeCategoryId: string | null;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onRemove: (entry: FavoriteEntry) => void;
}

/** The group 'Favoritos' of the sidebar. Whether it is open is remembered. */
export function FavoritesGroup({ entries, activeCategoryId, onOpenCategory, onRemove }: FavoritesProps) {
  const [choice, setChoice] = useStoredChoice('linkoteca-favorites', ['open', 'closed']);
  const open = choice === 'open';
  const listId = useId();
  const group = useRef<HTMLElement>(null);
  const remove = (entry: FavoriteEntry, row: Element | null) => {
    // The button goes with its row: the keyboard goes to the one after, else before, else to the group.
    const next = row?.nextElementSibling ?? row?.previousElementSibling ?? group.current;
    next?.querySelector<HTMLElement>('a, button')?.focus();
    onRemove(entry);
  };
  return (
    <section ref={group} aria-label={FAVORITE_LIST_MESSAGES.group}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        className="flex h-8 w-full items-center gap-2 rounded px-2 text-base text-ink-soft transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:h-11"
        onClick={() => setChoice(open ? 'closed' : 'open')}
      >
        <ChevronRight
          aria-hidden
          className={joinClassNames(
            'size-3.5 shrink-0 text-ink-faint transition-transform',
            open && 'rotate-90',
          )}
        />
        <Star filled={false} className="size-4 shrink-0 text-ink-faint" />
        <span className="flex-1 text-left font-medium">{FAVORITE_LIST_MESSAGES.group}</span>
        <span className="text-xs text-ink-faint tabular-nums">{entries.length}</span>
      </button>
      <ul id={listId} hidden={!open} className={joinClassNames('flex-col gap-px py-px', open && 'flex')}>
        {entries.map((entry) => (
          <FavoriteRow
            key={entry.id}
            entry={entry}
            active={entry.id === activeCategoryId}
            onOpenCategory={onOpenCategory}
            onRemove={remove}
          />
        ))}
      </ul>
    </section>
  );
}

interface FavoriteRowProps {
  readonly entry: FavoriteEntry;
  readonly active: boolean;
  readonly onOpenCategory: (categoryId: string) => void;
  readonly onRemove: (entry: FavoriteEntry, row: Element | null) => void;
}

function FavoriteRow({ entry, active, onOpenCategory, onRemove }: FavoriteRowProps) {
  return (
    <li
      className={joinClassNames(
        'group/row relative flex h-8 items-center rounded pr-1 transition-colors [contain-intrinsic-height:2rem] [content-visibility:auto] pointer-coarse:h-11',
        active ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
      )}
    >
      <FavoriteAnchor
        entry={entry}
        active={active}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded pr-1 pl-8 text-base focus-visible:-outline-offset-2"
        onOpenCategory={onOpenCategory}
      />
      <IconButton
        size="small"
        label={describeFavoriteRemoval(entry.name)}
        title={FAVORITE_MESSAGES.remove}
        className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100"
        onClick={(event) => onRemove(entry, event.currentTarget.closest('li'))}
      >
        <Star filled className="text-accent-text" />
      </IconButton>
    </li>
  );
}
