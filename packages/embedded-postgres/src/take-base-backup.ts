import { constants } from 'node:fs';
import {
  copyFile,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type BaseBackup, baseFolderOf, unfinishedBaseOf, type WalArchive } from './wal-archive.ts';

type Source = {
  /** As superuser. */
  readonly connection: pg.ClientConfig;
  readonly clusterFolder: string;
};

/** Waiting for the last segment to be archived; more than that is an archive that does not work. */
const ARCHIVING_PATIENCE_MS = 120_000;
/** What Postgres makes anew by itself, or what would be wrong in a copy (Postgres manual, "Backing Up The Data Directory"). */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_internal\.init.*|backup_label.*|tablespace_map.*|recovery\.signal|standby\.signal)$/;

/**
 * Copies the cluster while it runs, by the low-level interface: `pg_backup_start`, the files, `pg_backup_stop`. The segments written
 * meanwhile are in the archive when it returns.
 * @param clock the name is made from it.
 * @throws the driver's error, or that of the file system; nothing half finished stays then.
 */
export async function takeBaseBackup(
  archive: WalArchive,
  { connection, clusterFolder }: Source,
  clock: () => Date,
): Promise<BaseBackup> {
  const name = clock()
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const unfinished = unfinishedBaseOf(archive, name);
  const client = new pg.Client({ ...connection, application_name: 'linkoteca base backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(join(unfinished, 'cluster'), { recursive: true, mode: 0o700 });
    const start = await first<{ segment: string; version: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('linkoteca ${name}', fast => true)) as segment,
         current_setting('server_version_num') as version`,
    );
    const bytes = await copyTree(clusterFolder, join(unfinished, 'cluster'), true);
    await client.query(`set statement_timeout = ${ARCHIVING_PATIENCE_MS}`);
    const stop = await first<{ labelfile: string; spcmapfile: string; finished: Date }>(
      client,
      'select labelfile, spcmapfile, clock_timestamp() as finished from pg_backup_stop(wait_for_archive => true)',
    );
    await writeFile(join(unfinished, 'cluster/backup_label'), stop.labelfile, { mode: 0o600, flush: true });
    if (stop.spcmapfile.trim() !== '')
      await writeFile(join(unfinished, 'cluster/tablespace_map'), stop.spcmapfile, {
        mode: 0o600,
        flush: true,
      });
    const base: BaseBackup = {
      name,
      majorVersion: Math.floor(Number(start.version) / 10_000),
      firstSegment: start.segment,
      finishedAt: stop.finished.toISOString(),
      bytes,
    };
    await writeFile(join(unfinished, 'base.json'), JSON.stringify(base), { mode: 0o600, flush: true });
    await rename(unfinished, join(baseFolderOf(archive), name));
    await flush(baseFolderOf(archive));
    return base;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    // Ends a backup that was begun and not finished as well.
    await client.end().catch(() => undefined);
  }
}

async function first<Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row> {
  const { rows } = await client.query<Row>(text);
  const [row] = rows;
  if (!row) throw new Error('no row');
  return row;
}

/** A file that Postgres changes meanwhile is made whole by the log; one that it removes is not missed. @returns bytes. */
async function copyTree(from: string, to: string, isTop = false): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(from, { withFileTypes: true }).catch(ignoreGone)) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o700 });
      if (!(isTop && EMPTIED.has(entry.name))) bytes += await copyTree(source, target);
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) bytes += await copyOne(source, target);
  }
  await flush(to);
  return bytes;
}

async function copyOne(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_FICLONE);
  } catch (error) {
    return ignoreGone(error).length;
  }
  await flush(target);
  return (await stat(target)).size;
}

function ignoreGone(error: unknown): never[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
