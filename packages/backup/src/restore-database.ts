import { pipeline } from 'node:stream/promises';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { readHistory } from '@linkoteca/migrations/earlier-history';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import type { MigrationFolders, MigrationNames } from '@linkoteca/migrations/pending-migrations';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type ArchiveEntry, readJson } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { type LoadedTables, prepareTables } from './load-tables.ts';
import {
  type Manifest,
  nameTable,
  type SequenceState,
  type StoragePolicy,
  type Totals,
} from './make-backup.ts';
import { asOwner, connectPatiently, quoteColumns, quoteName } from './table-sql.ts';

export type RestoreOptions = {
  /** An empty database, as the account that is to own the product's tables. */
  readonly connect: pg.ClientConfig;
  readonly folders: MigrationFolders;
  readonly archive: AsyncIterable<ArchiveEntry>;
  readonly writeFile: (file: RestoredFile, body: AsyncIterable<Buffer>) => Promise<void>;
  readonly onProgress?: (progress: { readonly rows: number; readonly files: number }) => void;
};

export type RestoredFile = { readonly bucketId: string; readonly version: string };

export type RestoreReport = {
  readonly manifest: Manifest;
  readonly totals: Totals;
  readonly jwtSecrets: readonly string[];
  /** Applied on top of what the backup had. */
  readonly newer: readonly string[];
  /** In Portuguese: what the backup has and this database could not take. */
  readonly warnings: readonly string[];
};

/**
 * Fills an empty database from a backup: the schema by its own migrations, as many as the backup had, then the rows, then the newer
 * migrations. Rights are never copied, so they are those of a new installation. The rows become visible together, when the backup
 * was read to its end and they have been counted.
 * @throws BackupError, MigrationError, or the database's error; the database is then to be thrown away.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreReport> {
  const { connect, folders } = options;
  const entries = options.archive[Symbol.asyncIterator]();
  try {
    const manifest = (await readJson(await expectEntry(entries, 'manifest'))) as Manifest;
    const secrets = (await readJson(await expectEntry(entries, 'secrets'))) as { jwtSecrets: string[] };
    const warnings: string[] = [];
    const only = leaveOutUnknown(manifest.migrations, folders, warnings);
    await applyMigrations({ connect, ...folders, only });
    const totals = await loadData(options, manifest, entries, warnings);
    const { applied } = await applyMigrations({ connect, ...folders });
    await analyze(connect);
    return { manifest, totals, jwtSecrets: secrets.jwtSecrets, newer: applied, warnings };
  } finally {
    await entries.return?.();
  }
}

type Entries = AsyncIterator<ArchiveEntry>;

async function expectEntry(entries: Entries, kind: string): Promise<ArchiveEntry> {
  const next = await entries.next();
  if (next.done === true || next.value.header.kind !== kind)
    throw new BackupError('O backup está danificado: falta o começo do conteúdo.');
  return next.value;
}

/** A migration between ours that came from somewhere else (a hosted project) is not here; a newer one is for `applyMigrations` to refuse. */
function leaveOutUnknown(
  { platform, product }: MigrationNames,
  { migrationsFolder }: MigrationFolders,
  warnings: string[],
): MigrationNames {
  const ours = listMigrations(migrationsFolder).map(({ version }) => version);
  const backed = readHistory(product, ours);
  const newest = BigInt(ours.at(-1) ?? 0);
  const isForeign = (version: string) => !ours.includes(version) && BigInt(version) < newest;
  warnings.push(
    ...backed
      .filter(isForeign)
      .map((version) => `a migração ${version} não é desta Linkoteca: não foi refeita`),
  );
  return { platform, product: backed.filter((version) => !isForeign(version)) };
}

async function loadData(
  { connect, writeFile, onProgress = () => undefined }: RestoreOptions,
  manifest: Manifest,
  entries: Entries,
  warnings: string[],
): Promise<Totals> {
  const client = await connectPatiently(connect);
  try {
    await client.query('begin');
    const tables = await prepareTables(client, manifest, warnings);
    const counts = { rows: 0, files: 0 };
    let totals: Totals | undefined;
    for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
      const { header, body } = next.value;
      if (header.kind === 'table') counts.rows += await loadTable(client, tables, next.value);
      else if (header.kind === 'sequences')
        await setSequences(client, tables, (await readJson(next.value)) as SequenceState[]);
      else if (header.kind === 'policies')
        await restorePolicies(client, (await readJson(next.value)) as StoragePolicy[], warnings);
      else if (header.kind === 'file') {
        const { bucketId, version } = header as unknown as RestoredFile;
        await writeFile({ bucketId, version }, body);
        counts.files += 1;
      } else if (header.kind === 'totals') totals = (await readJson(next.value)) as Totals;
      onProgress(counts);
    }
    if (totals === undefined) throw new BackupError('O backup está danificado: falta o fim do conteúdo.');
    if (totals.files !== counts.files)
      throw new BackupError(
        `O backup está danificado: tem ${counts.files} dos seus ${totals.files} arquivos.`,
      );
    await tables.check(totals.rows);
    await tables.finish();
    await client.query('commit');
    return totals;
  } finally {
    // What is not committed goes with the connection.
    await client.end();
  }
}

async function loadTable(
  client: pg.Client,
  tables: LoadedTables,
  { header, body }: ArchiveEntry,
): Promise<number> {
  const backed = header as unknown as Manifest['tables'][number];
  const table = tables.find(backed);
  if (table === undefined) return 0;
  try {
    return await asOwner(client, table, async () => {
      const copy = client.query(copyFrom(`copy ${quoteName(table)} (${quoteColumns(backed)}) from stdin`));
      await pipeline(body, copy);
      return copy.rowCount;
    });
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError)) throw cause;
    throw new BackupError(`A restauração parou na tabela ${nameTable(table)}: ${cause.message}.`, { cause });
  }
}

async function setSequences(client: pg.Client, tables: LoadedTables, states: readonly SequenceState[]) {
  for (const state of states) {
    const sequence = tables.findSequence(state);
    if (sequence === undefined) continue;
    await asOwner(client, sequence, () =>
      client.query({
        text: 'select pg_catalog.setval($1::text::regclass, $2::bigint, $3)',
        values: [quoteName(state), state.lastValue, state.isCalled],
      }),
    );
  }
}

/** The first visitors do not wait until the server has learned how much there is of what. */
async function analyze(connect: pg.ClientConfig): Promise<void> {
  const client = await connectPatiently(connect);
  try {
    await client.query('set client_min_messages = error');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Where the service's role steps over policies by itself a platform file makes none; where it cannot, that file has made it already. */
const OF_THE_PLATFORM = /_all_for_service$/;

/** Brings back the policies on files that no migration makes: an operator's, for buckets of their own. */
async function restorePolicies(
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
