// Postgres text has no NUL; every other control character but tab and line breaks is invisible noise of a bad paste.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const UNSTORABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
const LINE_BREAKS = /[\t\n\r\u2028\u2029]+/g;

/** Makes a typed text storable: well-formed Unicode without control characters, trimmed. Line breaks stay. */
export function cleanText(raw: string): string {
  return raw.toWellFormed().replace(UNSTORABLE, '').trim();
}

/** As cleanText, on one line: for names and titles. */
export function cleanLine(raw: string): string {
  return cleanText(raw.replace(LINE_BREAKS, ' '));
}

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

/**
 * Counts Unicode code points, so that the counter on the screen and Postgres `char_length` agree:
 * '👍' is one although JavaScript stores two units, and '👨‍👩‍👧' is five because it is five code points joined.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Cuts to `max` code points, never through what a reader sees as one character: '👨‍👩‍👧' stays whole or goes. Only where the
 * first one alone is longer than `max` is it cut at all.
 */
export function truncateCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  // Some more than `max` code points can take, so that the one at the limit is seen whole.
  const head = text.slice(0, 2 * max + 64);
  // Below the combining marks each unit is a character: most texts need no segmentation.
  if (!/[\u0300-\uFFFF]/.test(head)) return text.slice(0, max);
  let count = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(head)) {
    count += countCharacters(segment);
    if (count > max) break;
    kept += segment;
  }
  return kept === '' ? [...head].slice(0, max).join('') : kept;
}
