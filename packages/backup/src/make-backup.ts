import type { Readable } from 'node:stream';
import type { MigrationNames } from '@linkoteca/migrations/pending-migrations';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { packArchive, writeEntry, writeJson } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { holdFiles } from './hold-files.ts';
import { type Catalogue, type DatabaseTable, readCatalogue } from './read-catalogue.ts';
import { asOwner, connectPatiently, quoteColumns, quoteName } from './table-sql.ts';

export type StoredFile = { readonly bucketId: string; readonly version: string; readonly bytes: number };

export type BackupProgress = { readonly doneBytes: number; readonly allBytes: number; readonly rows: number };

export type BackupOptions = {
  /** The account that owns the product's tables. */
  readonly connect: pg.ClientConfig;
  /** Undefined where a record's bytes are nowhere. */
  readonly readFile: (file: StoredFile) => Promise<Readable | undefined>;
  readonly jwtSecrets: readonly string[];
  readonly programVersion: string;
  readonly passphrase: string | undefined;
  /** Keeps the bytes. It returns when they are safe; when it throws there is no backup. */
  readonly write: (bytes: AsyncIterable<Buffer>) => Promise<void>;
  readonly onProgress?: (progress: BackupProgress) => void;
};

export type BackupReport = { readonly manifest: Manifest; readonly totals: Totals };

/**
 * Writes database, files and secrets of one instant into one file, while everything goes on. Nothing is kept in memory but the
 * list of the files.
 * @throws BackupError, the database's or the store's error.
 */
export async function makeBackup(options: BackupOptions): Promise<BackupReport> {
  const client = await connectPatiently(options.connect);
  try {
    await holdFiles(client);
    let report: BackupReport | undefined;
    async function* frames() {
      report = yield* dump(client, options);
    }
    await options.write(packArchive(frames(), options.passphrase));
    if (report === undefined) throw new Error('the backup was not written to its end');
    return report;
  } finally {
    await client.end();
  }
}

/** How much a backup would have to hold at most, uncompressed. */
export async function measureDatabase(
  connect: pg.ClientConfig,
): Promise<{ readonly tableBytes: number; readonly fileBytes: number }> {
  const client = await connectPatiently(connect);
  try {
    await client.query('begin read only');
    const { tables } = await readCatalogue(client);
    const files = await listFiles(client, tables);
    const tableBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
    return { tableBytes, fileBytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  } finally {
    await client.end();
  }
}

async function* dump(client: pg.Client, options: BackupOptions): AsyncGenerator<Buffer, BackupReport> {
  await client.query('begin isolation level repeatable read read only');
  const catalogue = await readCatalogue(client);
  const manifest = await readManifest(client, catalogue, options);
  const files = await listFiles(client, catalogue.tables);
  const progress = watchProgress(catalogue, files, options.onProgress);

  yield* writeJson({ kind: 'manifest' }, manifest);
  yield* writeJson({ kind: 'secrets' }, { jwtSecrets: options.jwtSecrets });
  const rows: Record<string, number> = {};
  for (const table of catalogue.tables) {
    rows[nameTable(table)] = yield* dumpTable(client, table);
    progress.add(table.bytes, rows[nameTable(table)]);
  }
  // Sequences know no snapshot: read after the rows, they are never behind them.
  yield* writeJson({ kind: 'sequences' }, await readSequences(client, catalogue));
  yield* writeJson({ kind: 'policies' }, await readPolicies(client));
  // An old snapshot keeps the whole database from being tidied up: the lock alone holds the files.
  await client.query('commit');

  const totals = { rows, files: 0, fileBytes: 0, lostFiles: [] as string[] };
  for (const file of files) {
    const body = await options.readFile(file);
    if (body === undefined) totals.lostFiles.push(`${file.bucketId}/${file.version}`);
    else {
      const { bucketId, version } = file;
      const { bytes } = yield* writeEntry({ kind: 'file', bucketId, version }, body);
      totals.files += 1;
      totals.fileBytes += bytes;
    }
    progress.add(file.bytes, 0);
  }
  yield* writeJson({ kind: 'totals' }, totals);
  return { manifest, totals };
}

async function* dumpTable(client: pg.Client, table: DatabaseTable): AsyncGenerator<Buffer, number> {
  const [name, columns] = [quoteName(table), quoteColumns(table)];
  const source = table.isPartitioned ? `(select ${columns} from ${name})` : `${name} (${columns})`;
  // Spelled out: a generator cannot hand its pieces out from within a callback.
  await client.query(`set local role ${pg.escapeIdentifier(table.owner)}`);
  const copy = client.query(copyTo(`copy ${source} to stdout`));
  yield* writeEntry({ kind: 'table', schema: table.schema, name: table.name, columns: table.columns }, copy);
  await client.query('reset role');
  return copy.rowCount;
}

async function readManifest(
  client: pg.Client,
  { tables, foreignSchemas }: Catalogue,
  { programVersion }: BackupOptions,
): Promise<Manifest> {
  const { rows } = await client.query<{ has: boolean; postgres: string; now: Date }>(
    `select to_regclass('linkoteca_platform.migrations') is not null as has,
       current_setting('server_version') as postgres, now() as now`,
  );
  const [server] = rows;
  if (server?.has !== true) throw new BackupError('Neste banco de dados não há uma Linkoteca.');
  const platform = await client.query<{ name: string }>(
    'select name from linkoteca_platform.migrations order by name',
  );
  const product = await client.query<{ version: string }>(
    'select version from supabase_migrations.schema_migrations order by version',
  );
  return {
    programVersion,
    postgresVersion: server.postgres,
    createdAt: server.now.toISOString(),
    migrations: {
      platform: platform.rows.map(({ name }) => name),
      product: product.rows.map(({ version }) => version),
    },
    tables: tables.map(({ schema, name, columns }) => ({ schema, name, columns })),
    leftOut: foreignSchemas,
  };
}

async function listFiles(client: pg.Client, tables: readonly DatabaseTable[]): Promise<StoredFile[]> {
  const objects = tables.find((table) => nameTable(table) === 'storage.objects');
  if (objects === undefined) return [];
  const { rows } = await asOwner(client, objects, () =>
    client.query<{ bucket: string; version: string; bytes: string | null }>(
      `select bucket_id as bucket, version, metadata ->> 'size' as bytes
       from storage.objects where bucket_id is not null and version is not null`,
    ),
  );
  return rows.map(({ bucket, version, bytes }) => ({ bucketId: bucket, version, bytes: Number(bytes) || 0 }));
}

export type SequenceState = {
  readonly schema: string;
  readonly name: string;
  readonly lastValue: string;
  readonly isCalled: boolean;
};

async function readSequences(client: pg.Client, { sequences }: Catalogue): Promise<SequenceState[]> {
  const states: SequenceState[] = [];
  for (const { schema, name, owner } of sequences) {
    const { rows } = await asOwner(client, { owner }, () =>
      client.query<{ last: string; called: boolean }>(
        `select last_value::text as last, is_called as called from ${quoteName({ schema, name })}`,
      ),
    );
    states.push({ schema, name, lastValue: rows[0]?.last ?? '1', isCalled: rows[0]?.called ?? false });
  }
  return states;
}

/** Policies of buckets that the operator made belong to the data: no migration brings them back. */
async function readPolicies(client: pg.Client): Promise<StoragePolicy[]> {
  const { rows } = await client.query<StoragePolicy>(
    `select tablename as table, policyname as name, permissive, roles::text[] as roles, cmd as command,
       qual as using, with_check as check
     from pg_catalog.pg_policies where schemaname = 'storage' order by 1, 2`,
  );
  return rows;
}

export type StoragePolicy = {
  readonly table: string;
  readonly name: string;
  readonly permissive: 'PERMISSIVE' | 'RESTRICTIVE';
  readonly roles: readonly string[];
  readonly command: 'ALL' | 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';
  readonly using: string | null;
  readonly check: string | null;
};

function watchProgress(
  { tables }: Catalogue,
  files: readonly StoredFile[],
  tell: BackupOptions['onProgress'] = () => undefined,
) {
  const allBytes = [...tables, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
  let [doneBytes, doneRows] = [0, 0];
  return {
    add(bytes: number, rows = 0) {
      doneBytes += bytes;
      doneRows += rows;
      tell({ doneBytes, allBytes, rows: doneRows });
    },
  };
}

/** First in a backup: what it needs to be restored. */
export type Manifest = {
  readonly programVersion: string;
  readonly postgresVersion: string;
  readonly createdAt: string;
  readonly migrations: MigrationNames;
  readonly tables: readonly Pick<DatabaseTable, 'schema' | 'name' | 'columns'>[];
  /** What the database has beside that and the backup has not, for people. */
  readonly leftOut: readonly string[];
};

/** Last in a backup: what there must be when it is restored. */
export type Totals = {
  /** Rows by `schema.table`. */
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  readonly fileBytes: number;
  /** Files whose bytes were nowhere when the backup was made. */
  readonly lostFiles: readonly string[];
};

/** The name under which rows are counted. */
export function nameTable({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}
