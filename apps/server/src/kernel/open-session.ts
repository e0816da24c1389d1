import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Row, Rows, Statement } from './database.ts';

export type Session = {
  query<T extends Row = Row>(statement: Statement): Promise<Rows<T>>;
  close(): Promise<void>;
};

export type SessionOptions = {
  /** Its `application_name`, by which other sessions see it in `pg_stat_activity`. */
  readonly name: string;
  /** Told once when the connection breaks, from the first moment on; not after `close`. */
  readonly onLost: (error: Error | undefined) => void;
  /** Told of what is notified on channels the session listens to. */
  readonly onNotification?: () => void;
};

/** An answer that has not come by then will not come: the network is gone, though nobody has said so. */
const ANSWER_MS = 10_000;
const CONNECT_MS = 5_000;
const GOODBYE_MS = 1_000;

/**
 * Opens a connection of the server's own, outside the pool, as the login role: it has no right to any row, and lasts until it is
 * closed or lost. For what hangs on a session: notifications, being seen by others.
 * @throws the driver's error when it cannot be opened.
 */
export async function openSession(db: Database, options: SessionOptions): Promise<Session> {
  const { options: pool } = db.pool;
  const client = new pg.Client({
    ...pool,
    // The pool hides it from copies of its options.
    ...(pool.password === undefined ? {} : { password: pool.password }),
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  });
  let isOver = false;
  const end = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    options.onLost(error);
  };
  client.on('error', end);
  client.on('end', () => end());
  client.on('notification', () => options.onNotification?.());
  try {
    await client.connect();
  } catch (error) {
    isOver = true;
    await client.end().catch(() => undefined);
    throw error;
  }
  return {
    query: async <T extends Row>({ text, values = [], name }: Statement) => {
      const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      const { rows, rowCount } = await client.query<T>(query);
      return { rows, rowCount: rowCount ?? 0 };
    },
    close: async () => {
      isOver = true;
      // A network that is gone answers no good-bye.
      const patience = setTimeout(GOODBYE_MS, undefined, { ref: false });
      await Promise.race([client.end().catch(() => undefined), patience]);
    },
  };
}
