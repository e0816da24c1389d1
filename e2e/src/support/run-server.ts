import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';

export type RunningServer = {
  readonly url: string;
  readonly dataFolder: string;
  /** Stops the server as an operator would and starts it again on the same data. */
  restart(): Promise<void>;
  /** Stops it and throws its data away. */
  remove(): Promise<void>;
};

/** The real server on a fresh data folder and a port of its own. */
export async function runServer(): Promise<RunningServer> {
  const data = await createDataFolder();
  const port = await findFreePort();
  const start = () => startServerProcess({ dataFolder: data.path, port });
  let server = await start();
  return {
    url: server.url,
    dataFolder: data.path,
    restart: async () => {
      await server.stop();
      server = await start();
    },
    remove: async () => {
      await server.stop();
      await data.remove();
    },
  };
}
