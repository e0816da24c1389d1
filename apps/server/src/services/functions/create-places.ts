export type Places = {
  /**
   * Takes a place when there is one; the result, called once, gives it back.
   * @param holder who takes it; undefined for the operator, who has no share.
   * @throws what `refuse` makes when the queue is full, or the holder's part of it.
   */
  enter(holder: string | undefined): Promise<() => void>;
  /** As `enter`, without waiting: undefined when there is no place now. */
  tryEnter(holder: string | undefined): (() => void) | undefined;
};

type Waiting = { readonly holder: string | undefined; readonly go: () => void };

/**
 * Lets `atOnce` calls run and `waiting` more queue up behind them, in the order they came. Nobody holds more than half of
 * either, so one caller alone never shuts the others out.
 */
export function createPlaces(
  { atOnce, waiting }: { readonly atOnce: number; readonly waiting: number },
  refuse: () => Error,
): Places {
  const most = { running: Math.max(1, Math.floor(atOnce / 2)), waiting: Math.ceil(waiting / 2) };
  const running = new Map<string, number>();
  const queue: Waiting[] = [];
  let free = atOnce;

  const mayRun = (holder: string | undefined) =>
    free > 0 && (holder === undefined || (running.get(holder) ?? 0) < most.running);

  function take(holder: string | undefined): () => void {
    free -= 1;
    if (holder !== undefined) running.set(holder, (running.get(holder) ?? 0) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      free += 1;
      if (holder !== undefined) giveBack(holder);
      const next = queue.findIndex((call) => mayRun(call.holder));
      if (next !== -1) queue.splice(next, 1)[0]?.go();
    };
  }

  function giveBack(holder: string): void {
    const left = (running.get(holder) ?? 1) - 1;
    if (left > 0) running.set(holder, left);
    else running.delete(holder);
  }

  const tryEnter = (holder: string | undefined) => (mayRun(holder) ? take(holder) : undefined);

  return {
    tryEnter,
    async enter(holder) {
      const entered = tryEnter(holder);
      if (entered) return entered;
      const own = holder === undefined ? 0 : queue.filter((call) => call.holder === holder).length;
      if (queue.length >= waiting || own >= most.waiting) throw refuse();
      // Taken in the moment it becomes free, so a newcomer cannot overtake.
      return await new Promise((resolve) => queue.push({ holder, go: () => resolve(take(holder)) }));
    },
  };
}
