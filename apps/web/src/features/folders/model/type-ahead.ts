/** Letters typed in one breath spell one name. Milliseconds. */
const BREATH_MS = 700;

/** What has been typed to find a row, and when last. */
export interface TypeAhead {
  readonly text: string;
  readonly at: number;
}

/**
 * Adds a key to what is being typed.
 * @param now milliseconds.
 * @returns null for a key that writes nothing, and for a space that begins nothing: that one opens a row.
 */
export function extendTypeAhead(before: TypeAhead | null, key: string, now: number): TypeAhead | null {
  if ([...key].length !== 1) return null;
  const going = before !== null && now - before.at < BREATH_MS;
  if (key === ' ' && !going) return null;
  return { text: going ? before.text + key : key, at: now };
}
