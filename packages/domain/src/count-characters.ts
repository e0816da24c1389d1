/**
 * Counts Unicode code points, so that the counter on the screen and Postgres `char_length` agree:
 * '👍' is one although JavaScript stores two units, and '👨‍👩‍👧' is five because it is five code points joined.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Cuts to `max` code points, never through the middle of one. */
export function truncateCharacters(text: string, max: number): string {
  if (text.length <= max) return text;
  let count = 0;
  let end = 0;
  for (const character of text) {
    if (count === max) break;
    count += 1;
    end += character.length;
  }
  return text.slice(0, end);
}
