export type WaitingList = {
  /** Resolves at the next `live`; rejects at `fail`, or when that does not come within `patienceMs`. */
  wait(patienceMs: number): Promise<void>;
  live(): void;
  fail(): void;
  size(): number;
};

/** In the words of the hosted platform: clients read it. The reason is in the log. */
const NOT_LIVE = 'Realtime was unable to connect to the project database';

/** Those who wait for the feed to be live. @param onEmpty the last one has gone. */
export function createWaitingList(onEmpty: () => void): WaitingList {
  const waiting = new Set<{ live(): void; fail(): void }>();
  return {
    wait: (patienceMs) =>
      new Promise((resolve, reject) => {
        const settle = (then: () => void) => () => {
          clearTimeout(timer);
          waiting.delete(waiter);
          then();
          if (waiting.size === 0) onEmpty();
        };
        const waiter = { live: settle(resolve), fail: settle(() => reject(new Error(NOT_LIVE))) };
        const timer = setTimeout(waiter.fail, patienceMs);
        waiting.add(waiter);
      }),
    live() {
      for (const waiter of [...waiting]) waiter.live();
    },
    fail() {
      for (const waiter of [...waiting]) waiter.fail();
    },
    size: () => waiting.size,
  };
}
