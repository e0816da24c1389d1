import leven from 'leven';

/** How near a name must be to be offered as "perhaps you meant". */
export const NEAR = 0.75;

/** Candidates that have a part in common with the name: parts of three letters, and only where none has such, of two. */
const GRAM_SIZES = [3, 2] as const;

/**
 * The candidate most similar to `name` (Levenshtein distance over length), if any reaches `minimum`. Only those count that share some
 * letters in a row with it, as in the fuzzy search that PostgREST uses.
 */
export function findClosestName(
  name: string,
  candidates: Iterable<string>,
  minimum: number,
): string | undefined {
  const wanted = fold(name);
  const known = [...candidates];
  for (const size of GRAM_SIZES) {
    const grams = new Set(listGrams(wanted, size));
    const related = known.filter((candidate) =>
      listGrams(fold(candidate), size).some((gram) => grams.has(gram)),
    );
    const closest = findMostSimilar(wanted, related, minimum);
    if (closest !== undefined) return closest;
  }
  return undefined;
}

function findMostSimilar(wanted: string, candidates: readonly string[], minimum: number): string | undefined {
  let best: string | undefined;
  let bestScore = minimum;
  for (const candidate of candidates) {
    const score = similarity(wanted, fold(candidate));
    if (score >= bestScore && (best === undefined || score > bestScore)) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

function fold(name: string): string {
  return name.toLowerCase().slice(0, MAX_LENGTH);
}

/** All runs of letters, of the ends as well: `-ab-` has `-a`, `ab` and `b-`. */
function listGrams(name: string, size: number): readonly string[] {
  const padded = `-${name.replaceAll(/[^\p{L}\p{N}, ]/gu, '')}-`.padEnd(size, '-');
  return Array.from({ length: padded.length - size + 1 }, (_, at) => padded.slice(at, at + size));
}

/** Postgres names have 63 bytes; a list of parameters may be longer, and hostile names much longer. */
const MAX_LENGTH = 200;

/** Of two empty names it is no number, which is near to nothing. */
function similarity(a: string, b: string): number {
  return 1 - leven(a, b) / Math.max(a.length, b.length);
}
