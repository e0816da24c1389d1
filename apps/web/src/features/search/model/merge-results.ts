import type { SearchResult } from '@linkoteca/domain/entities';

/**
 * Completes what the browser found by what the service answered. What is on the screen keeps its place; the rest follows.
 * @param answer the service's, newest first; null while it is on its way.
 * @param limit results shown, and results the service was asked for: an answer with fewer names every match, so what it
 * does not name has gone or changed elsewhere.
 */
export function mergeResults(
  held: readonly SearchResult[],
  answer: readonly SearchResult[] | null,
  limit: number,
): readonly SearchResult[] {
  if (answer === null) return held.slice(0, limit);
  const complete = answer.length < limit;
  const answered = new Map(answer.map((result) => [result.id, result]));
  const kept = held.flatMap((result) => answered.get(result.id) ?? (complete ? [] : result));
  const shown = new Set(kept.map(({ id }) => id));
  return [...kept, ...answer.filter(({ id }) => !shown.has(id))].slice(0, limit);
}
