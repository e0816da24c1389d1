import pg from 'pg';
import { BackupError } from './backup-error.ts';
import { readCatalogue } from './read-catalogue.ts';

/** In an external database, which cannot be made beside its place: as long as it is there the rows are not all there. */
const MARK = 'linkoteca_restore_unfinished';

/** @throws BackupError where there is something in the database already. */
export async function requireEmptyDatabase(connect: pg.ClientConfig): Promise<void> {
  await refuseUnfinished(connect);
  const { tables, foreignSchemas } = await on(connect, readCatalogue);
  if (tables.length > 0 || foreignSchemas.length > 0)
    throw new BackupError(
      'O banco de DATABASE_URL já tem conteúdo: restaure num banco vazio (create database).',
    );
}

export async function markUnfinished(connect: pg.ClientConfig): Promise<void> {
  await on(connect, (client) => client.query(`create schema ${MARK}`));
}

export async function unmarkFinished(connect: pg.ClientConfig): Promise<void> {
  await on(connect, (client) => client.query(`drop schema ${MARK}`));
}

/** @throws BackupError where a restoration began and did not end. */
export async function refuseUnfinished(connect: pg.ClientConfig): Promise<void> {
  const { rows } = await on(connect, (client) =>
    client.query<{ found: boolean }>('select to_regnamespace($1) is not null as found', [MARK]),
  );
  if (rows[0]?.found === true)
    throw new BackupError(
      'No banco de DATABASE_URL uma restauração não terminou: apague o banco, crie-o de novo e restaure outra vez.',
    );
}

async function on<T>(connect: pg.ClientConfig, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connect);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
