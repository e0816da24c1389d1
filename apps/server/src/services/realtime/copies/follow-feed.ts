import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChangeFeed } from '../feed/change-feed.ts';

export type FollowedFeed = { start(): void; stop(): void };

export type FollowedFeedOptions = {
  readonly feed: ChangeFeed;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onMessage: (prefix: string, content: Buffer) => void;
  /** Everything emitted from now on is heard; what was emitted before may be lost. */
  readonly onLive: () => void;
};

const PATIENCE_MS = 30_000;
const RETRY_MS = 1_000;

/** Listens to the feed between `start` and `stop`, and tells when it is live: the first time, and after every gap. */
export function followFeed({ feed, logger, onMessage, onLive }: FollowedFeedOptions): FollowedFeed {
  let leave: (() => void) | undefined;
  let isWaiting = false;
  let hasComplained = false;

  async function waitUntilLive(): Promise<void> {
    if (isWaiting) return;
    isWaiting = true;
    while (leave !== undefined) {
      try {
        await feed.whenLive(PATIENCE_MS);
        hasComplained = false;
        break;
      } catch (err) {
        if (!hasComplained) logger.warn({ err }, 'the other copies of the server cannot be heard');
        hasComplained = true;
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
    }
    isWaiting = false;
    if (leave !== undefined) onLive();
  }

  return {
    start() {
      if (leave !== undefined) return;
      leave = feed.listen({ message: onMessage, gap: () => void waitUntilLive() });
      void waitUntilLive();
    },
    stop() {
      leave?.();
      leave = undefined;
    },
  };
}
