import { asServiceRole, type Database } from '../../../kernel/database.ts';
import type { FeedLimits } from './feed-limits.ts';
import type { FeedSession } from './open-feed-session.ts';
import { parseWalPosition } from './wal-position.ts';

export type BacklogWatch = {
  /** Log that was written and not yet read, in bytes, when it was last looked at. */
  bytes(): number;
  stop(): void;
};

export type BacklogOptions = {
  readonly db: Database;
  readonly session: () => FeedSession | undefined;
} & Pick<FeedLimits, 'maxBacklogBytes' | 'backlogEveryMs'>;

/**
 * Lets go of the log when the reader has fallen too far behind, because Postgres keeps for the reader what it has not
 * confirmed: the session ends and the next one starts at the present. A feed that hears nothing asks nothing.
 */
export function watchBacklog(options: BacklogOptions): BacklogWatch {
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
