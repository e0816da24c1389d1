/** Runs a task when its turn comes. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Lets `atOnce` tasks run and `waiting` more queue up behind them, in the order they came.
 * @param refuse makes the error for a task that finds the queue full.
 */
export function createGate(atOnce: number, waiting: number, refuse: () => Error): Gate {
  let running = 0;
  const queue: (() => void)[] = [];

  return async (task) => {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else throw refuse();
    try {
      return await task();
    } finally {
      // The place goes straight to the next in the queue, so a newcomer cannot overtake it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
