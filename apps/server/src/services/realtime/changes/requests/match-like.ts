/** Longer work than this (characters times pattern) is left to the database, where it holds up nobody else. */
const MAX_WORK = 50_000;

/** A pattern of LIKE: characters, `%` for any number of them, `_` for one; a backslash takes the next one as it is. */
type Pattern = readonly { readonly kind: 'any' | 'one' | 'exactly'; readonly character: string }[];

/** @returns undefined for a pattern that ends with its escape character, which Postgres refuses. */
export function parseLikePattern(text: string): Pattern | undefined {
  const pattern: { kind: 'any' | 'one' | 'exactly'; character: string }[] = [];
  let isEscaped = false;
  for (const character of text) {
    if (isEscaped) pattern.push({ kind: 'exactly', character });
    else if (character === '%') pattern.push({ kind: 'any', character });
    else if (character === '_') pattern.push({ kind: 'one', character });
    else if (character !== '\\') pattern.push({ kind: 'exactly', character });
    isEscaped = !isEscaped && character === '\\';
  }
  return isEscaped ? undefined : pattern;
}

/** As `value like pattern`; undefined when that would take too long here. */
export function matchLike(pattern: Pattern, value: string): boolean | undefined {
  if (value.length * pattern.length > MAX_WORK) return undefined;
  const characters = [...value];
  let at = 0;
  let next = 0;
  // Where to come back to when what follows the last `%` did not fit: it then swallows one character more.
  let lastAny = -1;
  let swallowed = 0;
  while (at < characters.length) {
    const part = pattern[next];
    if (part?.kind === 'any') {
      lastAny = next;
      swallowed = at;
      next += 1;
    } else if (part && (part.kind === 'one' || part.character === characters[at])) {
      at += 1;
      next += 1;
    } else if (lastAny >= 0) {
      swallowed += 1;
      at = swallowed;
      next = lastAny + 1;
    } else return false;
  }
  return pattern.slice(next).every(({ kind }) => kind === 'any');
}
