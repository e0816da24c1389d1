import pg from 'pg';
import type { Migration } from './list-migrations.ts';
import { MigrationError } from './migration-error.ts';
import {
  type MigrationFolders,
  type MigrationNames,
  nameMigrations,
  planMigrations,
} from './pending-migrations.ts';
import { NOTICE_SILENCE, type RunOptions, runMigration } from './run-migration.ts';
import { refuseOtherSecret, setAuthenticatorPassword } from './set-authenticator-password.ts';

export type MigrationOptions = MigrationFolders &
  Partial<RunOptions> & {
    /** The account that owns the product's tables: the embedded cluster's superuser, or that of DATABASE_URL. */
    readonly connect: pg.ClientConfig;
    /** Given when the server's own pool has to log in with a password. */
    readonly authenticatorPassword?: string;
    /** Given by a command: no server that runs loses its login by it. */
    readonly joinRunning?: boolean;
    /** Applies exactly these: the schema of an older backup. */
    readonly only?: MigrationNames;
    /** Called once before a database in use is changed, while no other copy can change it. What it throws ends the attempt. */
    readonly beforeChange?: (pending: MigrationNames, client: pg.ClientBase) => Promise<void>;
  };

export type AppliedMigrations = { readonly applied: readonly string[] };

/** Any number serves, as long as it is ours: 'linkotec' in ASCII. */
const LOCK_KEY = '7811896436361291107';
/** For how long a migration is tried again while its tables are in use. */
const PATIENCE_MS = 120_000;
/** A wait for another copy is told after this long, and again. */
const TELL_AFTER_MS = 10_000;
const OLDEST_SERVER = 150_000;

/**
 * Brings the database up to date: the platform's files, then the product's, each in a transaction of its own with its
 * record. Several copies of the server may call it at once: an advisory lock lets one work while the others wait.
 * @throws MigrationError naming the file that failed or was altered after it had been applied.
 */
export async function applyMigrations(options: MigrationOptions): Promise<AppliedMigrations> {
  const run = { patienceMs: PATIENCE_MS, log: () => undefined, ...options };
  // A migration may take as long as it needs, and waiting for another copy that migrates is no fault.
  const client = new pg.Client({
    ...options.connect,
    statement_timeout: 0,
    lock_timeout: 0,
    keepAlive: true,
    application_name: 'linkoteca migrations',
  });
  // The failing query reports a lost connection; without a listener it would end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await requireSupportedServer(client);
    // Nothing is asked on this connection while a backup is made. The lock is the session's.
    await client.query(`set idle_session_timeout = 0; ${NOTICE_SILENCE}`);
    await waitForOthers(client, run.log);
    const plan = await planMigrations(client, options, options.only);
    await requireUnicode(client, plan.isNew, run.log);
    const { connect, authenticatorPassword: password, joinRunning = false } = options;
    const login = password === undefined ? undefined : { connect, password, joinRunning };
    if (login) await refuseOtherSecret(client, login);
    const pending = nameMigrations(plan);
    if (!plan.isNew && pending.platform.length + pending.product.length > 0)
      await options.beforeChange?.(pending, client);
    await client.query(RECORDS);
    await carryOver(client, plan.carried, run.log);
    for (const migration of plan.platform)
      await runMigration(client, migration, recordPlatform(migration), run);
    for (const migration of plan.product)
      await runMigration(client, migration, recordProduct(migration), run);
    await client.query(GRANT_RECORDS);
    // Looks once more: a server may have come since.
    if (login) await setAuthenticatorPassword(client, login);
    const applied = [...plan.platform, ...plan.product].map(({ fileName }) => fileName);
    // Every copy that is already serving reads the new schema.
    if (applied.length > 0) await client.query(`notify pgrst, 'reload schema'`);
    return { applied };
  } finally {
    // Ends the session, and with it the lock.
    await client.end();
  }
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < OLDEST_SERVER)
    throw new MigrationError(
      `O Postgres ${Math.floor(version / 10_000)} é antigo demais: use um da versão 15 à 18.`,
    );
}

/**
 * Where each byte counts as a character (SQL_ASCII) every migration applies, but no search sees through accents. A database that is in use
 * serves on: to refuse it would keep people from what they have.
 */
async function requireUnicode(client: pg.Client, isNew: boolean, log: RunOptions['log']): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `select current_setting('server_encoding') as encoding`,
  );
  const { encoding = '' } = rows[0] ?? {};
  if (encoding === 'UTF8') return;
  if (isNew)
    throw new MigrationError(
      `O banco de dados guarda textos em ${encoding}, e a Linkoteca precisa de UTF8: crie-o de novo com "create database NOME encoding 'UTF8' locale 'C.UTF-8' template template0".`,
    );
  log(
    `the database keeps texts in ${encoding}: what has accents is found only as it is written. Restore a backup into one in UTF8: there older entries are found once they are edited`,
  );
}

/** The second table is the hosted platform's own, so that the same database can move there. */
const RECORDS = `
  create schema if not exists linkoteca_platform;
  create table if not exists linkoteca_platform.migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  );
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key,
    statements text[],
    name text
  );
`;

/** The health check compares what is recorded with what it needs. Granted once: a grant rewrites its catalogue row. */
const GRANT_RECORDS = `
  do $$
  begin
    if not has_table_privilege('service_role', 'linkoteca_platform.migrations', 'select') then
      grant usage on schema linkoteca_platform, supabase_migrations to service_role;
      grant select on linkoteca_platform.migrations, supabase_migrations.schema_migrations to service_role;
    end if;
  end
  $$
`;

/**
 * The earlier history stands for these: they are recorded together and not run. Its own records stay, because copies of the
 * earlier program that are still running look for them.
 */
async function carryOver(
  client: pg.ClientBase,
  carried: readonly Migration[],
  log: RunOptions['log'],
): Promise<void> {
  if (carried.length === 0) return;
  await client.query('begin');
  for (const migration of carried) await client.query(recordProduct(migration));
  await client.query('commit');
  log(`the earlier history of migrations is carried over: ${carried.length} recorded, none run`);
}

async function waitForOthers(client: pg.ClientBase, log: RunOptions['log']): Promise<void> {
  const timer = setInterval(() => log('another copy changes the database: waiting for it'), TELL_AFTER_MS);
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  } finally {
    clearInterval(timer);
  }
}

const recordPlatform = ({ fileName, checksum }: Migration): pg.QueryConfig => ({
  text: 'insert into linkoteca_platform.migrations (name, checksum) values ($1, $2)',
  values: [fileName, checksum],
});

const recordProduct = ({ version, name, text }: Migration): pg.QueryConfig => ({
  text: 'insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)',
  values: [version, [text], name],
});
