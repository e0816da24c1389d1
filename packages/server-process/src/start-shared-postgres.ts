import { join } from 'node:path';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import pg from 'pg';
import { createDataFolder } from './create-data-folder.ts';

export type SharedPostgres = {
  /** For the setting `DATABASE_URL` of any number of servers. */
  readonly url: string;
  /** One statement, as its superuser. */
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult>;
  stop(): Promise<void>;
};

/** A Postgres that belongs to no server, empty, and forgets everything when it stops. */
export async function startSharedPostgres(): Promise<SharedPostgres> {
  const data = await createDataFolder();
  const postgres = await startEmbeddedPostgres({
    dataFolder: join(data.path, 'postgres'),
    durable: false,
    settings: { max_connections: '100', max_wal_senders: '10', max_replication_slots: '10' },
  }).catch(async (error: unknown) => {
    await data.remove();
    throw error;
  });
  const { host, port, user, database } = postgres.connection;
  const pool = new pg.Pool({ ...postgres.connection, max: 1 });
  // Its end is part of some tests.
  pool.on('error', () => undefined);
  return {
    url: `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`,
    query: (text, values = []) => pool.query(text, [...values]),
    stop: async () => {
      await pool.end();
      await postgres.stop();
      await data.remove();
    },
  };
}
