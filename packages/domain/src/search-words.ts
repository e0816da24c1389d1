import { foldTerm } from './fold-text.ts';

export interface SearchWords {
  /** The whole of what was typed, folded; '' when there is nothing to look for. What contains it comes first. */
  readonly whole: string;
  /** Folded words that must all occur, in any order; the longest first, none that lies in another. */
  readonly wanted: readonly string[];
  /** Folded words that must not occur. */
  readonly unwanted: readonly string[];
}

/** More words than anybody remembers; those beyond are not looked at. */
const MOST = 32;

/** A quotation, which may still lack its end, or a run without blanks; a hyphen before either says 'without'. */
const TOKEN = /(-?)"([^"]*)"?|(-*)([^ "-][^ ]*)/g;

/**
 * What a search asks for, word by word: words between quotation marks stay together, a word after a hyphen must not occur.
 * The twin of `private.search_words` in the database.
 */
export function readSearchWords(term: string): SearchWords {
  const whole = foldTerm(term);
  const wanted = new Set<string>();
  const unwanted = new Set<string>();
  for (const [, minus, quoted, hyphens, plain] of [...whole.slice(0, 4000).matchAll(TOKEN)].slice(0, MOST)) {
    const word = (quoted ?? plain ?? '').replace(/^ +| +$/g, '');
    if (word !== '') (minus || hyphens ? unwanted : wanted).add(word);
  }
  const kept = [...wanted].filter((word) =>
    [...wanted].every((other) => other === word || !other.includes(word)),
  );
  return { whole, wanted: kept.toSorted(byLength), unwanted: [...unwanted] };
}

/** Whether there are other ways to be found than by the whole of what was typed. */
export function hasWords({ whole, wanted }: SearchWords): boolean {
  return wanted.length > 0 && !(wanted.length === 1 && wanted[0] === whole);
}

/**
 * How well a link answers: 3 for the whole of what was typed in its text, 2 for every word, 1 for some of them where the names of
 * its place hold the others, 0 not at all.
 * @param text title, address and description, folded.
 * @param place names of category and folder, folded.
 */
export function rankText(
  text: string,
  { whole, wanted, unwanted }: SearchWords,
  place: string,
): 0 | 1 | 2 | 3 {
  if (text.includes(whole)) return 3;
  if (wanted.length === 0 || unwanted.some((word) => text.includes(word))) return 0;
  const missing = wanted.filter((word) => !text.includes(word));
  if (missing.length === 0) return 2;
  // Its place alone makes no link an answer: the words that name it would bring all of them.
  return missing.length < wanted.length && missing.every((word) => place.includes(word)) ? 1 : 0;
}

function byLength(one: string, other: string): number {
  return [...other].length - [...one].length || (one < other ? -1 : 1);
}
