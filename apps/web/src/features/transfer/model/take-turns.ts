/** Milliseconds of work after which the page gets its turn: half a frame. */
const TURN_MS = 8;

/**
 * Work in slices between which the page answers and paints.
 * @returns called between slices: gives the page its turn when it is due, and ends the work when it was cancelled.
 */
export function takeTurns(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
}
