import type { ChangeFeed, FeedListener, RowChange } from '../../feed/change-feed.ts';

export type FakeFeed = ChangeFeed & {
  /** What the database's log would bring: one transaction with these changes. */
  commit(changes: readonly Omit<RowChange, 'committedAt' | 'commitLsn'>[]): void;
  breakOff(reason: string): void;
  setLive(isLive: boolean): void;
};

export const COMMITTED_AT = new Date('2026-11-21T20:00:00.123Z');

export function createFakeFeed(): FakeFeed {
  const listeners = new Set<FeedListener>();
  const waiting = new Set<() => void>();
  let live = true;
  let lsn = 1n;
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isLive: () => live,
    whenLive: (patienceMs) =>
      live
        ? Promise.resolve()
        : new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error('not live')), patienceMs);
            waiting.add(() => {
              clearTimeout(timer);
              resolve();
            });
          }),
    stop: async () => listeners.clear(),
    commit(changes) {
      lsn += 1n;
      for (const listener of listeners) {
        for (const change of changes)
          listener.change?.({ ...change, committedAt: COMMITTED_AT, commitLsn: lsn });
        listener.commit?.(lsn);
      }
    },
    breakOff(reason) {
      for (const listener of listeners) listener.gap?.(reason);
    },
    setLive(isLive) {
      live = isLive;
      if (live) for (const resolve of waiting) resolve();
    },
  };
}
