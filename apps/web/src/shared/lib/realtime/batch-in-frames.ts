/** Gathers what arrives fast and hands it over together. */
export interface FrameBatch<Item> {
  readonly add: (item: Item) => void;
  /** Hands over what is waiting, now. */
  readonly flush: () => void;
  readonly stop: () => void;
}

/** At most so often, however much arrives: a burst of a thousand costs the screen ten renders a second. Milliseconds. */
const REST_MS = 100;
/** A hidden page draws no frames, and must not gather for ever. Milliseconds. */
const HIDDEN_MS = 250;

/** The first item is handed over with the next frame, those of a burst together. */
export function batchInFrames<Item>(handOver: (items: readonly Item[]) => void): FrameBatch<Item> {
  let waiting: Item[] = [];
  let restUntil = 0;
  let cancel: (() => void) | null = null;

  const flush = () => {
    cancel?.();
    cancel = null;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    restUntil = performance.now() + REST_MS;
    handOver(items);
  };
  return {
    add: (item) => {
      waiting.push(item);
      cancel ??= schedule(flush, Math.max(0, restUntil - performance.now()));
    },
    flush,
    stop: () => {
      cancel?.();
      cancel = null;
      waiting = [];
    },
  };
}

/** Runs in the first frame after a delay; soon after it where no frames are drawn. */
function schedule(run: () => void, delayMs: number): () => void {
  let frame = 0;
  const wait = setTimeout(() => {
    frame = requestAnimationFrame(run);
  }, delayMs);
  const fallback = setTimeout(run, delayMs + HIDDEN_MS);
  return () => {
    clearTimeout(wait);
    clearTimeout(fallback);
    cancelAnimationFrame(frame);
  };
}
