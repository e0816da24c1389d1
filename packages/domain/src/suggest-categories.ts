import { foldText } from './fold-text.ts';

/** The categories of one folder, to choose from. */
interface PlaceGroup {
  readonly folderName: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
}

/** A link of the library, as far as suggestions look at it. */
export interface KnownLink {
  readonly url: string;
  readonly title: string;
  readonly category_id: string;
}

interface SuggestionSources {
  readonly groups: readonly PlaceGroup[];
  /** Links that are in a place already. */
  readonly known: readonly KnownLink[];
  /** Categories used last, the latest first. */
  readonly recentIds: readonly string[];
  /** Where the link is now; null for one that is nowhere yet. */
  readonly closedId: string | null;
}

/** How many places are suggested: as many as keys. */
export const MOST_SUGGESTIONS = 5;

// A place's own name says most; then where else of the same site links are; then words that links there share with this one.
const NAME_WEIGHT = 6;
const HOST_WEIGHT = 3;
const WORD_WEIGHT = 1;
/** Links of a category that count, of each kind: a large category must not win by its size alone. */
const MOST_COUNTED = 5;

/** Words that stand in any title. */
const EMPTY_WORDS = new Set(
  'para como com uma que the and for from with dos das nos nas por sobre seu sua mais'.split(' '),
);

/**
 * The categories that a link fits, best first: by the names of categories and folders, by the places of other links of its site, and by
 * the words of their titles. Filled up with those used last, then with the others.
 * @returns ids, at most MOST_SUGGESTIONS.
 */
export function suggestCategories(
  link: Pick<KnownLink, 'url' | 'title'>,
  { groups, known, recentIds, closedId }: SuggestionSources,
): readonly string[] {
  const host = hostOf(link.url);
  const words = new Set([...wordsOf(link.title), ...(host?.split('.') ?? [])]);
  const inside = Map.groupBy(known, ({ category_id }) => category_id);
  const places = groups.flatMap(({ folderName, categories }) =>
    categories
      .filter(({ id }) => id !== closedId)
      .map(({ id, name }) => {
        const links = inside.get(id) ?? [];
        const ofHost = host === null ? 0 : links.filter(({ url }) => hostOf(url) === host).length;
        const shared = links.filter(({ title }) => wordsOf(title).some((word) => words.has(word))).length;
        const named = wordsOf(`${name} ${folderName}`).some((word) => words.has(word));
        const score =
          (named ? NAME_WEIGHT : 0) +
          HOST_WEIGHT * Math.min(ofHost, MOST_COUNTED) +
          WORD_WEIGHT * Math.min(shared, MOST_COUNTED);
        return { id, score, recency: rank(recentIds, id) };
      }),
  );
  return places
    .toSorted((a, b) => b.score - a.score || a.recency - b.recency)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ id }) => id);
}

function rank(recentIds: readonly string[], id: string): number {
  const at = recentIds.indexOf(id);
  return at < 0 ? recentIds.length : at;
}

function wordsOf(text: string): readonly string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
}

function hostOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, '') ?? null;
}
