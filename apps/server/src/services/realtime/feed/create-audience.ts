import type { Logger } from 'pino';
import type { FeedListener, RowChange } from './change-feed.ts';

export type Audience = Required<FeedListener> & {
  /** @returns the way to leave. */
  add(listener: FeedListener): () => void;
  size(): number;
  /** How many gaps were told. */
  gaps(): number;
};

/** All listeners as one. One that throws is logged and spoils nothing for the others. */
export function createAudience(logger: Pick<Logger, 'error'>): Audience {
  // A seat each: the same listener may come twice.
  let gaps = 0;
  const seats = new Set<{ readonly listener: FeedListener }>();

  function tell(say: (listener: FeedListener) => void): void {
    for (const { listener } of seats) {
      try {
        say(listener);
      } catch (error) {
        logger.error({ err: error }, 'a listener of the change feed failed');
      }
    }
  }

  return {
    add(listener) {
      const seat = { listener };
      seats.add(seat);
      return () => void seats.delete(seat);
    },
    size: () => seats.size,
    gaps: () => gaps,
    change: (change: RowChange) => tell((listener) => listener.change?.(change)),
    message: (prefix, content) => tell((listener) => listener.message?.(prefix, content)),
    commit: (commitLsn) => tell((listener) => listener.commit?.(commitLsn)),
    gap(reason) {
      gaps += 1;
      tell((listener) => listener.gap?.(reason));
    },
  };
}
