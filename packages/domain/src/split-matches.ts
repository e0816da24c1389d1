import { foldTerm, foldText } from './fold-text.ts';
import { readSearchWords } from './search-words.ts';

const NOT_ASCII = /[^\0-\u007f]/u;

export interface TextPart {
  readonly text: string;
  readonly matched: boolean;
}

/**
 * Splits a text around every place where one of the terms occurs, ignoring case and accents, for highlighting.
 * The parts joined give the text back, and no visible character (an emoji of many) is cut in two.
 */
export function splitMatches(text: string, terms: readonly string[]): readonly TextPart[] {
  const plain = foldText(text);
  const needles = terms.map(foldTerm).filter((needle) => needle !== '' && plain.includes(needle));
  if (needles.length === 0) return [{ text, matched: false }];
  const { folded, origins } = foldWithOrigins(text);
  const widen = widenToCharacters(text);
  const parts: TextPart[] = [];
  let shown = 0;
  for (const [at, after] of findRanges(folded, needles)) {
    const [from, end] = widen(origins[at] ?? text.length, origins[after] ?? text.length);
    const start = Math.max(from, shown);
    if (end > start) {
      if (start > shown) parts.push({ text: text.slice(shown, start), matched: false });
      parts.push({ text: text.slice(start, end), matched: true });
      shown = end;
    }
  }
  if (shown < text.length) parts.push({ text: text.slice(shown), matched: false });
  return parts;
}

/** Splits a text that was found: around the whole of what was typed where it occurs, else around its words. */
export function splitFound(text: string, term: string): readonly TextPart[] {
  const words = readSearchWords(term);
  return splitMatches(text, foldText(text).includes(words.whole) ? [words.whole] : words.wanted);
}

/** Where the needles occur, from left to right: [from, to) of each. */
function findRanges(folded: string, needles: readonly string[]): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (const needle of needles)
    for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + needle.length))
      ranges.push([at, at + needle.length]);
  return ranges.sort((one, other) => one[0] - other[0]);
}

/** For each unit of the folded text, where in the original it came from; one more entry marks the end. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  const origins: number[] = [];
  let folded = '';
  for (const { 0: piece, index } of text.matchAll(/[ \n\r\t]+|./gsu)) {
    const form = foldText(piece);
    for (let unit = 0; unit < form.length; unit += 1) origins.push(index);
    folded += form;
  }
  origins.push(text.length);
  return { folded, origins };
}

/** Moves the ends of a match outwards to where a reader sees characters begin and end. */
function widenToCharacters(text: string): (start: number, end: number) => readonly [number, number] {
  if (text.search(NOT_ASCII) === -1) return (start, end) => [start, end];
  const characters = new Intl.Segmenter().segment(text);
  return (start, end) => {
    const last = end < text.length ? characters.containing(end) : undefined;
    const whole = last && last.index < end ? last.index + last.segment.length : end;
    return [characters.containing(start)?.index ?? start, whole];
  };
}
