import { realpathSync } from 'node:fs';
import { findLockHolder } from './lock-data-folder.ts';
import { type PostgresConnection, toConnection } from './start-embedded-postgres.ts';

/** How to reach the database that a running server keeps on this data folder; undefined when no server runs on it. */
export function findRunningPostgres(dataFolder: string): PostgresConnection | undefined {
  try {
    const holder = findLockHolder(realpathSync(dataFolder));
    return holder && toConnection(holder.socketFolder);
  } catch {
    return undefined;
  }
}
