import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed } from './change-feed.ts';
import { createAudience } from './create-audience.ts';
import { createLogReader } from './create-log-reader.ts';
import type { FeedFigures } from './feed-figures.ts';
import { keepSessionOpen } from './keep-session-open.ts';
import { openFeedSession } from './open-feed-session.ts';
import { watchBacklog } from './watch-backlog.ts';

export type ChangeFeedOptions = {
  /** As a role that may replicate. */
  readonly connection: pg.ClientConfig;
  /** What to hear, as far as it exists when the connection is opened. */
  readonly publications: readonly string[];
  readonly db: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly limits?: Partial<FeedLimits>;
};

export type FeedLimits = {
  /** A feed that nobody listens to is closed after this long. */
  readonly lingerMs: number;
  /** Unread log that Postgres may keep for us. */
  readonly maxBacklogBytes: number;
  readonly backlogEveryMs: number;
  readonly silenceMs: number;
};

export type MeasuredChangeFeed = ChangeFeed & { figures(): FeedFigures };

const LIMITS: FeedLimits = {
  lingerMs: 60_000,
  // Half of what the embedded Postgres keeps before it gives the slot up by itself.
  maxBacklogBytes: 256 * 1024 * 1024,
  backlogEveryMs: 10_000,
  silenceMs: 15_000,
};

/** In the words of the hosted platform; the log has the reason. */
const NOT_LIVE = 'Realtime was unable to connect to the project database';

/**
 * Reads the database's log through a temporary slot. The connection is opened when somebody listens or waits, opened again
 * when it is lost, and closed when nobody has listened for a minute.
 */
export function createChangeFeed(options: ChangeFeedOptions): MeasuredChangeFeed {
  const { connection, publications, db, logger, now } = options;
  const limits = { ...LIMITS, ...options.limits };
  const audience = createAudience(logger);
  const waiting = new Set<{ live(): void; fail(): void }>();
  let gaps = 0;
  let connections = 0;
  let resting: NodeJS.Timeout | undefined;

  const gap = (reason: string) => {
    gaps += 1;
    audience.gap(reason);
  };
  const reader = createLogReader({ ...audience, gap }, now);
  const keeper = keepSessionOpen({
    open: (onLive) =>
      openFeedSession({
        connection,
        publications,
        onLive,
        onMessage: reader.hear,
        silenceMs: limits.silenceMs,
      }),
    isWanted: () => audience.size() > 0 || waiting.size > 0,
    onLive(missedBy) {
      connections += 1;
      for (const waiter of waiting) waiter.live();
      if (missedBy !== undefined) gap(missedBy);
    },
    logger,
    now,
  });
  const backlog = watchBacklog({
    db,
    session: keeper.session,
    maxBytes: limits.maxBacklogBytes,
    everyMs: limits.backlogEveryMs,
  });

  function restLater(): void {
    if (audience.size() > 0 || waiting.size > 0) return;
    resting ??= setTimeout(() => void keeper.rest(), limits.lingerMs).unref();
  }
  function wake(): void {
    clearTimeout(resting);
    resting = undefined;
    keeper.start();
  }

  return {
    listen(listener) {
      const leave = audience.add(listener);
      wake();
      return () => {
        leave();
        restLater();
      };
    },
    isLive: keeper.isLive,
    whenLive(patienceMs) {
      if (keeper.isLive()) return Promise.resolve();
      return new Promise((resolve, reject) => {
        const settle = (then: () => void) => () => {
          clearTimeout(timer);
          waiting.delete(waiter);
          restLater();
          then();
        };
        const waiter = { live: settle(resolve), fail: settle(() => reject(new Error(NOT_LIVE))) };
        const timer = setTimeout(waiter.fail, patienceMs);
        waiting.add(waiter);
        wake();
      });
    },
    async stop() {
      clearTimeout(resting);
      backlog.stop();
      for (const waiter of waiting) waiter.fail();
      await keeper.stop();
    },
    figures: () => ({
      live: keeper.isLive(),
      gaps,
      connections,
      lagBytes: backlog.bytes(),
      ...reader.counts(),
    }),
  };
}
