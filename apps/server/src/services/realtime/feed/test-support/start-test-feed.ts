import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type pg from 'pg';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { createLogger } from '../../../../kernel/create-logger.ts';
import { createDatabase } from '../../../../kernel/database.ts';
import type { ChangeFeed, RowChange } from '../change-feed.ts';
import { type ChangeFeedOptions, createChangeFeed, type MeasuredChangeFeed } from '../create-change-feed.ts';

export type TestFeed = {
  readonly feed: MeasuredChangeFeed;
  /** The cluster's superuser, in a database of the file's own. */
  readonly admin: pg.Pool;
  readonly connection: pg.ClientConfig;
  /** As another copy of the server would have; the test stops it. */
  openCopy(): MeasuredChangeFeed;
  /** A published table of the test's own. */
  createTable(name: string, columns: string, identity?: string): Promise<void>;
  /** Writes down what is received until the test ends. */
  record(): FeedRecord;
  close(): Promise<void>;
};

/** Habits of a role or a database must not show in the values. */
const HABITS =
  '-c timezone=Asia/Tokyo -c datestyle=sql,dmy -c bytea_output=escape -c intervalstyle=sql_standard -c extra_float_digits=-3';

/** A live feed on a migrated database; what it publishes that nobody made is left out. */
export async function startTestFeed(): Promise<TestFeed> {
  const { admin, authenticator, connection, drop } = await createThrowawayDatabase();
  const db = createDatabase({ ...authenticator, max: 2 });
  const openCopy = () =>
    createChangeFeed({
      connection: { ...connection, options: HABITS },
      publications: ['supabase_realtime', 'nobody_made_this'],
      db,
      logger: createLogger('silent'),
      now: () => new Date(),
    });
  const feed = openCopy();
  feed.listen({});
  await feed.whenLive(20_000);
  return {
    feed,
    admin,
    connection,
    openCopy,
    async createTable(name, columns, identity = 'default') {
      await admin.query(`create table public.${name} (${columns})`);
      await admin.query(`alter table public.${name} replica identity ${identity}`);
      await admin.query(`alter publication supabase_realtime add table public.${name}`);
    },
    record() {
      const received = recordFeed(feed);
      onTestFinished(received.stop);
      return received;
    },
    async close() {
      await feed.stop();
      await db.pool.end();
      await drop();
    },
  };
}

export type WatchedFeed = {
  readonly feed: MeasuredChangeFeed;
  /** What it logged. */
  readonly lines: readonly { readonly level: number; readonly msg: string }[];
  warnings(): string[];
  /** Resolves when it is live on its first, second … connection. */
  isLiveAgain(connections: number): Promise<void>;
};

const WARN = 40;

/** A feed that is stopped with its test. */
export function openWatchedFeed(options: Omit<ChangeFeedOptions, 'logger' | 'now'>): WatchedFeed {
  const lines: { level: number; msg: string }[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const feed = createChangeFeed({ ...options, logger, now: () => new Date() });
  onTestFinished(() => feed.stop());
  return {
    feed,
    lines,
    warnings: () => lines.filter(({ level }) => level >= WARN).map(({ msg }) => msg),
    async isLiveAgain(connections) {
      await expect.poll(() => feed.figures().connections).toBe(connections);
      await feed.whenLive(20_000);
    },
  };
}

type FeedRecord = {
  readonly changes: RowChange[];
  readonly messages: { readonly prefix: string; readonly content: Buffer }[];
  readonly gaps: string[];
  /** Positions of commits, each with how many changes had been received by then. */
  readonly commits: { readonly lsn: bigint; readonly received: number }[];
  /** The changes of one table, as soon as there are so many. */
  changesOf(table: string, count: number): Promise<RowChange[]>;
  stop(): void;
};

/** Writes down everything a listener is told. */
export function recordFeed(feed: ChangeFeed): FeedRecord {
  const changes: RowChange[] = [];
  const messages: FeedRecord['messages'] = [];
  const gaps: string[] = [];
  const commits: FeedRecord['commits'] = [];
  const stop = feed.listen({
    change: (change) => changes.push(change),
    message: (prefix, content) => messages.push({ prefix, content }),
    commit: (lsn) => commits.push({ lsn, received: changes.length }),
    gap: (reason) => gaps.push(reason),
  });
  const of = (table: string) => changes.filter((change) => change.table.name === table);
  return {
    changes,
    messages,
    gaps,
    commits,
    stop,
    async changesOf(table, count) {
      await expect.poll(() => of(table).length, { interval: 5 }).toBeGreaterThanOrEqual(count);
      return of(table);
    },
  };
}
