import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { claimCluster } from './claim-cluster.ts';
import { PostgresStartError } from './describe-folder-failure.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';
import { makeFolder } from './folders.ts';
import {
  describeHolder,
  describeOwnProcess,
  isAlive,
  isVisible,
  type LockHolder,
  readHolder,
  removeHolder,
  writeHolder,
} from './lock-holder.ts';

export type FolderLock = { release(): void };

type Claim = {
  readonly dataFolder: string;
  readonly socketFolder: string;
  /** How long to wait for another owner to leave. */
  readonly patienceMilliseconds: number;
  readonly log: (level: 'warn', message: string) => void;
};

/** Somebody who looks whether a server runs holds the lock for this moment. */
const LEAST_PATIENCE_MILLISECONDS = 200;
const POLL_MILLISECONDS = 100;

/**
 * Claims a data folder for this process, by a lock of the kernel's on the folder itself: it counts in every container, there
 * is no file that could be deleted, and nothing has to be tidied up after a crash.
 * @throws PostgresStartError when another process holds it.
 */
export async function lockDataFolder(claim: Claim): Promise<FolderLock> {
  const { dataFolder, socketFolder, patienceMilliseconds, log } = claim;
  const deadline = Date.now() + Math.max(patienceMilliseconds, LEAST_PATIENCE_MILLISECONDS);
  for (let hasTold = false; ; await wait(POLL_MILLISECONDS)) {
    const lock = tryToOwn(dataFolder);
    if (lock) return announce(lock, dataFolder, socketFolder);
    const holder = nameHolder(dataFolder);
    if (Date.now() > deadline) throw refuse(dataFolder, holder);
    if (!hasTold && patienceMilliseconds > 0) {
      log('warn', `the data folder ${dataFolder} is in use; waiting until it is free`);
      hasTold = true;
    }
  }
}

/** A version without kernel locks that still runs on the folder is respected too, where its process can be seen. */
function tryToOwn(dataFolder: string): FileLock | undefined {
  const lock = tryFileLock(dataFolder);
  const earlier = lock && readHolder(dataFolder);
  if (!earlier || !isAlive(earlier)) return lock;
  lock.release();
  return undefined;
}

function announce(lock: FileLock, dataFolder: string, socketFolder: string): FolderLock {
  try {
    writeHolder(dataFolder, describeOwnProcess(socketFolder));
  } catch (error) {
    lock.release();
    throw error;
  }
  return {
    release() {
      removeHolder(dataFolder);
      lock.release();
    },
  };
}

/** What a dead holder has left behind is not named: the living one has not written yet. */
function nameHolder(dataFolder: string): LockHolder | undefined {
  const holder = readHolder(dataFolder);
  return holder && (isAlive(holder) || !isVisible(holder)) ? holder : undefined;
}

function refuse(dataFolder: string, holder: LockHolder | undefined): PostgresStartError {
  const who = holder ? ` (${describeHolder(holder)})` : '';
  return new PostgresStartError(
    `Outra cópia da Linkoteca${who} já usa a pasta de dados ${dataFolder}: ` +
      'encerre-a, ou escolha outra pasta com DATA_DIR.',
  );
}

/**
 * Does something to a data folder, its cluster included, on which no Postgres runs meanwhile, nor can be started: what is left of
 * an earlier one is ended first.
 * @throws PostgresStartError when a server, or a Postgres that cannot be ended from here, uses the folder; what `work` throws.
 */
export async function withOwnedFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  makeFolder(folder);
  const dataFolder = realpathSync(folder);
  const [clusterFolder, socketFolder] = [join(dataFolder, 'cluster'), join(dataFolder, 'socket')];
  const lock = await lockDataFolder({
    dataFolder,
    socketFolder,
    patienceMilliseconds: 0,
    log: () => undefined,
  });
  try {
    if (existsSync(join(clusterFolder, 'PG_VERSION')))
      (await claimCluster(clusterFolder, socketFolder)).release();
    return await work();
  } finally {
    lock.release();
  }
}
