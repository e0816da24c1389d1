import pg from 'pg';
import type { StoragePolicy } from './make-backup.ts';
import { asOwner, quoteName } from './table-sql.ts';

/** Where the service's role steps over policies by itself a platform file makes none; where it cannot, that file has made it already. */
const OF_THE_PLATFORM = /_all_for_service$/;

/** Brings back the policies on files that no migration makes: an operator's, for buckets of their own. */
export async function restorePolicies(
  client: pg.Client,
  policies: readonly StoragePolicy[],
  warnings: string[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename || '.' || policyname as name from pg_catalog.pg_policies where schemaname = 'storage'`,
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const policy of policies) {
    if (known.has(`${policy.table}.${policy.name}`) || OF_THE_PLATFORM.test(policy.name)) continue;
    await client.query('savepoint policy');
    try {
      const owner = await findOwner(client, policy.table);
      await asOwner(client, { owner }, () => client.query(renderPolicy(policy)));
    } catch (error) {
      await client.query('rollback to savepoint policy');
      const reason = error instanceof Error ? error.message : String(error);
      warnings.push(`a regra ${policy.name} de storage.${policy.table} não pôde ser refeita: ${reason}`);
    }
  }
}

async function findOwner(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ owner: string }>(
    `select tableowner as owner from pg_catalog.pg_tables where schemaname = 'storage' and tablename = $1`,
    [table],
  );
  return rows[0]?.owner ?? '';
}

function renderPolicy({ table, name, permissive, roles, command, using, check }: StoragePolicy): string {
  const to = roles.map((role) => (role === 'public' ? role : pg.escapeIdentifier(role))).join(', ');
  return [
    `create policy ${pg.escapeIdentifier(name)} on ${quoteName({ schema: 'storage', name: table })}`,
    `as ${permissive} for ${command} to ${to}`,
    ...(using === null ? [] : [`using (${using})`]),
    ...(check === null ? [] : [`with check (${check})`]),
  ].join(' ');
}
