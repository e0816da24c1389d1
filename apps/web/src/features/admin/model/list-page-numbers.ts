/** A gap in a row of page numbers. */
export const GAP = 'gap';

/**
 * The page numbers to offer: the first, the last, and those around the current one; a gap where several are left out.
 * @param page the current one, from 1. @param count how many pages there are, at least 1.
 */
export function listPageNumbers(page: number, count: number): readonly (number | typeof GAP)[] {
  const wanted = [1, 2, page - 1, page, page + 1, count - 1, count].filter(
    (each) => each >= 1 && each <= count,
  );
  // With few pages none is worth leaving out.
  const kept = count <= 7 ? Array.from({ length: count }, (_, index) => index + 1) : [...new Set(wanted)];
  const sorted = kept.toSorted((a, b) => a - b);
  return sorted.flatMap((each, index) => {
    const before = sorted[index - 1] ?? 0;
    return each - before > 1 ? [GAP, each] : [each];
  });
}
