import { createThrowawayDatabase } from '@linkoteca/test-kit/create-throwaway-database';
import type pg from 'pg';
import { onTestFinished } from 'vitest';
import { createLogger } from '../../../../kernel/create-logger.ts';
import { createDatabase } from '../../../../kernel/database.ts';
import { createChangeFeed, type MeasuredChangeFeed } from '../create-change-feed.ts';
import { type FeedRecord, recordFeed } from './record-feed.ts';

export type TestFeed = {
  readonly feed: MeasuredChangeFeed;
  /** The cluster's superuser, in a database of the file's own. */
  readonly admin: pg.Pool;
  readonly connection: pg.ClientConfig;
  /** As another copy of the server would have; the test stops it. */
  openCopy(): MeasuredChangeFeed;
  /** A published table of the test's own. */
  createTable(name: string, columns: string, identity?: string): Promise<void>;
  /** Writes down what is heard until the test ends. */
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
  await feed.whenLive(10_000);
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
      const heard = recordFeed(feed);
      onTestFinished(heard.stop);
      return heard;
    },
    async close() {
      await feed.stop();
      await db.pool.end();
      await drop();
    },
  };
}
