import { readCatalogue } from '@linkoteca/backup/read-catalogue';
import { quoteName } from '@linkoteca/backup/table-sql';
import pg from 'pg';

/** Everything that a backup has to bring back: each table's rows, each sequence's place, the policies on files. */
export async function digestDatabase(connect: pg.ClientConfig): Promise<Record<string, unknown>> {
  const client = new pg.Client(connect);
  await client.connect();
  try {
    await client.query(`set timezone = 'UTC'; set search_path = ''`);
    const { tables, sequences } = await readCatalogue(client);
    const found: Record<string, unknown> = {};
    for (const table of tables) {
      const { rows } = await client.query(
        `select count(*)::int as rows, md5(string_agg(t::text, ';' order by t::text collate "C")) as sum from ${quoteName(table)} t`,
      );
      found[`${table.schema}.${table.name}`] = rows[0];
    }
    for (const sequence of sequences) {
      const { rows } = await client.query(`select last_value, is_called from ${quoteName(sequence)}`);
      found[`${sequence.schema}.${sequence.name}`] = rows[0];
    }
    const policies = await client.query(
      `select tablename, policyname, permissive, roles::text[], cmd, qual, with_check from pg_catalog.pg_policies
       where schemaname = 'storage' and policyname !~ '_for_service$' order by 1, 2`,
    );
    return { ...found, policies: policies.rows };
  } finally {
    await client.end();
  }
}
