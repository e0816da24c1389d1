import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';

export type RunningServer = {
  readonly url: string;
  readonly dataFolder: string;
  /** A restart waits until this has ended. */
  holdRestart(work: Promise<unknown>): void;
  /** Stops the server as an operator would and starts it again on the same data. */
  restart(): Promise<void>;
  /** Stops it and throws its data away. */
  remove(): Promise<void>;
};

type RunOptions = {
  /** Settings of its own, made for the address where it will answer. */
  readonly environment?: (url: string) => Promise<Readonly<Record<string, string>>>;
};

/** The real server on a fresh data folder and a port of its own. */
export async function runServer(options: RunOptions = {}): Promise<RunningServer> {
  const data = await createDataFolder();
  const port = await findFreePort();
  const environment = (await options.environment?.(`http://127.0.0.1:${port}`)) ?? {};
  const start = () => startServerProcess({ dataFolder: data.path, port, environment });
  let server = await start();
  let held: Promise<unknown> = Promise.resolve();
  return {
    url: server.url,
    dataFolder: data.path,
    holdRestart: (work) => {
      held = Promise.allSettled([held, work]);
    },
    restart: async () => {
      await held;
      await server.stop();
      server = await start();
    },
    remove: async () => {
      await server.stop();
      await data.remove();
    },
  };
}
