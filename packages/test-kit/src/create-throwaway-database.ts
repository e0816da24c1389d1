import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
// Its declaration tells `inject` what the run provides.
import type {} from './provide-test-cluster.ts';
import type { TestCluster } from './start-test-cluster.ts';

export type ThrowawayDatabase = {
  /** How to log in as the cluster's superuser. */
  readonly connection: pg.ClientConfig;
  /** How the server's own pool logs in. */
  readonly authenticator: pg.ClientConfig;
  /** Superuser: prepares and inspects, past every policy. */
  readonly admin: pg.Pool;
  /** The pool of `authenticator`, which `queryAs` borrows from. */
  readonly callers: pg.Pool;
  /** Ends the pools and drops the database. */
  drop(): Promise<void>;
};

const REPLICATION_ENDS_IN_MS = 10_000;

/** A role's own limit is for people who wait; a test's lock or its ten thousands of rows take longer on a busy machine. */
export const PATIENT = { statement_timeout: 25_000, lock_timeout: 25_000 } as const satisfies pg.ClientConfig;

/**
 * A fresh, migrated, empty database of the test's own, cloned in some thirty milliseconds. The vitest project must name
 * `provide-test-cluster.ts` as its global setup; without it, pass a cluster that was started by hand.
 */
export async function createThrowawayDatabase(
  cluster: TestCluster = inject('testCluster'),
): Promise<ThrowawayDatabase> {
  const { host, port, user, template } = cluster;
  const database = `test_${randomBytes(8).toString('hex')}`;
  await runOnce(
    { host, port, user, database: 'postgres' },
    `create database ${database} template ${template}`,
  );
  const connection = { host, port, user, database };
  const authenticator = { host, port, user: 'authenticator', database };
  const admin = openPool(connection);
  const callers = openPool({ ...authenticator, ...PATIENT });
  return {
    connection,
    authenticator,
    admin,
    callers,
    drop: async () => {
      await Promise.all([admin.end(), callers.end()]);
      await endReplication({ host, port, user, database: 'postgres' }, database);
      await runOnce({ host, port, user, database: 'postgres' }, `drop database ${database} with (force)`);
    },
  };
}

function openPool(config: pg.ClientConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, max: 10 });
  // Dropping the database ends idle connections, which is no fault of a test.
  pool.on('error', () => undefined);
  return pool;
}

/**
 * A forced drop ends every session but one that reads changes, which it refuses to end. A server under test that was
 * stopped has hung up by then, but its process in the database may not have noticed: this waits until it is gone.
 */
function endReplication(config: pg.ClientConfig, database: string): Promise<void> {
  return runOnce(
    config,
    `select pg_terminate_backend(active_pid, ${REPLICATION_ENDS_IN_MS})
     from pg_replication_slots where database = $1 and active_pid is not null`,
    [database],
  );
}

async function runOnce(config: pg.ClientConfig, statement: string, values: string[] = []): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
