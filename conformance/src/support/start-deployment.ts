import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import { readKeys } from './read-keys.ts';

/** A running installation as its clients know it. */
export type Deployment = {
  readonly url: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly dataFolder: string;
};

export type RunningDeployment = { readonly deployment: Deployment; remove(): Promise<void> };

/** A server on a fresh data folder, with the keys that `npm run -s keys` prints for it. */
export async function startDeployment(): Promise<RunningDeployment> {
  const data = await createDataFolder();
  const port = await findFreePort();
  const server = await startServerProcess({ dataFolder: data.path, port });
  const remove = async () => {
    await server.stop();
    await data.remove();
  };
  try {
    const keys = await readKeys({ dataFolder: data.path, port });
    return { deployment: { ...keys, url: server.url, dataFolder: data.path }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
