import leven from 'leven';

/** How near a name must be to be offered as "perhaps you meant". */
export const NEAR = 0.75;

/** The candidate most similar to `name` (Levenshtein distance over length), if any reaches `minimum`. */
export function findClosestName(
  name: string,
  candidates: Iterable<string>,
  minimum: number,
): string | undefined {
  let best: string | undefined;
  let bestScore = minimum;
  const wanted = name.toLowerCase().slice(0, MAX_LENGTH);
  for (const candidate of candidates) {
    const score = similarity(wanted, candidate.toLowerCase().slice(0, MAX_LENGTH));
    if (score >= bestScore && (best === undefined || score > bestScore)) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Postgres names have 63 bytes; a list of parameters may be longer, and hostile names much longer. */
const MAX_LENGTH = 200;

/** Of two empty names it is no number, which is near to nothing. */
function similarity(a: string, b: string): number {
  return 1 - leven(a, b) / Math.max(a.length, b.length);
}
