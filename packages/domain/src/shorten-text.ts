import { countCharacters, truncateCharacters } from './text.ts';

/** A word that begins before this part of the text is cut: else one very long word would leave next to nothing. */
const SHORTEST = 0.4;

/** Cuts to `max` code points, the last of them '…', between two words where one ends near. Texts that fit stay as they are. */
export function shortenText(text: string, max: number): string {
  if (countCharacters(text) <= max) return text;
  const cut = truncateCharacters(text, max - 1);
  const isBetweenWords = /^\s/.test(text.slice(cut.length));
  const lastSpace = isBetweenWords ? cut.length : cut.search(/\s\S*$/);
  const kept = lastSpace > cut.length * SHORTEST ? cut.slice(0, lastSpace) : cut;
  return `${kept.trimEnd()}…`;
}

/** As shortenText, but keeps beginning and end: 'Projetos antigos … de 2023'. */
export function shortenMiddle(text: string, max: number): string {
  if (countCharacters(text) <= max) return text;
  const room = max - MIDDLE.length;
  const tail = keepEnd(text, Math.floor(room / 2));
  const head = shortenText(text, room - countCharacters(tail) + 1).slice(0, -1);
  return `${head}${MIDDLE}${tail}`;
}

const MIDDLE = ' … ';

function keepEnd(text: string, max: number): string {
  // More than enough of the end for `max` code points, however they are joined.
  const segments = [...new Intl.Segmenter().segment(text.slice(-8 * max))].map(({ segment }) => segment);
  let count = 0;
  let start = segments.length;
  while (start > 1 && count + countCharacters(segments[start - 1] ?? '') <= max) {
    start -= 1;
    count += countCharacters(segments[start] ?? '');
  }
  const tail = segments.slice(start).join('');
  const isBetweenWords = /\s/.test(segments[start - 1] ?? '');
  return (isBetweenWords ? tail : tail.slice(tail.search(/\s/) + 1)).trimStart();
}
