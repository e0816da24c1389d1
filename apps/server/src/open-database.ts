import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { refuseUnfinished } from '@linkoteca/backup/mark-unfinished';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import type { PostgresSettings } from '@linkoteca/embedded-postgres/list-settings';
import {
  type PostgresSupervision,
  startEmbeddedPostgres,
} from '@linkoteca/embedded-postgres/start-embedded-postgres';
import {
  listArchiveSettings,
  openWalArchive,
  reserveWalArchive,
  type WalArchive,
} from '@linkoteca/embedded-postgres/wal-archive';
import { applyMigrations, type MigrationOptions } from '@linkoteca/migrations/apply-migrations';
import { withAuthenticator } from '@linkoteca/migrations/with-authenticator';
import type pg from 'pg';
import type { Logger } from 'pino';
import { chooseServiceAccount } from './give-up-root.ts';
import { forgetArchiving } from './jobs/base-backups.ts';
import { createDatabase, type Database } from './kernel/database.ts';
import type { Settings } from './kernel/settings.ts';
import { MIGRATION_FOLDERS } from './project-folders.ts';

export type OpenDatabase = {
  readonly db: Database;
  /** Connections of their own for sign-in and pages: what the other services are asked for cannot use them up. */
  readonly reserved: Database;
  /** How to log in as the account that owns the tables, past any pool. */
  readonly owner: pg.ClientConfig;
  /** For health and metrics: never behind anybody else's work, and given up soon where no answer comes. */
  readonly probes: Database;
  /** How the change feed logs in: as an account that may replicate, past any pool. */
  readonly replication: pg.ClientConfig;
  /** What the supervisor of the embedded Postgres knows; undefined for any other. */
  readonly supervision: PostgresSupervision | undefined;
  /** Waits a moment for the queries under way, then shuts down what `openDatabase` started: 12 s at most, also when the database does not answer. */
  close(): Promise<void>;
};

export type OpenDatabaseOptions = {
  readonly settings: Pick<
    Settings,
    'dataFolder' | 'databaseUrl' | 'poolSize' | 's3' | 'backup' | 'walArchive'
  > &
    Partial<Pick<Settings, 'dataFolderPatienceMs'>>;
  readonly jwtSecrets: readonly string[];
  readonly logger: Logger;
  /** A command may use the database of the server that runs on the same data folder; a second server may not. */
  readonly joinRunning?: boolean;
};

/** A request that has waited this long for a connection is answered 503. */
const CONNECTION_PATIENCE_MS = 5_000;
const START_PATIENCE_MS = 20_000;
/**
 * The role's `statement_timeout` ends a statement after 8 s, and Postgres says so. When nothing has come by now, nothing will: the network
 * or the machine behind it has gone without a word, which TCP itself would notice after a quarter of an hour.
 */
const ANSWER_PATIENCE_MS = 12_000;
/** How many more connections there are that only sign-in and pages may use: two beside eight. */
const RESERVED_PART = 1 / 4;
/** One for health, one for metrics, and only while somebody watches. */
const PROBES = 2;
const PROBE_PATIENCE_MS = 2_000;
/** How long to wait, at the end, for queries that are under way: one whose database does not answer never ends. */
const CLOSING_PATIENCE_MS = 3_000;
/** Idle connections are given back, memory included, except the one the next visitor uses. */
const IDLE_MS = 30_000;

/**
 * Makes the database ready: the external one of `DATABASE_URL`, else the embedded one, started if need be; then brings it
 * up to date and opens the pool.
 * @throws PostgresStartError, MigrationError, or the driver's error when an external server cannot be reached.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  return options.settings.databaseUrl === undefined
    ? openEmbedded(options)
    : openExternal(options, options.settings.databaseUrl);
}

async function openExternal(options: OpenDatabaseOptions, connectionString: string): Promise<OpenDatabase> {
  const connect = { connectionString, connectionTimeoutMillis: CONNECTION_PATIENCE_MS };
  const password = derivePassword(options.jwtSecrets);
  // Nobody waits yet: a database that is busy, or starts itself, is given more time.
  const atStart = { ...connect, connectionTimeoutMillis: START_PATIENCE_MS };
  await refuseUnfinished(atStart);
  await migrate(options, {
    connect: atStart,
    authenticatorPassword: password,
    joinRunning: options.joinRunning ?? false,
  });
  const pools = openPools(withAuthenticator(connect, password), options);
  return { ...pools, owner: connect, replication: connect, supervision: undefined };
}

async function openEmbedded(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { settings, logger, joinRunning = false } = options;
  const dataFolder = join(settings.dataFolder, 'postgres');
  const running = joinRunning ? findRunningPostgres(dataFolder) : undefined;
  if (running) {
    const pools = openPools({ ...running, user: 'authenticator' }, options);
    return { ...pools, owner: running, replication: running, supervision: undefined };
  }
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    patienceMilliseconds: settings.dataFolderPatienceMs ?? 0,
    settings: await planArchiving(settings),
    log: (level, message) => logger[level]({ source: 'postgres' }, message),
  });
  // Once more, for the cluster that the start has made.
  if (settings.walArchive) await openArchive(settings.walArchive.folder, settings.dataFolder);
  try {
    await migrate(options, { connect: postgres.connection });
    const pools = openPools({ ...postgres.connection, user: 'authenticator' }, options);
    return {
      ...pools,
      owner: postgres.connection,
      replication: postgres.connection,
      supervision: postgres,
      close: () => pools.close().finally(postgres.stop),
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** What the embedded Postgres of an installation is started with, by whomever: a start without archiving leaves a hole in the log. */
export async function planArchiving({
  dataFolder,
  walArchive,
}: Pick<Settings, 'dataFolder' | 'walArchive'>): Promise<PostgresSettings> {
  if (walArchive !== undefined) return listArchiveSettings(await openArchive(walArchive.folder, dataFolder));
  forgetArchiving(join(dataFolder, 'postgres'));
  return {};
}

async function openArchive(folder: string, dataFolder: string): Promise<WalArchive> {
  const owner = chooseServiceAccount(dataFolder);
  const archive = openWalArchive(folder, owner);
  const clusterFolder = join(dataFolder, 'postgres/cluster');
  await reserveWalArchive(archive, { clusterFolder, now: new Date(), ...(owner ? { owner } : {}) });
  return archive;
}

async function migrate(
  { settings, jwtSecrets, logger }: OpenDatabaseOptions,
  options: Pick<MigrationOptions, 'connect' | 'authenticatorPassword' | 'joinRunning'>,
): Promise<void> {
  const { applied } = await applyMigrations({
    ...options,
    ...MIGRATION_FOLDERS,
    beforeChange: async (pending, client) => {
      // Seldom needed, and it brings the object storage along.
      const { backUpBeforeMigration } = await import('./backups/back-up-before-migration.ts');
      await backUpBeforeMigration(
        { settings, jwtSecrets, connect: options.connect, logger },
        pending,
        client,
      );
    },
    log: (message) => logger.warn(message),
  });
  if (applied.length > 0) logger.info({ applied }, 'migrations applied');
}

function openPools(
  connect: pg.ClientConfig,
  { settings, logger }: OpenDatabaseOptions,
): Pick<OpenDatabase, 'db' | 'reserved' | 'probes' | 'close'> {
  const open = (config: pg.PoolConfig) =>
    createDatabase(
      {
        ...connect,
        application_name: 'linkoteca',
        min: 1,
        idleTimeoutMillis: IDLE_MS,
        connectionTimeoutMillis: CONNECTION_PATIENCE_MS,
        query_timeout: ANSWER_PATIENCE_MS,
        keepAlive: true,
        ...config,
      },
      (error) => logger.warn({ err: error }, 'a connection to the database was lost'),
    );
  const reserved = open({ max: Math.max(1, Math.floor(settings.poolSize * RESERVED_PART)) });
  const db = open({ max: settings.poolSize });
  const probes = open({
    max: PROBES,
    min: 0,
    connectionTimeoutMillis: PROBE_PATIENCE_MS,
    query_timeout: PROBE_PATIENCE_MS,
  });
  return {
    db,
    reserved,
    probes,
    close: async () => {
      const patience = new AbortController();
      await Promise.race([
        Promise.all([db, reserved, probes].map(({ pool }) => pool.end())),
        wait(CLOSING_PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}

/**
 * The password of the login role. Every copy of the server derives the same one; it hangs on the oldest secret, so that
 * putting a new one in front (rotation) does not lock out the copies that still run.
 */
function derivePassword(jwtSecrets: readonly string[]): string {
  return createHmac('sha256', jwtSecrets.at(-1) ?? '')
    .update('linkoteca/authenticator/v1')
    .digest('base64url');
}
