import { foldText } from '@linkoteca/domain/fold-text';
import { MEANT, readMeaning } from '@linkoteca/domain/search-meaning';
import { readQuestion } from '@linkoteca/domain/search-question';
import { hasWords, rankText, readSearchWords, type SearchWords } from '@linkoteca/domain/search-words';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { Link } from '../../../shared/lib/rows.ts';
import { loadFilters } from '../api/find-links.ts';
import type { CachedLibrary, CachedTag } from './cached-library.ts';

/** Milliseconds of one frame that searching may take; the rest is for drawing. */
const SLICE_MS = 5;

interface CachedHits {
  readonly term: string;
  readonly links: readonly Link[];
}

const NONE: readonly Link[] = [];

/** Folded names of category and folder, by the category's id. */
export type PlaceNames = ReadonlyMap<string, string>;

/**
 * The cached links that contain the term, newest first, then those with its words (rankText): in the frame of the key press, as
 * long as a few milliseconds suffice for them, else a few frames later. Null until the search is through.
 */
export function useCachedHits(
  term: string,
  cached: CachedLibrary,
  placeNames: PlaceNames,
  limit: number,
): readonly Link[] | null {
  const [found, setFound] = useState<CachedHits>({ term: '', links: NONE });

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed may change below the results; they stay
  useLayoutEffect(() => {
    if (term === '') return undefined;
    const { words, filters, isFiltered } = readQuestion(term);
    if (words === '' && !isFiltered) return setFound({ term, links: NONE });
    const tagsOf = foldTags(cached.listTags());
    const begin = (leaves?: (link: Link) => boolean) => {
      const { isFavorite } = cached;
      const scan = scanLinks(cached.listLinks(), readSearchWords(words), placeNames, limit, {
        leaves,
        tagsOf,
        isFavorite,
      });
      return inSlices(scan, () => setFound({ term, links: scan.hits() }));
    };
    if (!isFiltered) return begin();
    let stop: (() => void) | null = () => undefined;
    // Without it the service alone answers.
    loadFilters().then(
      ({ createLinkFilter }) => {
        const names = cached.listTags().map(({ name }) => foldText(name));
        if (stop)
          stop = begin(
            createLinkFilter(filters, listPlaces(cached), cached.isFavorite, { names, of: tagsOf }),
          );
      },
      () => undefined,
    );
    return () => {
      stop?.();
      stop = null;
    };
  }, [term, limit]);

  return term === '' ? NONE : found.term === term ? found.links : null;
}

/** The names of a link's tags, folded. */
function foldTags(tags: readonly CachedTag[]): (link: Pick<Link, 'link_tags'>) => readonly string[] {
  const names = new Map(tags.map(({ id, name }) => [id, foldText(name)]));
  return ({ link_tags = [] }) => link_tags.flatMap(({ tag_id }) => names.get(tag_id) ?? []);
}

/** Places as operators compare them. */
function listPlaces({ folders }: CachedLibrary) {
  return folders.flatMap(({ name, categories }) =>
    categories.map((category) => ({
      categoryId: category.id,
      category: foldText(category.name),
      folder: foldText(name),
    })),
  );
}

/** No text contains this, so every link is looked at. */
const NOWHERE: SearchWords = { whole: '\0', wanted: [], unwanted: [] };

/**
 * Folds what the browser has cached while nobody waits, so that the first key press finds it done.
 * @param wanted while someone is about to search.
 */
export function useFoldCachedLinks(wanted: boolean, listLinks: () => readonly (readonly Link[])[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time somebody begins
  useEffect(() => {
    return wanted ? inSlices(scanLinks(listLinks(), NOWHERE, new Map(), 1), () => undefined) : undefined;
  }, [wanted]);
}

/** Runs a scan, at first now, then between the frames. Returns how to stop it. */
function inSlices(scan: LinkScan, onDone: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = () => {
    if (scan.run(performance.now() + SLICE_MS)) onDone();
    else timer = setTimeout(go);
  };
  go();
  return () => clearTimeout(timer);
}

/** Links compared between two looks at the clock: some 20 µs. */
const STRIDE = 64;

/** The text in which each link of a list is found; made once, and gone with the list. */
const textsOfLists = new WeakMap<readonly Link[], string[]>();

/** A search through cached links that can stop and go on, so that no key press waits for a large library. */
interface LinkScan {
  /** Goes on until done or out of time. @param until as performance.now() counts. @returns whether it is done. */
  readonly run: (until: number) => boolean;
  /** What was found so far, by rank (rankText), in each by meaning, favourites before others, newest first. */
  readonly hits: () => readonly Link[];
}

interface ScanOptions {
  /** Which links the operators leave; all where there are none. */
  readonly leaves?: ((link: Link) => boolean) | undefined;
  /** Folded names, a line each, which may be renamed while the text stays. */
  readonly tagsOf?: (link: Link) => readonly string[];
  readonly isFavorite?: (linkId: string) => boolean;
}

/**
 * Looks for the newest links whose title, address or description contain what was typed, whole or word by word, and puts those that are
 * named so before those that mention it.
 * @param lists each newest first.
 * @param limit how many links are wanted; a list is left as soon as it can hold no newer one.
 */
export function scanLinks(
  lists: readonly (readonly Link[])[],
  words: SearchWords,
  placeNames: PlaceNames,
  limit: number,
  { leaves = () => true, tagsOf = () => [], isFavorite = () => false }: ScanOptions = {},
): LinkScan {
  const reach = Math.max(limit, MEANT);
  const byWords = hasWords(words);
  let best: Link[] = [];
  let second: Link[] = [];
  let third: Link[] = [];
  let listAt = 0;
  let linkAt = 0;

  /** Compares the next few links of the current list. */
  const advance = () => {
    const list = lists[listAt] ?? [];
    const texts = textsOf(list);
    const stop = Math.min(linkAt + STRIDE, list.length);
    for (; linkAt < stop; linkAt += 1) {
      const link = list[linkAt];
      if (link === undefined) break;
      const oldest = best[reach - 1];
      if (oldest !== undefined && isNewer(oldest, link)) {
        linkAt = list.length;
        break;
      }
      const own = texts[linkAt] ?? textOf(link);
      texts[linkAt] = own;
      if (!leaves(link)) continue;
      const text = link.link_tags?.length ? [own, ...tagsOf(link)].join('\n') : own;
      if (text.includes(words.whole)) best = keepNewest(best, link, reach);
      else if (byWords) {
        const rank = rankText(text, words, placeNames.get(link.category_id) ?? '');
        if (rank === 2) second = keepNewest(second, link, reach);
        else if (rank === 1) third = keepNewest(third, link, reach);
      }
    }
    if (linkAt < list.length) return;
    listAt += 1;
    linkAt = 0;
  };

  return {
    run: (until) => {
      while (listAt < lists.length) {
        advance();
        if (performance.now() >= until) break;
      }
      return listAt >= lists.length;
    },
    hits: () => {
      const ranked = [best, second, third].flatMap((links, at) =>
        links.map((link) => ({ link, rank: 3 - at })),
      );
      const meant = words.whole === '' ? [] : ranked.splice(0, MEANT);
      const ordered = orderByMeaning(meant, words, isFavorite);
      return [...ordered, ...ranked.map(({ link }) => link)].slice(0, limit);
    },
  };
}

/** As `private.order_by_meaning` in the database orders them. */
function orderByMeaning(
  ranked: readonly { readonly link: Link; readonly rank: number }[],
  words: SearchWords,
  isFavorite: (linkId: string) => boolean,
): readonly Link[] {
  return ranked
    .map(({ link, rank }) => ({
      link,
      rank,
      meaning: readMeaning({ title: foldText(link.title), url: foldText(link.url) }, words, rank),
      star: isFavorite(link.id) ? 1 : 0,
    }))
    .toSorted((one, other) => other.rank - one.rank || other.meaning - one.meaning || other.star - one.star)
    .map(({ link }) => link);
}

function textsOf(list: readonly Link[]): string[] {
  let texts = textsOfLists.get(list);
  if (texts === undefined) {
    texts = [];
    textsOfLists.set(list, texts);
  }
  return texts;
}

/** As the database keeps it: a line for each field, so that no term matches across two. */
function textOf({ title, url, description }: Link): string {
  return [title, url, description ?? ''].map(foldText).join('\n');
}

function isNewer(one: Link, other: Link): boolean {
  return one.created_at === other.created_at ? one.id > other.id : one.created_at > other.created_at;
}

function keepNewest(best: readonly Link[], link: Link, limit: number): Link[] {
  if (best.some(({ id }) => id === link.id)) return [...best];
  const at = best.findIndex((other) => isNewer(link, other));
  return best.toSpliced(at === -1 ? best.length : at, 0, link).slice(0, limit);
}
