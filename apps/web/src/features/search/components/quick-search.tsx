import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { ArrowLeft, Search, X } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useId, useRef } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { lazyPart } from '../../../shared/lib/browser/lazy-part.tsx';
import { useSingleKeys } from '../../../shared/lib/browser/single-key-shortcuts.ts';
import { useBackCloses } from '../../../shared/lib/browser/use-back-closes.ts';
import { useIdlePreload } from '../../../shared/lib/browser/use-idle-preload.ts';
import { useNarrowScreen } from '../../../shared/lib/browser/use-narrow-screen.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { CachedLibrary } from '../model/cached-library.ts';
import type { SearchExtrasProps } from '../model/search-extras.ts';
import { useFoldCachedLinks } from '../model/use-cached-hits.ts';
import { readTarget, type SearchTarget, useSearchBox } from '../model/use-search-box.ts';

/** What shows below the field comes in an idle moment: the field alone is on every screen's first picture. */
const SearchResults = lazyPart(
  () => import('./search-results.tsx'),
  (module) => module.SearchResults,
);

export interface QuickSearchProps {
  readonly cached: CachedLibrary;
  /** The term whose results the page shows; '' on every other page. */
  readonly shownTerm: string;
  readonly onOpen: (target: SearchTarget) => void;
  /** The category that is about to be opened, by key or pointer; null for none. The same function on every render. */
  readonly onIntend: (categoryId: string | null) => void;
  readonly onShowAll: (term: string) => void;
  /** Looks for what else there is: commands, and what others share. Shows nothing itself. */
  readonly renderExtras?: (props: SearchExtrasProps) => ReactNode;
  /** What keeps a question. */
  readonly renderSave?: (question: string) => ReactNode;
  /** The address of the page with all results of a term. */
  readonly allResultsPath: (term: string) => string;
}

/**
 * The search of the top bar: '/' or Ctrl+K reaches it, arrows walk the results, Enter opens the link of one, Ctrl+Enter
 * its category, Esc leaves. On a narrow screen it takes the whole width while it is used.
 */
export function QuickSearch(props: QuickSearchProps) {
  const narrow = useNarrowScreen();
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const box = useSearchBox({ ...props, input });
  const { search, extras, expanded, entries, active } = box;
  const optionId = (key: string) => `${listId}-${key}`;
  const covering = narrow && box.engaged;
  useBackCloses(covering, box.leave);
  const intended = active && (readTarget(active)?.categoryId ?? null);
  const { onIntend } = props;
  useEffect(() => onIntend(intended), [onIntend, intended]);
  useIdlePreload(SearchResults.preload);
  useFoldCachedLinks(box.engaged, props.cached.listLinks);
  useShortcut('/', box.reach);
  useShortcut('mod+k', box.reach, { whileTyping: true });

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches focus leave the field and its results
    <div
      ref={root}
      role="presentation"
      className={joinClassNames(
        'flex items-center',
        covering
          ? 'fixed inset-x-0 top-0 z-20 h-(--mobile-header-offset) gap-1 border-b border-line bg-paper px-2'
          : 'relative',
      )}
      onBlur={({ relatedTarget }) => {
        // A phone's keyboard that is put away takes the focus along; the results are then read, not left.
        if (covering && relatedTarget === null) return;
        if (!root.current?.contains(relatedTarget)) box.disengage();
      }}
    >
      {covering ? (
        <IconButton label="Fechar busca" onClick={box.leave}>
          <ArrowLeft aria-hidden />
        </IconButton>
      ) : null}
      <div className="relative min-w-0 flex-1">
        <Search
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint"
        />
        <input
          ref={input}
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          placeholder={SEARCH_MESSAGES.placeholder}
          aria-label="Buscar links"
          aria-autocomplete="list"
          aria-expanded={expanded}
          aria-controls={listId}
          aria-activedescendant={active === null ? undefined : optionId(active.key)}
          aria-keyshortcuts="/ Control+K Meta+K"
          value={search.text}
          onChange={(event) => box.type(event.target.value)}
          onFocus={(event) => box.engage(event.relatedTarget)}
          onClick={box.open}
          onKeyDown={box.followKey}
          className="h-9 w-full rounded border border-transparent bg-sunken pr-10 pl-9 text-base text-ink transition-colors hover:border-line focus-visible:border-accent focus-visible:bg-surface focus-visible:outline-0 pointer-coarse:h-11 pointer-coarse:text-lg"
        />
        <span className="absolute inset-y-0 right-1 flex items-center">
          {search.text === '' ? (
            <SlashHint />
          ) : (
            <IconButton size="small" label="Limpar busca" onClick={box.clear}>
              <X aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      {expanded ? (
        <Suspense>
          {props.renderExtras?.({ text: search.term, term: search.asked, onFound: box.setFound })}
          <SearchResults
            id={listId}
            optionId={optionId}
            search={search}
            extras={extras}
            cached={props.cached}
            onType={box.type}
            entries={entries}
            active={active}
            onActive={box.activate}
            onChoose={box.choose}
            onVisit={box.visit}
            onShowAll={box.showAll}
            renderSave={props.renderSave}
            allResultsPath={props.allResultsPath(search.term)}
          />
        </Suspense>
      ) : null}
      <span role="status" className="sr-only">
        {expanded && !search.loading && !extras.pending && search.suggestion === null
          ? describeCount(entries.length)
          : ''}
      </span>
    </div>
  );
}

function SlashHint() {
  const [singleKeys] = useSingleKeys();
  if (!singleKeys) return null;
  return (
    <span className="pr-1.5">
      <Kbd>/</Kbd>
    </span>
  );
}

/** Read aloud when the results are complete; that there are none stands in the list itself. */
function describeCount(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 resultado' : `${count} resultados`;
}
