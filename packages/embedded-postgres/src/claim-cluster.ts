import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SOCKET_NAME } from './choose-socket-folder.ts';
import { PostgresStartError } from './describe-folder-failure.ts';
import { endOrphanPostmaster, removeStalePidFile } from './end-orphan-postmaster.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';

/** The descriptor under which the programs of Postgres inherit the lock on their cluster. */
export const LOCK_DESCRIPTOR = 3;

/** A Postgres whose server has died writes its checkpoint and ends; its connections notice within moments. */
const PATIENCE_MILLISECONDS = 12_000;
/** What has not ended by then is stuck, or stopped. */
const REMAINS_MILLISECONDS = 5_000;
const POLL_MILLISECONDS = 50;

/**
 * Locks a cluster for one life of Postgres, which inherits the lock: as long as any process of it lives, wherever, no other
 * can be started. Waits for the remains of an earlier one, and ends what does not go. Call it only while holding the data
 * folder's lock.
 * @throws PostgresStartError when a Postgres that cannot be ended from here keeps the cluster.
 */
export async function claimCluster(clusterFolder: string, socketFolder: string): Promise<FileLock> {
  // Nobody deletes this file by mistake for a lock's, and without it there is no cluster.
  const path = join(clusterFolder, 'PG_VERSION');
  const lock = await waitForLock(path, async () => {
    await endOrphanPostmaster(clusterFolder);
    return !(await isListening(socketFolder));
  });
  await removeStalePidFile(clusterFolder);
  return lock;
}

/**
 * Locks a folder in which initdb works: one that a start has left unfinished may still have its initdb.
 * @throws PostgresStartError when that one does not end.
 */
export function claimUnfinished(folder: string): Promise<FileLock> {
  return waitForLock(folder, async () => true);
}

async function waitForLock(path: string, isFree: () => Promise<boolean>): Promise<FileLock> {
  const since = Date.now();
  for (let isPast = 0; isPast < PATIENCE_MILLISECONDS; isPast = Date.now() - since) {
    const free = await isFree();
    const lock = tryFileLock(path);
    if (lock && free) return lock;
    lock?.release();
    if (isPast > REMAINS_MILLISECONDS) killLockHolders(path);
    await wait(POLL_MILLISECONDS);
  }
  throw new PostgresStartError(
    `Um Postgres que daqui não se vê (de outro contêiner, por exemplo) ainda usa ${path.replace(/\/[^/]*$/, '')}: ` +
      'encerre-o ali e inicie de novo; os dados estão intactos.',
  );
}

/** Whether somebody answers on the socket: a Postgres that a version without kernel locks runs in another container. */
function isListening(socketFolder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketFolder, SOCKET_NAME));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Kills what is left of a Postgres: every process of it that can be seen from here, also those that are stopped. */
export function killLockHolders(path: string): void {
  if (process.platform !== 'linux') return;
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  for (const processId of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const held = statSync(`/proc/${processId}/fd/${LOCK_DESCRIPTOR}`);
      if (held.dev !== dev || held.ino !== ino) continue;
      // Whoever copies the file has it open as well, but not locked.
      const facts = readFileSync(`/proc/${processId}/fdinfo/${LOCK_DESCRIPTOR}`, 'utf8');
      if (facts.includes('FLOCK')) process.kill(Number(processId), 'SIGKILL');
    } catch {
      // It has ended, has no such descriptor, or is not ours to look at.
    }
  }
}
