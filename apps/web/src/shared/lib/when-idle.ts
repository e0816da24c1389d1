/** When the page's own code had arrived, in milliseconds after the page was asked for. */
const codeArrived = performance.now();
/** A page whose code took that long takes a few times as long to show its data: until then it is only waiting, not idle. */
const SETTLING_TIMES = 4;
const LONGEST_SETTLING_MS = 8_000;

/**
 * Runs a task when the page stands and the browser has nothing better to do (Safari, which cannot tell: after a second).
 * Returns its cancel.
 */
export function whenIdle(task: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(task, 1000);
    return () => clearTimeout(timer);
  }
  let handle: number | undefined;
  const settled = Math.min(codeArrived * SETTLING_TIMES, LONGEST_SETTLING_MS);
  const timer = setTimeout(
    () => {
      handle = window.requestIdleCallback(task);
    },
    Math.max(0, settled - performance.now()),
  );
  return () => {
    clearTimeout(timer);
    if (handle !== undefined) window.cancelIdleCallback(handle);
  };
}
