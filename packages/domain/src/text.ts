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
