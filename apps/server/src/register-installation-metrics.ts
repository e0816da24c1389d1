import { Counter, Gauge, type Registry } from 'prom-client';
import { asServiceRole, type Database } from './kernel/database.ts';
import { type DiskSpace, type ReadDiskSpace, readDiskSpace } from './kernel/health/disk-space.ts';
import { addFigureGauge, keepFresh } from './payments/payment-metrics.ts';

export type InstallationMetricsDeps = {
  /** Asked without getting in anybody's way. */
  readonly db: Database;
  /** Folders by what they hold. */
  readonly folders: Readonly<Record<string, string>>;
  readonly readSpace?: ReadDiskSpace;
  /** How often a database of our own has ended unasked. */
  readonly countDatabaseRestarts?: (() => number) | undefined;
  /** How often the server backs up by itself. */
  readonly backupEveryMs?: number | undefined;
  readonly version: string;
  readonly now: () => Date;
  /** How long a look waits for figures that are slow to read. */
  readonly patienceMs?: number;
};

/** For what costs next to nothing to look at. */
const CHEAP_FRESH_MS = 5_000;
/** How often whoever makes backups by hand is expected to. */
const BACKUP_BY_HAND_MS = 86_400_000;

/** As `private.measure_installation()` answers. */
type InstallationFigures = {
  readonly database_bytes: number;
  readonly mails: readonly {
    readonly queue: string;
    readonly waiting: number;
    readonly oldest_seconds: number;
  }[];
  /** `finished_at`: seconds since 1970. */
  readonly rounds: readonly { readonly round: string; readonly finished_at: number }[];
};

/** Seconds since 1970; null where there is none. */
type BackupFigures = {
  readonly finished_at: number | null;
  readonly bytes: number | null;
  readonly failed_at: number | null;
};

/** Seconds since 1970; null where there is none. */
type ArchivingFigures = { readonly finished_at: number | null; readonly failed_at: number | null };

/** What `/metrics` says of the installation as a whole: its disk, its database, what waits, and what should have happened by itself. */
export function registerInstallationMetrics(registry: Registry, deps: InstallationMetricsDeps): void {
  const { db, now, version, patienceMs } = deps;
  new Gauge({
    name: 'linkoteca_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'] as const,
    registers: [registry],
  }).set({ version, node: process.versions.node }, 1);
  registerDisk(registry, deps);
  registerDatabase(registry, deps);
  registerBackups(registry, deps);
  registerArchiving(registry, deps);
  const read = keepFresh(() => measure(db), now, { patienceMs });
  addFigureGauge(registry, read, {
    name: 'linkoteca_database_size_bytes',
    help: 'What the database takes of the disk, without the write-ahead log.',
    labelNames: [],
    list: ({ database_bytes: bytes }) => [[{}, bytes]],
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_mail_queue_length',
    help: 'Mails that wait to be sent; of the invitations those that no limit holds back.',
    labelNames: ['queue'],
    list: ({ mails }) => mails.map(({ queue, waiting }) => [{ queue }, waiting]),
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_mail_queue_oldest_seconds',
    help: 'For how long the oldest of them has waited.',
    labelNames: ['queue'],
    list: ({ mails }) => mails.map(({ queue, oldest_seconds: seconds }) => [{ queue }, seconds]),
  });
  addFigureGauge(registry, read, {
    name: 'linkoteca_round_finished_timestamp_seconds',
    help: 'When what the server does by itself was last finished, by whichever copy.',
    labelNames: ['round'],
    list: ({ rounds }) => rounds.map(({ round, finished_at: at }) => [{ round }, at]),
  });
}

/** A disk that does not answer is shown as it was, and `linkoteca_ready{condition="disk"}` is 0. */
function registerDisk(
  registry: Registry,
  { folders, readSpace = readDiskSpace, now, patienceMs }: InstallationMetricsDeps,
): void {
  const read = keepFresh(
    async () => {
      const places = Object.entries(folders);
      return Promise.all(places.map(async ([place, folder]) => ({ place, space: await readSpace(folder) })));
    },
    now,
    { freshMs: CHEAP_FRESH_MS, patienceMs },
  );
  const addSize = (name: string, help: string, pick: (space: DiskSpace) => number) =>
    addFigureGauge(registry, read, {
      name,
      help,
      labelNames: ['place'],
      list: (disks) => disks.map(({ place, space }) => [{ place }, pick(space)]),
    });
  addSize(
    'linkoteca_disk_free_bytes',
    'What is left of the disk, by what lies there.',
    ({ freeBytes }) => freeBytes,
  );
  addSize('linkoteca_disk_size_bytes', 'The size of that disk.', ({ sizeBytes }) => sizeBytes);
}

function registerDatabase(registry: Registry, { countDatabaseRestarts }: InstallationMetricsDeps): void {
  if (countDatabaseRestarts === undefined) return;
  new Counter({
    name: 'linkoteca_postgres_restarts_total',
    help: 'How often the embedded Postgres has ended unasked and was started again.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(countDatabaseRestarts());
    },
  });
}

/** Where none was tried yet there is no value; where none went well, the last good one is of 1970. */
function registerBackups(
  registry: Registry,
  { db, now, patienceMs, backupEveryMs = BACKUP_BY_HAND_MS }: InstallationMetricsDeps,
): void {
  new Gauge({
    name: 'linkoteca_backup_interval_seconds',
    help: 'How often there should be one.',
    registers: [registry],
  }).set(backupEveryMs / 1000);
  const read = keepFresh(() => readBackups(db), now, { patienceMs });
  const add = (name: string, help: string, pick: (figures: BackupFigures) => number | null) =>
    addFigureGauge(registry, read, {
      name: `linkoteca_backup_${name}`,
      help,
      labelNames: [],
      list: (figures) => [[{}, pick(figures)]],
    });
  add(
    'finished_timestamp_seconds',
    'When the last good backup was finished.',
    ({ finished_at, failed_at }) => finished_at ?? (failed_at === null ? null : 0),
  );
  add('size_bytes', 'How large it is.', ({ bytes }) => bytes);
  add('failed_timestamp_seconds', 'When a backup last failed.', ({ failed_at }) => failed_at);
}

const BACKUPS = `
  select extract(epoch from max(finished_at))::float8 as finished_at, extract(epoch from max(failed_at))::float8 as failed_at,
    (array_agg(bytes order by finished_at desc nulls last))[1]::float8 as bytes
  from linkoteca_platform.backups
`;

function readBackups(db: Database): Promise<BackupFigures> {
  return asServiceRole(db, 'look at the last backups', async (tx) => {
    const { rows } = await tx.query<BackupFigures>({ name: 'last_backups', text: BACKUPS });
    return rows[0] ?? { finished_at: null, bytes: null, failed_at: null };
  });
}

/** Without archiving there is no value; where no segment was ever archived, the last one is of 1970. */
function registerArchiving(registry: Registry, { db, now, patienceMs }: InstallationMetricsDeps): void {
  const read = keepFresh(() => readArchiving(db), now, { freshMs: CHEAP_FRESH_MS, patienceMs });
  const add = (name: string, help: string, pick: (figures: ArchivingFigures) => number | null) =>
    addFigureGauge(registry, read, {
      name: `linkoteca_wal_archive_${name}_timestamp_seconds`,
      help,
      labelNames: [],
      list: (figures) => [[{}, pick(figures)]],
    });
  add(
    'finished',
    'When a segment of the write-ahead log was last archived.',
    ({ finished_at, failed_at }) => finished_at ?? (failed_at === null ? null : 0),
  );
  add('failed', 'When one could not be archived.', ({ failed_at }) => failed_at);
}

// Postgres keeps these also where archiving has been given up.
const ARCHIVING = `
  select extract(epoch from last_archived_time)::float8 as finished_at, extract(epoch from last_failed_time)::float8 as failed_at
  from pg_stat_archiver
  where current_setting('archive_mode') <> 'off'
`;

function readArchiving(db: Database): Promise<ArchivingFigures> {
  return asServiceRole(db, 'look at the archiving of the log', async (tx) => {
    const { rows } = await tx.query<ArchivingFigures>({ name: 'wal_archiving', text: ARCHIVING });
    return rows[0] ?? { finished_at: null, failed_at: null };
  });
}

function measure(db: Database): Promise<InstallationFigures> {
  return asServiceRole(db, 'measure the installation', async (tx) => {
    const { rows } = await tx.query<{ readonly figures: InstallationFigures }>({
      name: 'measure_installation',
      text: 'select private.measure_installation() as figures',
      values: [],
    });
    const [row] = rows;
    if (row === undefined) throw new Error('measure_installation: no answer');
    return row.figures;
  });
}
