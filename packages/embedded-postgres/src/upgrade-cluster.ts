import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { claimCluster } from './claim-cluster.ts';
import { PostgresStartError } from './describe-folder-failure.ts';
import { flushFolder, makeFolder } from './folders.ts';
import { withOwnedFolder } from './lock-data-folder.ts';
import { readClusterVersion, readMajorVersion } from './read-major-version.ts';
import { type PostgresConnection, startEmbeddedPostgres } from './start-embedded-postgres.ts';

export type ClusterUpgrade = {
  /** It holds the cluster. */
  readonly dataFolder: string;
  /** Beside it, on the same disk: where the new cluster is made. */
  readonly workFolder: string;
  /** Gets the Postgres of the cluster's own version, into a folder that goes with the rest of the work. */
  readonly findOldBinaries: (majorVersion: number, folder: string) => Promise<string>;
  /** Brings everything over, and throws unless all of it has arrived. The first refuses to write. */
  readonly transfer: (from: PostgresConnection, to: PostgresConnection) => Promise<void>;
  /** Called when all is ready and nothing is changed yet. */
  readonly beforeSwap?: () => Promise<void>;
  readonly now: () => Date;
};

/** Two clusters have changed places. */
export type ClusterSwap = {
  readonly from: number;
  readonly to: number;
  /** Where the cluster that was used before is kept. */
  readonly keptAside: string;
};

/**
 * Moves a cluster to the major version of this program's Postgres: a new one is made beside it, filled, and put in its place; the
 * old one is kept. Cut short at any moment, the old one is in use as if nothing had been, or the next call finishes.
 * @returns undefined when it has that version already.
 * @throws PostgresStartError, or what `transfer` throws; the old cluster is untouched then, and a new one that is not whole is gone.
 */
export async function upgradeCluster(upgrade: ClusterUpgrade): Promise<ClusterSwap | undefined> {
  const { dataFolder, workFolder } = upgrade;
  return withOwnedFolder(dataFolder, async () => {
    const finished = settleInterrupted(upgrade);
    if (finished) return finished;
    const from = requireVersion(dataFolder);
    const to = readMajorVersion(findBinaries());
    if (from === to) return undefined;
    if (from > to)
      throw new PostgresStartError(
        `O banco de dados é do Postgres ${from}, e este programa traz o ${to}: use uma versão mais nova da Linkoteca.`,
      );
    const clear = () => rm(workFolder, { recursive: true, force: true });
    await withOwnedFolder(workFolder, clear);
    await makeNewCluster(upgrade, from).catch(async (error: unknown) => {
      await clear().catch(() => undefined);
      throw error;
    });
    await upgrade.beforeSwap?.();
    const keptAside = swap(upgrade, join(workFolder, 'cluster'), from);
    await clear();
    return { from, to, keptAside };
  });
}

/**
 * The way back: puts the cluster that an upgrade has kept into its place again, and keeps the newer one. What was written since the
 * upgrade stays in the newer one alone.
 * @throws PostgresStartError when none is kept.
 */
export async function revertUpgrade(
  options: Pick<ClusterUpgrade, 'dataFolder' | 'beforeSwap' | 'now'>,
): Promise<ClusterSwap> {
  const { dataFolder, beforeSwap, now } = options;
  return withOwnedFolder(dataFolder, async () => {
    const current = readClusterVersion(join(dataFolder, 'cluster'));
    // Cut short between its two steps it has left no cluster, but the newer one among those that are kept.
    const newest = current ?? Math.max(0, ...listKept(dataFolder).map(({ version }) => version));
    const earlier = listKept(dataFolder).findLast(({ version }) => version < newest);
    if (earlier === undefined)
      throw new PostgresStartError(`Não há um banco de dados de antes em ${dataFolder}: nada foi mudado.`);
    await beforeSwap?.();
    const path = join(dataFolder, earlier.name);
    if (current !== undefined)
      return { from: current, to: earlier.version, keptAside: swap({ dataFolder, now }, path, current) };
    put(path, dataFolder);
    const left = listKept(dataFolder).findLast(({ version }) => version === newest);
    return { from: newest, to: earlier.version, keptAside: join(dataFolder, left?.name ?? '') };
  });
}

function requireVersion(dataFolder: string): number {
  const version = readClusterVersion(join(dataFolder, 'cluster'));
  if (version !== undefined) return version;
  throw new PostgresStartError(`Não há um banco de dados em ${dataFolder}: confira DATA_DIR.`);
}

/** A swap that was cut short between its two steps: finished when the new cluster is whole, else undone. */
function settleInterrupted({ dataFolder, workFolder }: ClusterUpgrade): ClusterSwap | undefined {
  const kept = listKept(dataFolder).at(-1);
  if (existsSync(join(dataFolder, 'cluster')) || kept === undefined) return undefined;
  const made = join(workFolder, 'cluster');
  const to = existsSync(readyMark(workFolder)) ? readClusterVersion(made) : undefined;
  put(to === undefined ? join(dataFolder, kept.name) : made, dataFolder);
  if (to === undefined) return undefined;
  rmSync(workFolder, { recursive: true, force: true });
  return { from: kept.version, to, keptAside: join(dataFolder, kept.name) };
}

async function makeNewCluster(upgrade: ClusterUpgrade, from: number): Promise<void> {
  const { dataFolder, workFolder, findOldBinaries, transfer } = upgrade;
  const made = join(workFolder, 'cluster');
  makeFolder(workFolder);
  mkdirSync(made, { mode: 0o700 });
  // The new one is made for the account that the old one belongs to.
  const { uid, gid } = statSync(join(dataFolder, 'cluster'));
  if (process.getuid?.() === 0) chownSync(made, uid, gid);
  const binaries = await findOldBinaries(from, join(workFolder, 'programs'));
  const old = await startEmbeddedPostgres({
    dataFolder,
    binaries,
    isOwned: true,
    settings: { default_transaction_read_only: 'on', archive_mode: 'off' },
  });
  try {
    const fresh = await startEmbeddedPostgres({ dataFolder: workFolder });
    try {
      await transfer(old.connection, fresh.connection);
    } finally {
      await fresh.stop();
    }
  } finally {
    await old.stop();
  }
  for (const folder of [dataFolder, workFolder])
    (await claimCluster(join(folder, 'cluster'), join(folder, 'socket'))).release();
  writeFileSync(readyMark(workFolder), '', { flush: true });
  flushFolder(workFolder);
}

const readyMark = (workFolder: string) => join(workFolder, 'ready');

/** @returns where the cluster that gives way is kept. */
function swap(
  { dataFolder, now }: Pick<ClusterUpgrade, 'dataFolder' | 'now'>,
  path: string,
  version: number,
): string {
  const aside = join(dataFolder, `cluster.${version}-${now().toISOString().replaceAll(/[-:.]/g, '')}`);
  renameSync(join(dataFolder, 'cluster'), aside);
  flushFolder(dataFolder);
  put(path, dataFolder);
  return aside;
}

function put(path: string, dataFolder: string): void {
  renameSync(path, join(dataFolder, 'cluster'));
  flushFolder(dataFolder);
}

/** The clusters that were kept, the one kept last at the end. */
function listKept(dataFolder: string): readonly { readonly name: string; readonly version: number }[] {
  return readdirSync(dataFolder)
    .flatMap((name) => {
      const [, version, time = ''] = /^cluster\.(\d+)-(\w+)$/.exec(name) ?? [];
      return version === undefined ? [] : [{ name, version: Number(version), time }];
    })
    .sort((one, other) => one.time.localeCompare(other.time));
}
