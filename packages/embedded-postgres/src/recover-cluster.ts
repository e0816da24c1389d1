import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { PostgresStartError } from './describe-folder-failure.ts';
import { withOwnedFolder } from './lock-data-folder.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import {
  type BaseBackup,
  baseFolderOf,
  listBaseBackups,
  restoreCommand,
  setAsideBaseBackups,
  type WalArchive,
  walFolderOf,
} from './wal-archive.ts';

export type Recovery = {
  readonly archive: WalArchive;
  /** Where the recovered cluster is made: a data folder of its own. */
  readonly recoveredFolder: string;
  /** The cluster that is to be replaced: what it wrote last may not be archived yet. Nothing runs on it. */
  readonly lostCluster: string;
  readonly target: Date;
  readonly log?: (line: string) => void;
  /** Makes the recovered database ready before it is used. @param at when it was as it is. */
  readonly settle?: (connection: pg.ClientConfig, at: Date) => Promise<void>;
};

export type RecoveredCluster = {
  readonly base: BaseBackup;
  /** Of the last transaction that is there; undefined where none was repeated since the base backup. */
  readonly lastTransactionAt: Date | undefined;
  /** Where the log has a hole before the moment asked for: nothing written from there on is in what was recovered. */
  readonly missingSegment: string | undefined;
};

/** The log ends before the moment that was asked for: nothing was written any more, or what was written is not kept. */
const LOG_ENDS_EARLIER = /recovery ended before configured recovery target was reached/;

/**
 * Recovers and swaps while holding the data folder, so that no server can start on it meanwhile.
 * @returns what was recovered, and where the lost cluster is kept.
 * @throws what `recoverCluster` throws; nothing of what was made by then takes room.
 */
export async function recoverInPlace(
  recovery: Recovery,
  now: () => Date,
): Promise<RecoveredCluster & { readonly keptAside: string | undefined }> {
  return withOwnedFolder(dirname(recovery.lostCluster), async () => {
    // Refused here, nothing is touched: a recovery that was cut short may have left its cluster there.
    const base = await findBase(recovery);
    const recovered = await replayFrom(base, recovery).catch(async (error: unknown) => {
      await rm(recovery.recoveredFolder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    });
    return { ...recovered, keptAside: await adoptRecovered(recovery, now()) };
  });
}

/**
 * Makes a cluster as it was at a moment: the newest base backup from before it, and the log since then, up to and with the last
 * transaction committed at that moment.
 * @throws PostgresStartError when there is no base backup from before, or the log has a hole.
 */
export async function recoverCluster(recovery: Recovery): Promise<RecoveredCluster> {
  return replayFrom(await findBase(recovery), recovery);
}

async function replayFrom(base: BaseBackup, recovery: Recovery): Promise<RecoveredCluster> {
  layOut(recovery, base);
  try {
    return {
      base,
      lastTransactionAt: await replay(recovery, base, {
        recovery_target_time: toPostgresTime(recovery.target),
      }),
      missingSegment: undefined,
    };
  } catch (error) {
    if (!LOG_ENDS_EARLIER.test(describeChain(error))) throw error;
  }
  // Everything that can be reached lies before that moment: all of it, then.
  layOut(recovery, base);
  // Looked for before the recovered cluster removes segments.
  const missingSegment = findMissingSegment(recovery, base);
  return { base, lastTransactionAt: await replay(recovery, base, {}), missingSegment };
}

/** The first segment that is neither archived nor laid out, while a later one of the newest history is. */
export function findMissingSegment(
  { archive, recoveredFolder }: Pick<Recovery, 'archive' | 'recoveredFolder'>,
  base: Pick<BaseBackup, 'firstSegment'>,
): string | undefined {
  const names = [walFolderOf(archive), join(recoveredFolder, 'cluster/pg_wal')].flatMap((folder) =>
    readdirSync(folder),
  );
  return findHole(names, base);
}

/** As above, of names of files. Pure. */
export function findHole(
  names: readonly string[],
  base: Pick<BaseBackup, 'firstSegment'>,
): string | undefined {
  const segments = names.flatMap((name) => {
    const [, segment] = /^([0-9A-F]{24})(?:\.gz)?$/.exec(name) ?? [];
    return segment === undefined ? [] : [readSegment(segment)];
  });
  const first = readSegment(base.firstSegment);
  const newest =
    segments
      .map(({ timeline }) => timeline)
      .sort()
      .at(-1) ?? first.timeline;
  const own = segments
    .filter(({ timeline }) => timeline === newest)
    .map(({ position }) => position)
    .sort((one, other) => one - other);
  // What an undone history wrote after the newest one had left it counts for nothing.
  const [begin = 0, end = 0] = [own[0], own.at(-1)];
  const present = new Set(
    segments
      .filter(({ timeline, position }) => timeline === newest || position < begin)
      .map(({ position }) => position),
  );
  for (let { position } = first; position < end; position += 1) {
    if (!present.has(position)) return nameSegment(position < begin ? first.timeline : newest, position);
  }
  return undefined;
}

/** Of 1 MB, as `createCluster` has initdb make them: a log file of 4 GB has 4096. */
const SEGMENTS_PER_FILE = 4096;

function readSegment(name: string): { readonly timeline: string; readonly position: number } {
  const [file, segment] = [name.slice(8, 16), name.slice(16)].map((part) => Number.parseInt(part, 16));
  return { timeline: name.slice(0, 8), position: (file ?? 0) * SEGMENTS_PER_FILE + (segment ?? 0) };
}

function nameSegment(timeline: string, position: number): string {
  return [Math.floor(position / SEGMENTS_PER_FILE), position % SEGMENTS_PER_FILE]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .reduce((name, part) => name + part, timeline);
}

async function findBase({ archive, target }: Recovery): Promise<BaseBackup> {
  const bases = await listBaseBackups(archive);
  const base = bases.findLast(({ finishedAt }) => new Date(finishedAt) <= target);
  if (base) return base;
  const oldest = bases[0];
  throw new PostgresStartError(
    oldest
      ? `Não há cópia de base de antes desse momento: a mais antiga permite voltar até ${oldest.finishedAt}.`
      : `Não há nenhuma cópia de base em ${archive.folder}: confira WAL_ARCHIVE_DIR.`,
  );
}

function layOut({ archive, recoveredFolder, lostCluster }: Recovery, base: BaseBackup): void {
  const cluster = join(recoveredFolder, 'cluster');
  rmSync(recoveredFolder, { recursive: true, force: true });
  mkdirSync(recoveredFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  cpSync(join(baseFolderOf(archive), base.name, 'cluster'), cluster, { recursive: true });
  const lostLog = join(lostCluster, 'pg_wal');
  // Postgres asks the archive first and takes from here only what it does not have.
  for (const name of existsSync(lostLog) ? readdirSync(lostLog) : []) {
    if (/^[0-9A-F]{24}$|\.history$/.test(name)) cpSync(join(lostLog, name), join(cluster, 'pg_wal', name));
  }
  writeFileSync(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  const owner = [lostCluster, dirname(lostCluster), archive.folder].find((path) => existsSync(path));
  if (process.getuid?.() !== 0 || owner === undefined) return;
  const { uid, gid } = statSync(owner);
  spawnSync('chown', ['-R', `${uid}:${gid}`, cluster], { stdio: 'ignore' });
}

/**
 * Puts the recovered cluster in the place of the lost one, which stays beside it. The new history is made known to the archive only
 * now: a recovery that was given up leaves no trace there.
 * @returns where the lost cluster is kept; undefined where there was none.
 */
export async function adoptRecovered(
  { archive, recoveredFolder, lostCluster, target }: Recovery,
  now: Date,
): Promise<string | undefined> {
  const recovered = join(recoveredFolder, 'cluster');
  for (const name of readdirSync(join(recovered, 'pg_wal')).filter((one) => one.endsWith('.history'))) {
    const path = join(walFolderOf(archive), `${name}.gz`);
    if (existsSync(path)) continue;
    writeFileSync(path, gzipSync(readFileSync(join(recovered, 'pg_wal', name))), {
      mode: 0o600,
      flush: true,
    });
    const { uid, gid } = statSync(archive.folder);
    if (process.getuid?.() === 0) chownSync(path, uid, gid);
  }
  await setAsideBaseBackups(archive, target);
  const aside = `${lostCluster}.before-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  const hadCluster = existsSync(lostCluster);
  // Cut short between the two, a start refuses to make an empty cluster and says what to do (`createCluster`).
  if (hadCluster) renameSync(lostCluster, aside);
  renameSync(recovered, lostCluster);
  rmSync(recoveredFolder, { recursive: true, force: true });
  return hadCluster ? aside : undefined;
}

/** Postgres says that it is ready when the last record is repeated and the cluster is a new primary. */
async function replay(
  { archive, recoveredFolder, log, settle }: Recovery,
  base: BaseBackup,
  target: Readonly<Record<string, string>>,
): Promise<Date | undefined> {
  let lastTransactionAt: Date | undefined;
  const postgres = await startEmbeddedPostgres({
    dataFolder: recoveredFolder,
    settings: {
      ...target,
      restore_command: restoreCommand(archive),
      recovery_target_action: 'promote',
      hot_standby: 'off',
      archive_mode: 'off',
    },
    log: (_level, line) => {
      const [, moment] = /last completed transaction was at log time (.+)$/.exec(line) ?? [];
      if (moment !== undefined) lastTransactionAt = new Date(moment);
      log?.(line);
    },
  });
  try {
    await settle?.(postgres.connection, lastTransactionAt ?? new Date(base.finishedAt));
    const client = new pg.Client(postgres.connection);
    await client.connect();
    try {
      await client.query('checkpoint');
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
  return lastTransactionAt;
}

function describeChain(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${describeChain(error.cause)}` : '';
}

/** On the command line Postgres does not know the names of time zones yet, and Z is one. */
function toPostgresTime(moment: Date): string {
  return moment.toISOString().replace('Z', '+00');
}
