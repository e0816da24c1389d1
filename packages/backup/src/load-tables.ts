import pg from 'pg';
import { BackupError } from './backup-error.ts';
import { type Manifest, nameTable, type Totals } from './make-backup.ts';
import { type DatabaseSequence, type DatabaseTable, readCatalogue } from './read-catalogue.ts';
import { asOwner, quoteName } from './table-sql.ts';

type Named = { readonly schema: string; readonly name: string };

export type LoadedTables = {
  /** Undefined for one that no migration makes. */
  find(table: Named): DatabaseTable | undefined;
  findSequence(sequence: Named): DatabaseSequence | undefined;
  /** @throws BackupError where a table has not as many rows as the backup. */
  check(rows: Totals['rows']): Promise<void>;
  /** Gives the tables their triggers back. */
  finish(): Promise<void>;
};

type Trigger = { readonly name: string; readonly state: keyof typeof ENABLE };

const ENABLE = { O: 'enable trigger', A: 'enable always trigger', R: 'enable replica trigger' };

/**
 * Makes the tables ready to be filled as they were: without what migrations have put into them, and without triggers, which would
 * count, tell and refuse as if all of it happened again. Only the rules that hold for rows themselves stay: types, checks, keys.
 */
export async function prepareTables(
  client: pg.Client,
  manifest: Manifest,
  warnings: string[],
): Promise<LoadedTables> {
  const { tables, sequences } = await readCatalogue(client);
  const triggers = new Map<DatabaseTable, readonly Trigger[]>();
  for (const table of tables) triggers.set(table, await listTriggers(client, table));
  for (const [table, its] of triggers)
    await asOwner(client, table, async () => {
      for (const { name } of its) await alterTrigger(client, table, 'disable trigger', name);
    });
  // Whatever refers to a row goes before it.
  for (const table of [...tables].reverse())
    await asOwner(client, table, () => client.query(`delete from ${quoteName(table)} where true`));
  const find = (wanted: Named) => tables.find((table) => nameTable(table) === nameTable(wanted));
  for (const backed of manifest.tables)
    if (find(backed) === undefined)
      warnings.push(`a tabela ${nameTable(backed)} não é desta Linkoteca: não foi restaurada`);
  return {
    find,
    findSequence: (wanted) => sequences.find((sequence) => nameTable(sequence) === nameTable(wanted)),
    async check(rows) {
      for (const table of tables) {
        const counted = await asOwner(client, table, () =>
          client.query<{ count: string }>(`select count(*) from ${quoteName(table)}`),
        );
        const [has, had] = [Number(counted.rows[0]?.count), rows[nameTable(table)] ?? 0];
        if (has !== had)
          throw new BackupError(`A tabela ${nameTable(table)} tem ${has} linhas, e o backup ${had}.`);
      }
    },
    async finish() {
      for (const [table, its] of triggers)
        await asOwner(client, table, async () => {
          for (const { name, state } of its) await alterTrigger(client, table, ENABLE[state], name);
        });
    },
  };
}

async function listTriggers(client: pg.Client, { schema, name }: DatabaseTable): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select t.tgname as name, t.tgenabled as state
     from pg_catalog.pg_trigger t
     join pg_catalog.pg_class c on c.oid = t.tgrelid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and not t.tgisinternal and t.tgenabled <> 'D'`,
    [schema, name],
  );
  return rows;
}

async function alterTrigger(
  client: pg.Client,
  table: DatabaseTable,
  action: string,
  name: string,
): Promise<void> {
  await client.query(`alter table ${quoteName(table)} ${action} ${pg.escapeIdentifier(name)}`);
}
