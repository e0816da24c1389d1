import { spawnSync } from 'node:child_process';
import { chmodSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBinaries, restoreLibraryLinks } from './binaries.ts';
import { type Account, chooseAccount } from './choose-account.ts';
import { chooseSocketFolder, discardSocketFolder, prepareSocketFolder } from './choose-socket-folder.ts';
import { claimCluster } from './claim-cluster.ts';
import { clearUnfinished, createCluster } from './create-cluster.ts';
import { describeFolderFailure, PostgresStartError } from './describe-folder-failure.ts';
import { makeFolder } from './folders.ts';
import { listSettings, type PostgresSettings } from './list-settings.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { planLaunch } from './plan-launch.ts';
import { readClusterVersion, readMajorVersion } from './read-major-version.ts';
import { runPostmaster } from './run-postmaster.ts';
import { superviseProcess } from './supervise-process.ts';

export type EmbeddedPostgresOptions = {
  /** Made when missing; holds the cluster, the socket and the lock. One server at a time uses it. */
  readonly dataFolder: string;
  /** As in postgresql.conf; these win over ours. */
  readonly settings?: PostgresSettings;
  /** false: no fsync. Only for data that may be lost. */
  readonly durable?: boolean;
  /** The folder of another Postgres (`bin/`, `lib/`, `share/`). */
  readonly binaries?: string;
  /** The caller holds the folder, by `withOwnedFolder`. */
  readonly isOwned?: boolean;
  /** How long to wait where another server uses the folder; by default it is refused at once. */
  readonly patienceMilliseconds?: number;
  readonly log?: PostgresLog;
};

/** Gets what Postgres says (`debug`) and what its supervisor had to do (`warn`). */
export type PostgresLog = (level: 'debug' | 'warn', message: string) => void;

/** What the `pg` driver needs to connect as the cluster's superuser. */
export type PostgresConnection = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
};

/** What its supervisor knows of a Postgres. */
export type PostgresSupervision = {
  /** How often it has ended unasked. */
  restarts(): number;
  /** Milliseconds since it ended unasked; 0 while it runs. */
  downFor(): number;
};

export type EmbeddedPostgres = PostgresSupervision & {
  readonly socketFolder: string;
  readonly connection: PostgresConnection;
  /** Whether connections are accepted at this moment: false between a crash and the automatic restart. */
  isRunning(): boolean;
  /** Of the postmaster (or its watchdog shell); undefined while there is none. */
  processId(): number | undefined;
  /** Shuts Postgres down cleanly, open connections included, and frees the data folder. */
  stop(): Promise<void>;
};

/**
 * Starts a private Postgres on a unix socket, making its cluster on the first start, and keeps it running: when it
 * crashes it is started again, when this process dies in whatever way it shuts down by itself.
 * @throws PostgresStartError one line that says what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binaries ?? findBinaries();
  restoreLibraryLinks(binaries);
  const dataFolder = openDataFolder(options.dataFolder);
  const socketFolder = await explained(dataFolder, () => chooseSocketFolder(dataFolder));
  const { isOwned = false, patienceMilliseconds = 0, log = () => undefined } = options;
  const lock = await explained(dataFolder, () =>
    isOwned
      ? { release: () => undefined }
      : lockDataFolder({ dataFolder, socketFolder, patienceMilliseconds, log }),
  ).catch((error: unknown) => {
    discardSocketFolder(socketFolder, dataFolder);
    throw error;
  });
  const free = () => {
    discardSocketFolder(socketFolder, dataFolder);
    lock.release();
  };
  try {
    const supervised = await explained(dataFolder, () =>
      superviseCluster({ ...options, binaries, dataFolder, socketFolder }),
    );
    let stopping: Promise<void> | undefined;
    return {
      socketFolder,
      connection: toConnection(socketFolder),
      isRunning: supervised.isRunning,
      restarts: supervised.restarts,
      downFor: supervised.downFor,
      processId: supervised.processId,
      stop() {
        stopping ??= supervised.stop().finally(free);
        return stopping;
      },
    };
  } catch (error) {
    free();
    throw error;
  }
}

/** How to reach the database that listens in `socketFolder`. Trust is safe: only the owner may enter that folder. */
export function toConnection(socketFolder: string): PostgresConnection {
  return { host: socketFolder, port: 5432, user: 'postgres', database: 'postgres' };
}

type Places = { readonly binaries: string; readonly dataFolder: string; readonly socketFolder: string };

async function superviseCluster({
  binaries,
  dataFolder,
  socketFolder,
  durable = true,
  settings: extra = {},
  log = () => undefined,
}: EmbeddedPostgresOptions & Places) {
  const clusterFolder = join(dataFolder, 'cluster');
  // Asked again at each start of Postgres: this process may have given up root's rights in the meantime.
  const choose = () => chooseAccount({ binaries, clusterFolder, socketFolder });
  const account = choose();
  repairCluster(clusterFolder, account);
  const launch = planLaunch(account);
  await clearUnfinished(clusterFolder);
  const ownVersion = readClusterVersion(clusterFolder);
  const majorVersion = ownVersion ?? readMajorVersion(binaries);
  if (ownVersion === undefined) {
    await createCluster({ binaries, majorVersion, clusterFolder, account, launch, durable });
    log('debug', `created the cluster ${clusterFolder}`);
  }
  const settings = listSettings({ majorVersion, durable, socketFolder, extra });
  return superviseProcess({
    dataFolder,
    log,
    run: async (stopping) => {
      const lock = await claimCluster(clusterFolder, socketFolder);
      try {
        stopping.throwIfAborted();
        prepareSocketFolder(socketFolder, choose());
        return runPostmaster({
          binaries,
          clusterFolder,
          launch: planLaunch(choose()),
          settings,
          lock,
          log: (line) => log('debug', line),
        });
      } finally {
        // From here on it is Postgres that holds it.
        lock.release();
      }
    },
  });
}

/** A cluster that was copied or restored may be too open, or root's own; Postgres insists that neither is so. */
function repairCluster(clusterFolder: string, { isOther, userId, groupId }: Account): void {
  const found = statSync(clusterFolder, { throwIfNoEntry: false });
  if (!found) return;
  if ((found.mode & 0o027) !== 0) chmodSync(clusterFolder, 0o700);
  if (isOther && found.uid === 0)
    spawnSync('chown', ['-R', `${userId}:${groupId}`, clusterFolder], { stdio: 'ignore' });
}

/** Postgres, as another account, passes through this folder on its way to the cluster; it may not list it. */
function openDataFolder(folder: string): string {
  try {
    makeFolder(resolve(folder));
    return realpathSync(folder);
  } catch (cause) {
    throw new PostgresStartError(
      describeFolderFailure(folder, cause) ??
        `Não foi possível criar a pasta de dados ${folder} (${String(cause)}): escolha outra com DATA_DIR.`,
      { cause },
    );
  }
}

/** Names the real cause of what the file system refuses, wherever it does. */
async function explained<T>(dataFolder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PostgresStartError) throw cause;
    const line = describeFolderFailure(dataFolder, cause);
    throw line === undefined ? cause : new PostgresStartError(line, { cause });
  }
}
