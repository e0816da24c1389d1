import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import pg from 'pg';

/** Where a test run's Postgres listens: what travels from vitest's main process to its workers. */
export type TestCluster = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** A database with every migration applied and no rows, to be cloned. */
  readonly template: string;
};

export type RunningTestCluster = TestCluster & { stop(): Promise<void> };

export type TestClusterOptions = {
  /** The folder of another Postgres (`bin/`, `lib/`, `share/`). */
  readonly binaries?: string;
  /** false leaves the template out: for tests that migrate by themselves. */
  readonly migrated?: boolean;
};

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** The SQL a database is built from, in the order in which it applies. */
export const MIGRATION_FOLDERS = {
  platformFolder: join(repository, 'apps/server/platform'),
  migrationsFolder: join(repository, 'supabase/migrations'),
};

const TEMPLATE = 'linkoteca_template';

/** Starts a cluster that forgets everything when it stops, with a migrated template database inside. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<RunningTestCluster> {
  const dataFolder = join(tmpdir(), `linkoteca-test-${process.pid}-${randomBytes(4).toString('hex')}`);
  const remove = () => rmSync(dataFolder, { recursive: true, force: true });
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    durable: false,
    // Every test file holds a few connections of its own, and the files run at the same time.
    settings: {
      max_connections: '200',
      max_wal_senders: '40',
      max_replication_slots: '40',
      // It would visit every clone again and again, and hold up the cloning of a database that it is in.
      autovacuum: 'off',
      // A change feed hears of a commit when it is written out, which otherwise takes up to 200 ms. Still without fsync.
      synchronous_commit: 'on',
    },
    ...(options.binaries === undefined ? {} : { binaries: options.binaries }),
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const stop = () => postgres.stop().finally(remove);
  try {
    if (options.migrated !== false) await createTemplate(postgres.connection);
  } catch (error) {
    await stop();
    throw error;
  }
  const { host, port, user } = postgres.connection;
  return { host, port, user, template: TEMPLATE, stop };
}

async function createTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE}`);
    await applyMigrations({ connect: { ...connection, database: TEMPLATE }, ...MIGRATION_FOLDERS });
  } finally {
    await client.end();
  }
}
