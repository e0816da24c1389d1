import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PostgresStartError } from './describe-folder-failure.ts';
import type { PostgresSettings } from './list-settings.ts';

/**
 * A folder of continuous archiving (Postgres manual, "Continuous Archiving and Point-in-Time Recovery"): `wal/` has each finished
 * segment of the write-ahead log, compressed, `base/` the copies of the cluster that recovery starts from.
 */
export type WalArchive = { readonly folder: string };

/** The account that Postgres runs as, where it is another one. */
type Owner = { readonly userId: number; readonly groupId: number };

/** What stands beside the copied cluster as `base.json`. Moments are ISO 8601 in UTC. */
export type BaseBackup = {
  readonly name: string;
  readonly majorVersion: number;
  /** The first segment that recovery needs. */
  readonly firstSegment: string;
  /** Recovery can reach this moment and any later one. */
  readonly finishedAt: string;
  readonly bytes: number;
};

/** A segment is closed after this long even when little was written: so much may be lost together with the disk of the database. */
const LONGEST_SEGMENT_SECONDS = 60;
const SEGMENT = /^[0-9A-F]{24}$/;
const UNFINISHED = '.part';

export const walFolderOf = ({ folder }: WalArchive): string => join(folder, 'wal');
export const baseFolderOf = ({ folder }: WalArchive): string => join(folder, 'base');
/** Where a base backup of that name is made. */
export const unfinishedBaseOf = (archive: WalArchive, name: string): string =>
  join(baseFolderOf(archive), `${name}${UNFINISHED}`);

/** Makes the folders, closed to everybody but the account that Postgres runs as: they hold all that the database does. */
export function openWalArchive(folder: string, owner?: Owner): WalArchive {
  const archive = { folder };
  try {
    for (const path of [folder, walFolderOf(archive), baseFolderOf(archive)]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chmodSync(path, 0o700);
      if (owner) chownSync(path, owner.userId, owner.groupId);
    }
  } catch (cause) {
    throw new PostgresStartError(
      `Não foi possível preparar a pasta ${folder} de WAL_ARCHIVE_DIR (${(cause as NodeJS.ErrnoException).code}): corrija o caminho ou a permissão.`,
      { cause },
    );
  }
  return archive;
}

/**
 * What Postgres is told so that it archives. A segment that is there already with the same content counts as archived (a crash right
 * after archiving makes Postgres ask again); one with another content is never overwritten.
 */
export function listArchiveSettings(archive: WalArchive): PostgresSettings {
  const target = `${quote(walFolderOf(archive))}/%f.gz`;
  const same = `gzip -dc ${target} | cmp -s - %p`;
  const write = `gzip -1 -c %p > ${target}.part && sync ${target}.part && mv ${target}.part ${target} && sync ${quote(walFolderOf(archive))}`;
  return {
    archive_mode: 'on',
    archive_command: `if test -f ${target}; then ${same}; else ${write}; fi`,
    archive_timeout: String(LONGEST_SEGMENT_SECONDS),
  };
}

/** What Postgres is told so that it fetches segments during a recovery. */
export function restoreCommand(archive: WalArchive): string {
  const source = `${quote(walFolderOf(archive))}/%f.gz`;
  return `test -f ${source} && gzip -dc ${source} > %p`;
}

/** The finished base backups, the oldest first. */
export async function listBaseBackups(archive: WalArchive): Promise<readonly BaseBackup[]> {
  const names = (await readdir(baseFolderOf(archive)).catch(() => [])).filter((name) => !name.includes('.'));
  const found = await Promise.all(
    names.map((name) => readBase(join(baseFolderOf(archive), name, 'base.json'))),
  );
  return found
    .filter((base) => base !== undefined)
    .sort((one, other) => one.finishedAt.localeCompare(other.finishedAt));
}

async function readBase(path: string): Promise<BaseBackup | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as BaseBackup;
  } catch {
    return undefined;
  }
}

/** Removes base backups that were cut short: on a full disk they would keep archiving from ever working again. */
export async function clearUnfinishedBases(archive: WalArchive): Promise<void> {
  for (const name of await readdir(baseFolderOf(archive)).catch(() => [])) {
    if (name.endsWith(UNFINISHED))
      await rm(join(baseFolderOf(archive), name), { recursive: true, force: true });
  }
}

/**
 * Removes what recovery to any moment since `since` does not need: base backups before the one that such a recovery would begin with,
 * unfinished ones, and segments older than the first one needed.
 * @param least so many base backups stay whatever `since` says: a clock that is ahead must not empty the archive.
 */
export async function pruneWalArchive(archive: WalArchive, since: Date, least: number): Promise<void> {
  const bases = await listBaseBackups(archive);
  const oldestNeeded = bases.findLastIndex(({ finishedAt }) => new Date(finishedAt) <= since);
  const kept = bases.slice(Math.max(0, Math.min(oldestNeeded, bases.length - least)));
  const names = new Set(kept.map(({ name }) => name));
  for (const name of await readdir(baseFolderOf(archive))) {
    if (!names.has(name)) await rm(join(baseFolderOf(archive), name), { recursive: true, force: true });
  }
  // The first eight digits are the timeline, which says nothing about the order.
  const position = (segment: string) => segment.slice(8);
  const oldest = kept.map(({ firstSegment }) => position(firstSegment)).sort()[0];
  if (oldest === undefined) return;
  for (const name of await readdir(walFolderOf(archive))) {
    const segment = name.slice(0, 24);
    const isOld = SEGMENT.test(segment) && position(segment) < oldest;
    if (isOld) await rm(join(walFolderOf(archive), name), { force: true });
  }
}

/**
 * Base backups of a history that a recovery left: they lead to moments that are no longer part of the database's past. They go with the
 * next pruning.
 */
export async function setAsideBaseBackups(archive: WalArchive, after: Date): Promise<void> {
  for (const { name, finishedAt } of await listBaseBackups(archive)) {
    if (new Date(finishedAt) > after)
      await rename(join(baseFolderOf(archive), name), join(baseFolderOf(archive), `${name}.undone`));
  }
}

/**
 * Keeps the archive to one history: the segments of another cluster, after a restored backup or a move to a newer major version, or of
 * this one before an earlier state of it was put back, have the same names, and Postgres would never archive over them. What is there of
 * another history is kept in a folder that nothing prunes.
 * @param clusterFolder where there is none yet, nothing is done.
 */
export async function reserveWalArchive(
  archive: WalArchive,
  {
    clusterFolder,
    owner,
    now,
  }: { readonly clusterFolder: string; readonly owner?: Owner; readonly now: Date },
): Promise<void> {
  const own = await readSystemIdentifier(clusterFolder);
  if (own === undefined) return;
  const path = join(archive.folder, 'system-identifier');
  const known = await readFile(path, 'utf8').catch(() => own);
  if (known !== own || (await hasGoneOnWithout(archive, clusterFolder))) {
    await setAside(archive, now);
    openWalArchive(archive.folder, owner);
  }
  await writeFile(path, own, { flush: true });
}

/**
 * Whether the archive has what another life of this cluster wrote: a copy of its folder, or a snapshot of its disk, was put back. A
 * segment is archived when it is finished, and stays as it is until its file gets another name.
 */
async function hasGoneOnWithout(archive: WalArchive, clusterFolder: string): Promise<boolean> {
  const timeline = await readTimeline(clusterFolder);
  const walFolder = join(clusterFolder, 'pg_wal');
  // In this order: a Postgres that is still running may finish and archive one meanwhile.
  const archived = new Set(await readdir(walFolderOf(archive)).catch(() => []));
  const newest = (await readdir(walFolder).catch(() => []))
    .filter((name) => SEGMENT.test(name) && name.slice(0, 8) === timeline && archived.has(`${name}.gz`))
    .sort()
    .at(-1);
  if (newest === undefined) return false;
  const [kept, own] = await Promise.all([
    readFile(join(walFolderOf(archive), `${newest}.gz`))
      .then(gunzipSync)
      .catch(() => undefined),
    readFile(join(walFolder, newest)).catch(() => undefined),
  ]);
  if (kept === undefined || own === undefined || own.equals(kept)) return false;
  // Renamed and used again while it was read.
  return existsSync(join(walFolder, newest));
}

/** Of the last checkpoint: `checkPointCopy.ThisTimeLineID` in Postgres's control file. */
async function readTimeline(clusterFolder: string): Promise<string | undefined> {
  const control = await readFile(join(clusterFolder, 'global/pg_control')).catch(() => undefined);
  if (control === undefined || control.length < 52) return undefined;
  return control.readUInt32LE(48).toString(16).toUpperCase().padStart(8, '0');
}

/** The first eight bytes of Postgres's control file: initdb gives each cluster another. */
async function readSystemIdentifier(clusterFolder: string): Promise<string | undefined> {
  const control = await readFile(join(clusterFolder, 'global/pg_control')).catch(() => undefined);
  return control?.subarray(0, 8).toString('hex');
}

async function setAside(archive: WalArchive, now: Date): Promise<void> {
  const aside = join(archive.folder, `before-${now.toISOString().replaceAll(/[-:.]/g, '')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const path of [walFolderOf(archive), baseFolderOf(archive)])
    await rename(path, join(aside, basename(path)));
}

/** For the shell; `%` means something to Postgres. */
function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`;
}
