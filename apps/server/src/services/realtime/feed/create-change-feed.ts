import type pg from 'pg';
import type { Logger } from 'pino';
import type { Database } from '../../../kernel/database.ts';
import type { ChangeFeed } from './change-feed.ts';
import { createAudience } from './create-audience.ts';
import { createLogReader } from './create-log-reader.ts';
import { createWaitingList } from './create-waiting-list.ts';
import type { FeedFigures } from './feed-figures.ts';
import { FEED_LIMITS, type FeedLimits } from './feed-limits.ts';
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

export type MeasuredChangeFeed = ChangeFeed & { figures(): FeedFigures };

/**
 * Reads the database's log through a temporary slot. The connection is opened when somebody listens or waits, opened again
 * when it is lost, and closed when nobody has listened for a minute.
 */
export function createChangeFeed(options: ChangeFeedOptions): MeasuredChangeFeed {
  const { connection, publications, logger, now } = options;
  const limits = { ...FEED_LIMITS, ...options.limits };
  const audience = createAudience(logger);
  const waiting = createWaitingList(() => keeper.reconsider());
  const reader = createLogReader(audience, now);
  const keeper = keepSessionOpen({
    ...limits,
    open: (onLive) =>
      openFeedSession({ ...limits, connection, publications, onLive, onMessage: reader.hear }),
    isWanted: () => audience.size() > 0 || waiting.size() > 0,
    onLive(missedBy) {
      waiting.live();
      if (missedBy !== undefined) audience.gap(missedBy);
    },
    logger,
    now,
  });
  const backlog = watchBacklog({ ...limits, db: options.db, session: keeper.session });

  return {
    listen(listener) {
      const leave = audience.add(listener);
      keeper.reconsider();
      return () => {
        leave();
        keeper.reconsider();
      };
    },
    isLive: keeper.isLive,
    async whenLive(patienceMs) {
      if (keeper.isLive()) return;
      const live = waiting.wait(keeper.isStopped() ? 0 : patienceMs);
      keeper.reconsider();
      await live;
    },
    async stop() {
      backlog.stop();
      const stopped = keeper.stop();
      waiting.fail();
      await stopped;
    },
    figures: () => ({
      live: keeper.isLive(),
      connections: keeper.connections(),
      gaps: audience.gaps(),
      lagBytes: backlog.bytes(),
      ...reader.counts(),
    }),
  };
}
