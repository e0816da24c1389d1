import { foldTerm, foldText } from '@linkoteca/domain/fold-text';
import { SEARCH } from '@linkoteca/domain/limits';
import { SEARCH_MESSAGES } from '@linkoteca/domain/messages/link-messages';
import { readQuestion, type SearchQuestion } from '@linkoteca/domain/search-question';
import { rankText, readSearchWords } from '@linkoteca/domain/search-words';
import { useEffect, useMemo, useState } from 'react';
import { useDebouncedValue } from '../../../shared/lib/forms/use-debounced-value.ts';
import type { Link, SearchResult } from '../../../shared/lib/rows.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useSearchAnswers, useSearchLinks } from '../api/search-links.ts';
import { useSuggestion } from '../api/suggest-search.ts';
import type { CachedLibrary } from './cached-library.ts';
import { findPlaces, type Place } from './find-places.ts';
import { COMMAND_MARK } from './search-extras.ts';
import { type PlaceNames, useCachedHits } from './use-cached-hits.ts';

/** Links of the browser's own that come first. The rest is the service's: what was opened last is not all there is. */
const CACHED_PLACES = 5;

export interface QuickSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** The text without the blanks around it. */
  readonly term: string;
  /** What is typed, taken apart. */
  readonly question: SearchQuestion;
  /** Whether it asks for links: a beginning of an operator alone does not, nor does the name of a command. */
  readonly asks: boolean;
  /** Whether there is something to search: not for an empty field, nor for the term whose results the page shows. */
  readonly searching: boolean;
  /** Folders and categories of that name. */
  readonly places: readonly Place[];
  /** At first what the browser holds, then completed by the service. */
  readonly links: readonly SearchResult[];
  /** Another spelling, which `links` are of: what was typed finds nothing. */
  readonly suggestion: string | null;
  /** What the service is asked for once somebody pauses; '' for nothing. */
  readonly asked: string;
  /** Whether `links` is all there is. */
  readonly isComplete: boolean;
  /** True while what is typed has no answer yet. */
  readonly loading: boolean;
  /** The service did not answer; `links` are what the browser holds. */
  readonly failed: boolean;
  /** Without a network nothing more than what the browser holds will come. */
  readonly offline: boolean;
  readonly retry: () => void;
}

/**
 * The state of the quick search: what is typed, at once what of it the browser holds, and after 300 ms of silence what
 * the service finds.
 * @param shown the term of the results on the page, which stands in the field until something else is typed.
 * @param isElsewhere whether something else was found or is on its way: then no other spelling is looked for.
 */
export function useQuickSearch(cached: CachedLibrary, shown: string, isElsewhere: boolean): QuickSearch {
  const [text, setText] = useFollowedText(shown);
  const typed = text.trim();
  const rested = useDebouncedValue(typed, SEARCH.debounceMs);
  const searching = typed !== '' && typed !== shown;
  const question = useMemo(() => readQuestion(typed), [typed]);
  const isCommand = typed.startsWith(COMMAND_MARK);
  const asks = !isCommand && (question.isFiltered || question.words !== '');
  const term = searching && asks && rested === typed ? typed : '';
  const query = useSearchLinks(term);
  const answers = useSearchAnswers();
  useForgetWhenEmpty(typed === '', answers.forget);
  useToldFailure(query.isError, query.errorUpdatedAt);

  // Operators narrow links, and places are not among those.
  const needle = searching && !isCommand && question.operators.length === 0 ? foldTerm(typed) : '';
  const placeNames = useMemo(() => foldPlaceNames(cached.folders), [cached.folders]);
  const found = useCachedHits(searching && !isCommand ? typed : '', cached, placeNames, SEARCH.quickLimit);
  const answered = term !== '' && query.isSuccess;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is on the screen keeps its place when more is learnt
  const cachedResults = useMemo(
    () =>
      toResults(
        found ?? [],
        cached,
        question.operators.length === 0 ? answers.read() : [],
        typed,
        placeNames,
      ),
    [found, typed],
  );
  const nothing = answered && query.data.length === 0 && cachedResults.length === 0;
  // It is of words: with operators that leave nothing it would find nothing either.
  const suggestion = useSuggestion(nothing && !isElsewhere && question.operators.length === 0 ? term : '');
  const suggested = useSearchLinks(suggestion ?? '');
  const failed = term !== '' && query.isError;
  const offline = query.fetchStatus === 'paused';
  const alone = failed || offline;
  return {
    text,
    setText,
    term: typed,
    question,
    asks,
    searching,
    places: useMemo(() => findPlaces(cached.folders, needle), [cached.folders, needle]),
    links:
      suggestion === null
        ? mergeResults(
            alone ? cachedResults : cachedResults.slice(0, CACHED_PLACES),
            answered ? query.data : null,
            SEARCH.quickLimit,
          )
        : (suggested.data ?? []),
    suggestion,
    asked: term,
    isComplete: answered && query.data.length < SEARCH.quickLimit && suggestion === null,
    loading: searching && asks && !answered && !alone,
    failed,
    offline,
    retry: () => void query.refetch(),
  };
}

/** The text in the field: what someone types, and the term of the page's results whenever that changes. */
function useFollowedText(shown: string) {
  const [state, setState] = useState({ text: shown, followed: shown });
  if (state.followed !== shown) setState({ text: shown, followed: shown });
  return [state.text, (text: string) => setState({ text, followed: shown })] as const;
}

function useForgetWhenEmpty(empty: boolean, forget: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time the field is emptied
  useEffect(() => {
    if (empty) forget();
  }, [empty]);
}

function useToldFailure(isError: boolean, errorUpdatedAt: number): void {
  useEffect(() => {
    if (isError && errorUpdatedAt > 0)
      toast.error(SEARCH_MESSAGES.failed.title, SEARCH_MESSAGES.failed.description);
  }, [isError, errorUpdatedAt]);
}

function foldPlaceNames(folders: CachedLibrary['folders']): PlaceNames {
  return new Map(
    folders.flatMap((folder) =>
      folder.categories.map(({ id, name }) => [id, foldText(`${name}\n${folder.name}`)] as const),
    ),
  );
}

/** Cached links as results, followed by what earlier answers name of the same. */
function toResults(
  links: readonly Link[],
  cached: CachedLibrary,
  earlier: readonly SearchResult[],
  term: string,
  placeNames: PlaceNames,
): readonly SearchResult[] {
  const names = new Map(
    cached.folders.flatMap(({ categories }) => categories.map(({ id, name }) => [id, name])),
  );
  const results = new Map<string, SearchResult>();
  for (const { id, title, description, url, category_id } of links)
    results.set(id, {
      id,
      title,
      description,
      url,
      category_id,
      category_name: names.get(category_id) ?? null,
    });
  const words = readSearchWords(term);
  for (const result of words.whole === '' ? [] : earlier) {
    const text = [result.title, result.url, result.description ?? ''].map(foldText).join('\n');
    const place = placeNames.get(result.category_id) ?? '';
    if (!results.has(result.id) && rankText(text, words, place) > 0) results.set(result.id, result);
  }
  return [...results.values()];
}

/**
 * Completes what the browser found by what the service answered. What is on the screen keeps its place; the rest follows.
 * @param answer the service's, newest first; null while it is on its way.
 * @param limit results shown, and results the service was asked for: an answer with fewer names every match, so what it
 * does not name has gone or changed elsewhere.
 */
export function mergeResults(
  cached: readonly SearchResult[],
  answer: readonly SearchResult[] | null,
  limit: number,
): readonly SearchResult[] {
  if (answer === null) return cached.slice(0, limit);
  const complete = answer.length < limit;
  const answered = new Map(answer.map((result) => [result.id, result]));
  const kept = cached.flatMap((result) => answered.get(result.id) ?? (complete ? [] : result));
  const shown = new Set(kept.map(({ id }) => id));
  return [...kept, ...answer.filter(({ id }) => !shown.has(id))].slice(0, limit);
}
