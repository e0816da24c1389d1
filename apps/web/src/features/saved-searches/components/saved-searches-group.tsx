import { describeTotal, shortenTotal } from '@linkoteca/domain/messages/search-messages';
import { readQuestion } from '@linkoteca/domain/search-question';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Ellipsis, Pencil, Rss, Search, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { useStoredChoice } from '../../../shared/lib/browser/use-stored-choice.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { AnchoredMenu } from '../../../shared/ui/menus/anchored-menu.tsx';
import { MenuItem } from '../../../shared/ui/menus/menu-item.tsx';
import { useSearchTotals } from '../api/count-saved-searches.ts';
import { describeSearchActions, SAVED_SEARCH_MESSAGES } from '../model/saved-search-messages.ts';
import type { SavedSearch } from '../model/saved-search-rows.ts';

export interface SavedSearchesProps {
  readonly searches: readonly SavedSearch[];
  /** The question whose results are on the screen; null on every other page. */
  readonly activeQuestion: string | null;
  /** One was opened: a phone's drawer may close. */
  readonly onOpen: () => void;
  readonly onRename: (search: SavedSearch) => void;
  readonly onRemove: (search: SavedSearch) => void;
  /** Shows the address of its feed; undefined where nobody draws feeds. */
  readonly onFollow: ((search: SavedSearch) => void) | undefined;
}

/** The group 'Buscas salvas' of the sidebar, each with how many links it finds now. Whether it is open is remembered. */
export function SavedSearchesGroup(props: SavedSearchesProps) {
  const { searches, activeQuestion, onOpen, onRename, onRemove, onFollow } = props;
  const [choice, setChoice] = useStoredChoice('linkoteca-saved-searches', ['open', 'closed']);
  const open = choice === 'open';
  const totals = useSearchTotals(searches, open);
  const listId = useId();
  const group = useRef<HTMLElement>(null);
  const neighbour = useRef<HTMLElement>(null);
  const [menu, setMenu] = useState<{ readonly anchor: Element; readonly search: SavedSearch } | null>(null);
  // What the menu is about stays while it closes.
  const subject = useRef<SavedSearch | null>(null);
  if (menu !== null) subject.current = menu.search;
  const remove = (search: SavedSearch) => {
    // The row goes with its button: the keyboard goes to the one after, else before, else to the group.
    const row = menu?.anchor.closest('li');
    const next = row?.nextElementSibling ?? row?.previousElementSibling ?? group.current;
    neighbour.current = next?.querySelector<HTMLElement>('a, button') ?? null;
    onRemove(search);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the row is gone, which the menu would give the focus back to
  useEffect(() => {
    neighbour.current?.focus();
    neighbour.current = null;
  }, [searches]);
  return (
    <section ref={group} aria-label={SAVED_SEARCH_MESSAGES.group}>
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
        <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
        <span className="flex-1 text-left font-medium">{SAVED_SEARCH_MESSAGES.group}</span>
        <span className="text-xs text-ink-faint tabular-nums">{searches.length}</span>
      </button>
      <ul id={listId} hidden={!open} className={joinClassNames('flex-col gap-px py-px', open && 'flex')}>
        {searches.map((search) => (
          <SearchRow
            key={search.id}
            search={search}
            total={totals[search.question]}
            active={search.question === activeQuestion}
            onOpen={onOpen}
            menuOpen={menu?.search.id === search.id}
            onMenu={(anchor) => setMenu({ anchor, search })}
          />
        ))}
      </ul>
      <AnchoredMenu
        anchor={menu?.anchor ?? null}
        label={describeSearchActions(subject.current?.name ?? '')}
        onClose={() => setMenu(null)}
      >
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => subject.current && onRename(subject.current)}>
          {SAVED_SEARCH_MESSAGES.rename}
        </MenuItem>
        {/* A feed shows one's own links alone. */}
        {onFollow && readQuestion(subject.current?.question ?? '').filters.owner === null ? (
          <MenuItem icon={<Rss aria-hidden />} onSelect={() => subject.current && onFollow(subject.current)}>
            {SAVED_SEARCH_MESSAGES.follow}
          </MenuItem>
        ) : null}
        <MenuItem
          tone="danger"
          icon={<Trash2 aria-hidden />}
          onSelect={() => subject.current && remove(subject.current)}
        >
          {SAVED_SEARCH_MESSAGES.remove}
        </MenuItem>
      </AnchoredMenu>
    </section>
  );
}

interface SearchRowProps {
  readonly search: SavedSearch;
  /** undefined until it was counted for the first time. */
  readonly total: number | undefined;
  readonly active: boolean;
  readonly onOpen: () => void;
  readonly menuOpen: boolean;
  readonly onMenu: (anchor: Element) => void;
}

function SearchRow({ search, total, active, onOpen, menuOpen, onMenu }: SearchRowProps) {
  const { name, question } = search;
  return (
    <li
      className={joinClassNames(
        'group/row relative flex h-8 items-center rounded pr-1 transition-colors pointer-coarse:h-11',
        active ? 'bg-accent-soft text-accent-text' : 'hover:bg-hover',
      )}
    >
      <Link
        to="/search"
        search={{ q: question, page: 1 }}
        aria-current={active ? 'page' : undefined}
        title={name === question ? name : `${name} (${question})`}
        className="flex h-full min-w-0 flex-1 items-center gap-2 rounded pr-1 pl-8 text-base focus-visible:-outline-offset-2"
        onClick={onOpen}
      >
        <span className="min-w-0 flex-1 truncate">{name}</span>
        {total === undefined ? null : (
          <span className="text-xs text-ink-faint tabular-nums">
            <span aria-hidden>{shortenTotal(total)}</span>
            <span className="sr-only">, {describeTotal(total)}</span>
          </span>
        )}
      </Link>
      <IconButton
        size="small"
        label={describeSearchActions(name)}
        title="Ações"
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        className="opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 aria-expanded:opacity-100 pointer-coarse:opacity-100"
        onClick={(event) => onMenu(event.currentTarget)}
      >
        <Ellipsis aria-hidden />
      </IconButton>
    </li>
  );
}
