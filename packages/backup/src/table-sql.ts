import { NOTICE_SILENCE } from '@linkoteca/migrations/run-migration';
import pg from 'pg';
import type { DatabaseTable } from './read-catalogue.ts';

type Named = { readonly schema: string; readonly name: string };

/** `"schema"."name"`. */
export function quoteName({ schema, name }: Named): string {
  return `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
}

/** `"a", "b"`. */
export function quoteColumns({ columns }: Pick<DatabaseTable, 'columns'>): string {
  return columns.map((column) => pg.escapeIdentifier(column)).join(', ');
}

/**
 * Acts as a table's owner within a transaction: policies do not bind it, whether or not the account of the connection is a superuser.
 * What throws ends the transaction, and the role with it.
 */
export async function asOwner<T>(
  client: pg.ClientBase,
  { owner }: { readonly owner: string },
  run: () => Promise<T>,
): Promise<T> {
  await client.query(`set local role ${pg.escapeIdentifier(owner)}`);
  const result = await run();
  await client.query('reset role');
  return result;
}

/** A connection of a backup's own: it may take its time, and reads and writes values in one form whatever the server's settings. */
export async function connectPatiently(connect: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connect, application_name: 'linkoteca backup' });
  // The failing query reports a lost connection; without a listener it would end the process as well.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(FORMS);
  return client;
}

const FORMS = `
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  ${NOTICE_SILENCE};
  set client_encoding = 'UTF8'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = 'hex'; set row_security = off; set search_path = ''
`;
