import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SOCKET_NAME } from './choose-socket-folder.ts';
import { tryFileLock } from './file-lock.ts';
import { isAlive, isVisible, readHolder } from './lock-holder.ts';
import { type PostgresConnection, toConnection } from './start-embedded-postgres.ts';

/** How to reach the database that a running server keeps on this data folder; undefined when no server runs on it. */
export function findRunningPostgres(folder: string): PostgresConnection | undefined {
  try {
    const dataFolder = realpathSync(folder);
    const holder = readHolder(dataFolder);
    if (!holder || !(isAlive(holder) || (!isVisible(holder) && isHeld(dataFolder)))) return undefined;
    // The folder may have another path in the holder's container; a socket is reached wherever it is mounted.
    const socketFolder = [holder.socketFolder, join(dataFolder, 'socket')].find((place) =>
      existsSync(join(place, SOCKET_NAME)),
    );
    return socketFolder === undefined ? undefined : toConnection(socketFolder);
  } catch {
    return undefined;
  }
}

/** A start at this very moment waits for as long as this look takes. */
function isHeld(dataFolder: string): boolean {
  const lock = tryFileLock(dataFolder);
  lock?.release();
  return lock === undefined;
}
