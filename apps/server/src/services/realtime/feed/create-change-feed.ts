import pg from 'pg';
import type { Logger } from 'pino';
import { asServiceRole, type Database } from '../../../kernel/database.ts';
import {
  type ChangeFeed,
  FEED_LIMITS,
  type FeedFigures,
  type FeedLimits,
  type FeedListener,
  parseWalPosition,
  type RowChange,
} from './change-feed.ts';
import { createCommitGate, parseSnapshot } from './create-commit-gate.ts';
import { createLogReader } from './create-log-reader.ts';
import { keepFeedSession } from './keep-feed-session.ts';
import { type FeedSession, openFeedSession } from './open-feed-session.ts';

export type ChangeFeedOptions = {
  /** As a role that may replicate. */
  readonly connection: pg.ClientConfig;
  /** What to receive, as far as it exists when the connection is opened. */
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
  const listeners = createListeners(logger);
  const waiting = createWaitingList(() => session.reconsider());
  const snapshots = openSnapshots(connection);
  const gate = createCommitGate({ listener: listeners, readSnapshot: snapshots.read });
  const reader = createLogReader(gate, now);
  const session = keepFeedSession({
    ...limits,
    open: (onLive) =>
      openFeedSession({ ...limits, connection, publications, onLive, onMessage: reader.receive }),
    isWanted: () => listeners.size() > 0 || waiting.size() > 0,
    onLive(missedBy) {
      waiting.live();
      if (missedBy !== undefined) gate.gap(missedBy);
    },
    logger,
    now,
  });
  const isLive = () => session.current() !== undefined;
  const backlog = watchBacklog({ ...limits, db: options.db, session: session.current });

  return {
    listen(listener) {
      const leave = listeners.add(listener);
      session.reconsider();
      return () => {
        leave();
        session.reconsider();
      };
    },
    isLive,
    async whenLive(patienceMs) {
      if (isLive()) return;
      const live = waiting.wait(session.isStopped() ? 0 : patienceMs);
      session.reconsider();
      await live;
    },
    async stop() {
      backlog.stop();
      const stopped = session.stop();
      waiting.fail();
      await stopped;
      await snapshots.close();
    },
    figures: () => ({
      live: isLive(),
      connections: session.connections(),
      gaps: listeners.gaps(),
      lagBytes: backlog.bytes(),
      ...reader.counts(),
    }),
  };
}

/** A connection that takes longer to answer than changes may be held back is no help. */
const SNAPSHOT_MS = 500;

/** A connection of the feed's own: requests that wait for theirs hold no change back. */
function openSnapshots(connection: pg.ClientConfig) {
  const pool = new pg.Pool({
    ...connection,
    max: 1,
    connectionTimeoutMillis: SNAPSHOT_MS,
    query_timeout: SNAPSHOT_MS,
    application_name: 'linkoteca change feed, what is readable',
  });
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;
  return {
    async read() {
      const { rows } = await pool.query<{ snapshot: string }>({
        name: 'realtime_snapshot',
        text: 'select pg_current_snapshot()::text as snapshot',
      });
      return parseSnapshot(rows[0]?.snapshot ?? '');
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

type WaitingList = {
  /** Resolves at the next `live`; rejects at `fail`, or when that does not come within `patienceMs`. */
  wait(patienceMs: number): Promise<void>;
  live(): void;
  fail(): void;
  size(): number;
};

/** In the words of the hosted platform: clients read it. The reason is in the log. */
const NOT_LIVE = 'Realtime was unable to connect to the project database';

/** Those who wait for the feed to be live. @param onEmpty the last one has gone. */
function createWaitingList(onEmpty: () => void): WaitingList {
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

type Listeners = Required<FeedListener> & {
  /** @returns the way to leave. */
  add(listener: FeedListener): () => void;
  size(): number;
  /** How many gaps were told. */
  gaps(): number;
};

/** All listeners as one. One that throws is logged and spoils nothing for the others. */
function createListeners(logger: Pick<Logger, 'error'>): Listeners {
  // One object a registration: the same listener may be added twice.
  let gaps = 0;
  const registrations = new Set<{ readonly listener: FeedListener }>();

  function notify(call: (listener: FeedListener) => void): void {
    for (const { listener } of registrations) {
      try {
        call(listener);
      } catch (error) {
        logger.error({ err: error }, 'a listener of the change feed failed');
      }
    }
  }

  return {
    add(listener) {
      const registration = { listener };
      registrations.add(registration);
      return () => void registrations.delete(registration);
    },
    size: () => registrations.size,
    gaps: () => gaps,
    change: (change: RowChange) => notify((listener) => listener.change?.(change)),
    message: (prefix, content) => notify((listener) => listener.message?.(prefix, content)),
    commit: (commitLsn) => notify((listener) => listener.commit?.(commitLsn)),
    gap(reason) {
      gaps += 1;
      notify((listener) => listener.gap?.(reason));
    },
  };
}

type BacklogWatch = {
  /** Log that was written and not yet read, in bytes, when it was last looked at. */
  bytes(): number;
  stop(): void;
};

type BacklogOptions = {
  readonly db: Database;
  readonly session: () => FeedSession | undefined;
} & Pick<FeedLimits, 'maxBacklogBytes' | 'backlogEveryMs'>;

/**
 * Lets go of the log when the reader has fallen too far behind, because Postgres keeps for the reader what it has not
 * confirmed: the session ends and the next one starts at the present. A feed that receives nothing asks nothing.
 */
function watchBacklog(options: BacklogOptions): BacklogWatch {
  let bytes = 0;
  let isLooking = false;

  async function look(): Promise<void> {
    const session = options.session();
    if (isLooking || !session?.wasActive() || session.position() === 0n) return;
    isLooking = true;
    try {
      const written = await readWritten(options.db);
      bytes = Math.max(0, Number(written - session.position()));
      if (bytes > options.maxBacklogBytes)
        await session.close(new Error(`the change feed fell ${bytes} bytes behind`));
    } catch {
      // The database cannot be asked; the session finds that out by itself.
    } finally {
      isLooking = false;
    }
  }

  const timer = setInterval(look, options.backlogEveryMs);
  timer.unref();
  return { bytes: () => bytes, stop: () => clearInterval(timer) };
}

async function readWritten(db: Database): Promise<bigint> {
  const { rows } = await asServiceRole(db, 'measure the change feed', (tx) =>
    tx.query<{ position: string }>({
      name: 'realtime_written_log',
      text: 'select pg_current_wal_lsn()::text as position',
    }),
  );
  return parseWalPosition(rows[0]?.position ?? '0/0');
}
