import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SearchResult } from '../../../shared/lib/rows.ts';
import type { ReceivedLink } from '../api/find-received-links.ts';
import type { CachedLibrary } from './cached-library.ts';
import type { Completion } from './complete-operator.ts';
import type { Place } from './find-places.ts';
import { planSearchKey } from './plan-search-key.ts';
import { NO_EXTRAS, type SearchCommand, type SearchExtras } from './search-extras.ts';
import { useQuickSearch } from './use-quick-search.ts';

/** One row below the search field. */
export type SearchEntry =
  /** A way to go on with the operator that is being typed. */
  | { readonly kind: 'completion'; readonly key: string; readonly completion: Completion }
  /** Another spelling: choosing it searches for that. */
  | { readonly kind: 'suggestion'; readonly key: 'suggestion'; readonly term: string }
  | { readonly kind: 'place'; readonly key: string; readonly place: Place }
  | { readonly kind: 'command'; readonly key: string; readonly command: SearchCommand }
  /** One's own; it leads to the links that have it. */
  | { readonly kind: 'tag'; readonly key: string; readonly command: SearchCommand }
  /** A link that somebody shares. */
  | { readonly kind: 'received'; readonly key: string; readonly result: ReceivedLink }
  | { readonly kind: 'link'; readonly key: string; readonly result: SearchResult };

/** Where a chosen row leads. */
export interface SearchTarget {
  readonly categoryId: string;
  /** The link to show there; null for a folder or a category. */
  readonly linkId: string | null;
}

/** The category that choosing a row opens; null where it opens none. */
export function readTarget(entry: SearchEntry): SearchTarget | null {
  if ('place' in entry) return { categoryId: entry.place.categoryId, linkId: null };
  return 'result' in entry ? { categoryId: entry.result.category_id, linkId: entry.result.id } : null;
}

interface SearchBoxOptions {
  readonly cached: CachedLibrary;
  readonly shownTerm: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onOpen: (target: SearchTarget) => void;
  readonly onShowAll: (term: string) => void;
}

/** What the search field does: when its rows show, which one is chosen, and where it all leads. */
export function useSearchBox({ cached, shownTerm, input, onOpen, onShowAll }: SearchBoxOptions) {
  const [found, setFound] = useState(NO_EXTRAS);
  const search = useQuickSearch(cached, shownTerm, found.pending || found.received.length > 0);
  const extras = found.text === search.term ? found : NO_EXTRAS;
  const [engaged, setEngaged] = useState(false);
  const [opened, setOpened] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const cameFrom = useRef<HTMLElement | null>(null);

  const expanded = engaged && opened && search.searching;
  const { places, links, suggestion } = search;
  // Not trimmed: a blank ends the operator before it.
  const complete = useCompleter(engaged);
  const completions = useMemo(
    // Who writes the name of a command goes on with that: 'nova pasta' is no 'nova pasta:'.
    () => (expanded && complete && !extras.isCommandMeant ? complete(search.text, cached) : []),
    [expanded, complete, extras.isCommandMeant, search.text, cached],
  );
  const entries = useMemo(
    () => listEntries(completions, places, links, suggestion, extras),
    [completions, places, links, suggestion, extras],
  );
  const at = expanded ? entries.findIndex(({ key }) => key === activeKey) : -1;

  const type = (text: string) => {
    search.setText(text);
    setEngaged(true);
    setOpened(true);
    setActiveKey(null);
  };
  const disengage = () => {
    setEngaged(false);
    setOpened(false);
  };
  /** Empties the field and gives the focus back to where it came from. */
  const leave = () => {
    search.setText(shownTerm);
    disengage();
    const before = cameFrom.current;
    if (before?.isConnected) before.focus();
    else input.current?.blur();
  };
  /** Gets out of the way of what a choice opens. */
  const finish = (text: string) => {
    search.setText(text);
    setActiveKey(null);
    disengage();
    input.current?.blur();
  };
  const choose = (entry: SearchEntry) => {
    const target = readTarget(entry);
    if ('command' in entry) {
      finish(shownTerm);
      // What it opens gives the keyboard back to where it is now.
      if (cameFrom.current?.isConnected) cameFrom.current.focus({ preventScroll: true });
      entry.command.run();
    }
    if (entry.kind === 'suggestion') type(entry.term);
    if (entry.kind === 'completion') type(entry.completion.typed);
    if (target === null) return;
    finish(shownTerm);
    onOpen(target);
  };
  const visit = (entry: SearchEntry) => {
    if ('result' in entry) window.open(entry.result.url, '_blank', 'noopener,noreferrer');
    else choose(entry);
  };
  const showAll = () => {
    finish(search.term);
    onShowAll(search.term);
  };
  const moveTo = (index: number) => {
    setOpened(true);
    setActiveKey(entries[index]?.key ?? null);
  };

  const followKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const count = search.searching ? entries.length : 0;
    const step = planSearchKey(event, { count, active: at, expanded, text: search.text });
    if (step === null) return;
    event.preventDefault();
    const chosen = 'index' in step ? entries[step.index] : undefined;
    if (step.act === 'move') moveTo(step.to);
    else if (step.act === 'close') setOpened(false);
    else if (step.act === 'empty' || step.act === 'leave') leave();
    else if (step.act === 'show-all') showAll();
    else if (chosen) (step.act === 'visit' ? visit : choose)(chosen);
  };

  return {
    search,
    extras,
    setFound,
    entries,
    expanded,
    /** The chosen row; null while the field itself is. */
    active: entries[at] ?? null,
    /** Whether someone is at the field or its rows. */
    engaged,
    type,
    open: () => setOpened(true),
    engage: (from: EventTarget | null) => {
      if (!engaged) cameFrom.current = from instanceof HTMLElement ? from : null;
      setEngaged(true);
      setOpened(true);
    },
    disengage,
    leave,
    clear: () => {
      type('');
      input.current?.focus();
    },
    reach: () => {
      input.current?.focus();
      input.current?.select();
    },
    activate: (entry: SearchEntry) => setActiveKey(entry.key),
    choose,
    visit,
    showAll,
    followKey,
  };
}

/** What completes operators: code that comes when somebody begins to search, and is missed by nobody where it does not come. */
function useCompleter(wanted: boolean) {
  const [complete, setComplete] = useState<typeof import('./complete-operator.ts').completeOperator>();
  useEffect(() => {
    if (!wanted) return;
    import('./complete-operator.ts').then(
      (module) => setComplete(() => module.completeOperator),
      () => undefined,
    );
  }, [wanted]);
  return complete;
}

function listEntries(
  completions: readonly Completion[],
  places: readonly Place[],
  links: readonly SearchResult[],
  suggestion: string | null,
  { shares, tags, commands, isCommandMeant, received }: SearchExtras,
): readonly SearchEntry[] {
  const acts = commands.map(
    (command): SearchEntry => ({ kind: 'command', key: `command-${command.id}`, command }),
  );
  return [
    ...completions.map(
      (completion): SearchEntry => ({ kind: 'completion', key: `completion-${completion.text}`, completion }),
    ),
    ...(suggestion === null ? [] : [{ kind: 'suggestion', key: 'suggestion', term: suggestion } as const]),
    ...[...places, ...shares].map(
      (place): SearchEntry => ({ kind: 'place', key: `place-${place.id}`, place }),
    ),
    ...tags.map((command): SearchEntry => ({ kind: 'tag', key: `tag-${command.id}`, command })),
    ...(isCommandMeant ? acts : []),
    ...links.map((result): SearchEntry => ({ kind: 'link', key: `link-${result.id}`, result })),
    ...received.map((result): SearchEntry => ({ kind: 'received', key: `received-${result.id}`, result })),
    ...(isCommandMeant ? [] : acts),
  ];
}
