import type { SearchWords } from './search-words.ts';

/** So many of what is found are ordered by meaning, which is more than anybody reads; the rest follows as it is, newest first. */
export const MEANT = 100;

/** Blanks and signs before which no word goes on. */
const BOUNDARIES = /[([{"'/\-.,:;#@|_]/g;

/** What of a link says what it is, folded; the address whole. */
export interface NamedText {
  readonly title: string;
  readonly url: string;
}

/**
 * How near what is asked for is to what names a link: 3 where the title begins with it, 2 where a word of the title does, 1 where the
 * host holds it, 0 elsewhere. The twin of `private.order_by_meaning` in the database.
 * @param rank how the link was found (rankText): of several words the one that says least counts.
 */
export function readMeaning({ title, url }: NamedText, { whole, wanted }: SearchWords, rank: number): number {
  const spread = ` ${title.replace(BOUNDARIES, ' ')}`;
  const host = /^https?:\/\/(?:[^/?#]*@)?([^/?#:]+)/.exec(url)?.[1] ?? '';
  const meaningOf = (word: string): number => {
    if (title.startsWith(word)) return 3;
    if (spread.includes(` ${word.replace(BOUNDARIES, ' ')}`)) return 2;
    return host.includes(word) ? 1 : 0;
  };
  if (rank === 3) return meaningOf(whole);
  return wanted.length === 0 ? 0 : Math.min(2, ...wanted.map(meaningOf));
}
