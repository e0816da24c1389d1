import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDataFolder, type DataFolder } from '@linkoteca/server-process/create-data-folder';
import type { Draw } from '@linkoteca/server-process/create-draw';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { openServerDatabase } from '@linkoteca/server-process/open-server-database';
import { type ServerProcess, startServerProcess } from '@linkoteca/server-process/start-server-process';
import { type SharedPostgres, startSharedPostgres } from '@linkoteca/server-process/start-shared-postgres';
import { createLedger, type Ledger, type Verdict } from './ledger.ts';
import { createWriters, type Keys, readKeys, type Writer } from './people.ts';
import { isRunning, killWithAllBelow } from './processes.ts';
import { findWrongCounters, type Queryable, readEverything } from './read-everything.ts';
import { type LoadKind, startWriting } from './write-load.ts';

export type Installation = {
  readonly dataFolder: string;
  readonly keys: Keys;
  readonly writers: readonly Writer[];
  readonly ledger: Ledger;
  /** The servers, those that were killed as well. */
  readonly servers: readonly ServerProcess[];
  /** Where the Postgres that all use keeps its cluster. */
  readonly postgresFolder: string;
  /** Starts the server of that place again, where it is not running. @returns the seconds until it was ready. */
  start(place?: number): Promise<number>;
  /** Waits until every server is healthy and answers, starting those that have ended, as `npm start` does. @returns the seconds. */
  recover(): Promise<number>;
  startWriting(draw: Draw, kinds?: readonly LoadKind[]): { stop(): Promise<void> };
  /** One look into the database, as its superuser. */
  look<T>(read: (database: Queryable) => Promise<T>): Promise<T>;
  /** Compares what is there with what was acknowledged. */
  compare(): Promise<Verdict>;
  remove(): Promise<void>;
};

export type InstallationOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  /** So many copies on one external Postgres; 0 is one server with a Postgres of its own. */
  readonly copies?: number;
  /** Another way to the external Postgres than straight. */
  readonly reach?: (postgres: SharedPostgres) => Promise<string>;
  /** What each server is started by, see there; it then ends by SIGKILL alone. */
  readonly startedBy?: readonly string[];
  /** Made when missing; removed at the end. */
  readonly data?: DataFolder;
};

const ALL_KINDS: readonly LoadKind[] = ['links', 'imports', 'files', 'accounts'];
const WRITERS = 2;
const RECOVERS_WITHIN_MS = 120_000;
const POLL_MS = 50;

/** The real server, as a process, on a folder of its own, with people who are signed in and a ledger of what they write. */
export async function createInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const { copies = 0, reach, startedBy = [] } = options;
  const postgres = copies > 0 ? await startSharedPostgres({ durable: true }) : undefined;
  const environment: Record<string, string> = { LOG_LEVEL: 'error', ...options.environment };
  if (postgres !== undefined) {
    environment['DATABASE_URL'] = reach === undefined ? postgres.url : await reach(postgres);
    environment['JWT_SECRET'] = randomBytes(32).toString('hex');
  }
  const count = Math.max(copies, 1);
  const folders = await Promise.all(
    Array.from({ length: count }, (_, place) => (place === 0 && options.data) || createDataFolder()),
  );
  const ports = await Promise.all(folders.map(() => findFreePort()));
  const dataFolder = (folders[0] as DataFolder).path;
  const servers: ServerProcess[] = [];

  async function start(place = 0): Promise<number> {
    const since = performance.now();
    const { path } = folders[place] as DataFolder;
    servers[place] = await startServerProcess({
      dataFolder: path,
      port: ports[place] as number,
      environment,
      startedBy,
    });
    return (performance.now() - since) / 1000;
  }

  async function recover(): Promise<number> {
    const since = performance.now();
    for (const [place, server] of servers.entries()) {
      while (!(await serves(server.url, writers[0]?.headers ?? {}))) {
        if (!isRunning(server.pid)) {
          await start(place);
          break;
        }
        if (performance.now() - since > RECOVERS_WITHIN_MS)
          throw new Error(`not healthy after ${RECOVERS_WITHIN_MS} ms:\n${server.output()}`);
        await pause(POLL_MS);
      }
    }
    return (performance.now() - since) / 1000;
  }

  async function look<T>(read: (database: Queryable) => Promise<T>): Promise<T> {
    if (postgres !== undefined) return read(postgres);
    const database = await openServerDatabase(dataFolder);
    try {
      return await read(database);
    } finally {
      await database.end();
    }
  }

  async function remove(): Promise<void> {
    await Promise.all(
      servers.map((server) => (startedBy.length > 0 ? killWithAllBelow(server) : server.stop())),
    );
    await postgres?.stop();
    await Promise.all(folders.map((folder) => folder.remove()));
  }

  async function populate() {
    for (const place of folders.keys()) await start(place);
    const keys = await readKeys({ DATA_DIR: dataFolder, ...environment });
    return { keys, writers: await createWriters((servers[0] as ServerProcess).url, keys, WRITERS) };
  }

  const { keys, writers } = await populate().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const ledger = createLedger();
  // Copies on several machines share object storage, which is not what these faults are about.
  const storageFolder = copies > 1 ? undefined : join(dataFolder, 'storage');

  return {
    dataFolder,
    keys,
    writers,
    ledger,
    servers,
    postgresFolder: postgres?.folder ?? join(dataFolder, 'postgres'),
    start,
    recover,
    look,
    startWriting: (draw, kinds = ALL_KINDS) =>
      startWriting({
        urls: servers.map(({ url }) => url),
        keys,
        writers,
        ledger,
        draw,
        kinds: kinds.filter((kind) => kind !== 'files' || storageFolder !== undefined),
      }),
    compare: () =>
      look(async (database) => {
        const verdict = ledger.judge(await readEverything(database, writers, storageFolder));
        return { ...verdict, lost: [...verdict.lost, ...(await findWrongCounters(database))] };
      }),
    remove,
  };
}

/** Health alone has connections of its own: a table must be readable as well. */
async function serves(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const signal = AbortSignal.timeout(5_000);
  try {
    const health = await fetch(`${url}/health`, { signal });
    const read = await fetch(`${url}/rest/v1/folders?select=id&limit=1`, { headers, signal });
    return health.ok && read.ok;
  } catch {
    return false;
  }
}
