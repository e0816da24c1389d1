import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type LockedTables, listLockedTables } from './list-locked-tables.ts';
import type { Migration } from './list-migrations.ts';
import { MigrationError } from './migration-error.ts';

export type RunOptions = {
  /** For how long it is tried again while others use its tables. */
  readonly patienceMs: number;
  /** What an operator may want to know while it takes long. */
  readonly log: (message: string) => void;
};

/** Whoever has vanished is noticed within a minute, not after the two hours that systems wait by themselves. */
export const NOTICE_SILENCE =
  'set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 4';

const PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** Of the server's deadlock time-out, for each of two lock statements: whoever waits for us is not yet looking for a deadlock when we give up. */
const LOCK_PART = 0.4;
/** Postgres interrupts its own vacuum for whoever has waited for the whole time-out: later attempts wait that long. */
const PATIENT_LOCK_PART = 1.5;
/** A pause this long comes after some three seconds. */
const LONG_PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';
const QUERY_CANCELED = '57014';

/**
 * Runs a migration and records it, in one transaction. Its tables are locked before anything else, in the same order by everybody, and
 * only for as long as no other session would look for a deadlock: running copies are kept waiting for a moment, and never refused.
 * @throws MigrationError naming the file and what is wrong with it, or whom it waited for in vain.
 */
export async function runMigration(
  client: pg.ClientBase,
  migration: Migration,
  record: pg.QueryConfig,
  { patienceMs, log }: RunOptions,
): Promise<void> {
  const { fileName, text } = migration;
  const tables = listLockedTables(text);
  const deadline = Date.now() + patienceMs;
  for (let pause = PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await attempt(client, migration, record, tables, pause > LONG_PAUSE_MS);
      return;
    } catch (cause) {
      await client.query('rollback').catch(() => undefined);
      if (!isLockConflict(cause))
        throw new MigrationError(`A migração ${fileName} falhou: ${describe(cause, text)}`, { cause });
      const user = await describeUser(client, tables);
      if (Date.now() + pause > deadline)
        throw new MigrationError(
          `A migração ${fileName} esperou ${Math.round(patienceMs / 1_000)} s por tabelas em uso${user}: ` +
            'encerre quem as usa e comece de novo. Nada dela foi aplicado.',
          { cause },
        );
      if (pause > LONG_PAUSE_MS) log(`the migration ${fileName} waits for tables in use${user}`);
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}

async function attempt(
  client: pg.ClientBase,
  migration: Migration,
  record: pg.QueryConfig,
  tables: LockedTables,
  isPatient: boolean,
): Promise<void> {
  // As on the hosted platform: extensions are found without their schema's name.
  await client.query(`begin; set local search_path = "$user", public, extensions`);
  await lockTables(client, tables, isPatient);
  await client.query(migration.text);
  // A file may have become another role to act as its owner; the record is ours. `reset all` leaves roles alone.
  await client.query('reset session authorization; reset role');
  await client.query(record);
  await client.query('commit');
  // What a file has set for its session must not leak into the next.
  await client.query(`reset all; ${NOTICE_SILENCE}`);
}

const DEADLOCK_TIMEOUT = `select setting::int as ms from pg_settings where name = 'deadlock_timeout'`;

/** Of these names, the tables that this account may lock. */
const LOCKABLE = `
  select string_agg(distinct c.oid::regclass::text, ', ' order by c.oid::regclass::text) as tables
  from unnest($1::text[]) as wanted (name)
  join pg_class c on c.oid = to_regclass(wanted.name)
  where c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'truncate')
`;

async function lockTables(
  client: pg.ClientBase,
  { exclusive, shared }: LockedTables,
  isPatient: boolean,
): Promise<void> {
  const { rows } = await client.query<{ ms: number }>(DEADLOCK_TIMEOUT);
  const patienceMs = Math.max(
    1,
    Math.round((isPatient ? PATIENT_LOCK_PART : LOCK_PART) * (rows[0]?.ms ?? 1_000)),
  );
  // What the statements below do not foresee is waited for no longer.
  await client.query(`set local lock_timeout = ${patienceMs}; set local statement_timeout = ${patienceMs}`);
  try {
    for (const [names, mode] of [
      [exclusive, 'access exclusive'],
      [shared, 'share row exclusive'],
    ] as const) {
      if (names.length === 0) continue;
      const { rows: found } = await client.query<{ tables: string | null }>(LOCKABLE, [names]);
      if (found[0]?.tables) await client.query(`lock table ${found[0].tables} in ${mode} mode`);
    }
    // A migration may take as long as it needs once it has what it needs.
    await client.query('set local statement_timeout = 0');
  } catch (cause) {
    // Whichever of them it was: where the whole machine stands still for a moment, it is not the one that waits for a lock.
    const isLate = cause instanceof pg.DatabaseError && cause.code === QUERY_CANCELED;
    throw isLate ? new TablesInUse('the tables are in use', { cause }) : cause;
  }
}

/** Locking took too long. A statement that is canceled later on was canceled by hand, which is meant. */
class TablesInUse extends Error {}

const isLockConflict = (cause: unknown): boolean =>
  cause instanceof TablesInUse ||
  (cause instanceof pg.DatabaseError &&
    (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK_DETECTED));

/** Who has used one of the tables for longest. */
const USER = `
  select a.pid, a.application_name as program, to_char(a.xact_start at time zone 'utc', 'HH24:MI:SS') as since
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.relation = any (array(select to_regclass(name)::oid from unnest($1::text[]) name)) and l.granted
    and l.pid <> pg_backend_pid()
  order by a.xact_start
  limit 1
`;

async function describeUser(client: pg.ClientBase, { exclusive, shared }: LockedTables): Promise<string> {
  const { rows } = await client.query<{ pid: number; program: string; since: string | null }>(USER, [
    [...exclusive, ...shared],
  ]);
  const [user] = rows;
  if (user === undefined) return '';
  return ` (pid ${user.pid}, ${user.program || '?'}${user.since ? `, ${user.since} UTC` : ''})`;
}

function describe(cause: unknown, text: string): string {
  if (!(cause instanceof pg.DatabaseError)) return String(cause);
  const line = cause.position ? text.slice(0, Number(cause.position)).split('\n').length : undefined;
  return [cause.message, ...(line ? [`linha ${line}`] : []), ...(cause.detail ? [cause.detail] : [])].join(
    '; ',
  );
}
