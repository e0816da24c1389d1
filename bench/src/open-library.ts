import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import pg from 'pg';
import { seedLibrary } from './seed-library.ts';
import { signInAs } from './sign-in-as.ts';
import { type RunningServer, startServer } from './start-server.ts';

/** Kept between runs: a million links take minutes to write. Ignored by git. */
const DATA_FOLDER = fileURLToPath(new URL('../results/data', import.meta.url));

export type LibraryUser = {
  readonly id: string;
  readonly email: string;
  readonly categoryId: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type Library = {
  readonly server: RunningServer;
  /** The server's own Postgres, as its superuser. */
  readonly connection: pg.ClientConfig;
  readonly largest: LibraryUser;
  readonly ordinary: LibraryUser;
  /** Whoever writes: the sizes of the other two libraries stay what they are. */
  readonly writer: LibraryUser;
  close(): Promise<unknown>;
};

/** Starts the server over the benchmark's library, filling it on the first run. */
export async function openLibrary(): Promise<Library> {
  const server = await startServer(DATA_FOLDER);
  try {
    return await fillLibrary(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function fillLibrary(server: RunningServer): Promise<Library> {
  const connection = findRunningPostgres(join(DATA_FOLDER, 'postgres'));
  if (connection === undefined) throw new Error(`no database runs on ${DATA_FOLDER}`);
  const largest = await signInAs(server, 'cem-mil@exemplo.com.br');
  const ordinary = await signInAs(server, 'comum@exemplo.com.br');
  const writer = await signInAs(server, 'autor@exemplo.com.br');
  await seedLibrary(connection, { largest: largest.id, known: [largest.id, ordinary.id, writer.id] });
  return {
    server,
    connection,
    largest: { ...largest, categoryId: await findCategory(connection, largest.id) },
    ordinary: { ...ordinary, categoryId: await findCategory(connection, ordinary.id) },
    writer: { ...writer, categoryId: await findCategory(connection, writer.id) },
    close: server.stop,
  };
}

async function findCategory(connection: pg.ClientConfig, userId: string): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    'select id from public.categories where user_id = $1 order by name limit 1',
    [userId],
  );
  await client.end();
  return rows[0].id;
}
