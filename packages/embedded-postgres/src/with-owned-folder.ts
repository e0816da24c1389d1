import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { claimCluster } from './claim-cluster.ts';
import { lockDataFolder } from './lock-data-folder.ts';
import { makeFolder } from './make-folder.ts';

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
