import { randomBytes } from 'node:crypto';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { runProjectCommand } from '@linkoteca/server-process/run-project-command';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { type SharedPostgres, startSharedPostgres } from '@linkoteca/server-process/start-shared-postgres';
import type { Keys } from './read-keys.ts';

/** One copy of the server, as its clients and its operator know it. */
export type ServerCopy = Omit<Keys, 'url'> & { readonly url: string; readonly process: ServerProcess };

export type Copies = {
  readonly postgres: SharedPostgres;
  readonly jwtSecret: string;
  /** One more copy on the same database; of another version of the program, where its folder is given. */
  start(projectFolder?: string): Promise<ServerCopy>;
  /** Ends all copies and the database. */
  stop(): Promise<void>;
};

/** An external Postgres on which copies of the server run as documented: the same `DATABASE_URL` and `JWT_SECRET`. */
export async function startCopies(): Promise<Copies> {
  const postgres = await startSharedPostgres();
  const jwtSecret = randomBytes(32).toString('hex');
  const environment = { DATABASE_URL: postgres.url, JWT_SECRET: jwtSecret };
  const started: { readonly server: ServerProcess; readonly data: DataFolder }[] = [];
  let keys: Promise<Keys> | undefined;

  async function readSharedKeys(): Promise<Keys> {
    const { stdout } = await runProjectCommand('keys', [], environment);
    return JSON.parse(stdout) as Keys;
  }

  return {
    postgres,
    jwtSecret,
    async start(projectFolder) {
      const data = await createDataFolder();
      const port = await findFreePort();
      const server = await startServerProcess({
        dataFolder: data.path,
        port,
        environment,
        ...(projectFolder === undefined ? {} : { projectFolder }),
      });
      started.push({ server, data });
      keys ??= readSharedKeys();
      return { ...(await keys), url: server.url, process: server };
    },
    async stop() {
      await Promise.all(started.map(({ server }) => server.stop()));
      await Promise.all(started.map(({ data }) => data.remove()));
      await postgres.stop();
    },
  };
}
