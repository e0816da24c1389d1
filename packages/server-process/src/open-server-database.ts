import { join } from 'node:path';
import { findRunningPostgres } from '@linkoteca/embedded-postgres/find-running-postgres';
import pg from 'pg';

export type ServerDatabase = pg.Client;

/**
 * The own database of the server that runs on this data folder, as its superuser: what an operator with psql would do.
 * To be ended by the caller.
 * @throws Error when no server runs on the folder.
 */
export async function openServerDatabase(dataFolder: string): Promise<ServerDatabase> {
  const connection = findRunningPostgres(join(dataFolder, 'postgres'));
  if (connection === undefined) throw new Error(`no database runs on ${dataFolder}`);
  const client = new pg.Client(connection);
  // A database that is killed on purpose must not take the tests with it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
