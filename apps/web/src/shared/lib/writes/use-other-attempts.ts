import { useCallback, useRef } from 'react';

/**
 * Remembers what was sent under client-made ids. Where a row is there already, an earlier attempt arrived although its answer was lost: it may
 * say what the form said then.
 * @param sentId an id that was sent before, nobody knows with what.
 * @returns a function that is told of each attempt, and says whether another one under its id said something else.
 */
export function useOtherAttempts(sentId?: string): (id: string, row: object) => boolean {
  const attempts = useRef(new Map(sentId === undefined ? [] : [[sentId, new Set([''])]]));
  return useCallback((id, row) => {
    const sent = attempts.current.get(id) ?? new Set();
    attempts.current.set(id, sent.add(JSON.stringify(row)));
    return sent.size > 1;
  }, []);
}
