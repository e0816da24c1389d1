import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import {
  BASELINE,
  EARLIER_PLATFORM,
  EARLIER_VERSIONS,
  readHistory,
} from '@linkoteca/migrations/earlier-history';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { MIGRATION_FOLDERS } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

const MIGRATIONS = listMigrations(MIGRATION_FOLDERS.migrationsFolder);
const PRODUCT = MIGRATIONS.map(({ version }) => version);
const isLater = ({ version }: { readonly version: string }) => version > BASELINE;

let database: ThrowawayDatabase;
beforeEach(async () => {
  database = await createThrowawayDatabase();
});
afterEach(() => database.drop());

/** As the program before left it: the same objects under its own records. */
async function recordEarlier(versions: readonly string[]): Promise<void> {
  await database.admin.query('delete from supabase_migrations.schema_migrations');
  await database.admin.query(
    `insert into supabase_migrations.schema_migrations (version, name) select unnest($1::text[]), 'earlier'`,
    [versions],
  );
  for (const [name, checksum] of Object.entries(EARLIER_PLATFORM)) await recordPlatform(name, checksum);
}

const recordPlatform = (name: string, checksum: string) =>
  database.admin.query('update linkoteca_platform.migrations set checksum = $2 where name = $1', [
    name,
    checksum,
  ]);

const readRecords = async () =>
  (
    await database.admin.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by 1',
    )
  ).rows.map(({ version }) => version);

const start = () => applyMigrations({ connect: database.connection, ...MIGRATION_FOLDERS });

/** Takes back what came after the earlier history: the database as the baseline makes it. */
async function returnToBaseline(): Promise<void> {
  const migrationsFolder = mkdtempSync(join(tmpdir(), 'linkoteca-baseline-'));
  onTestFinished(() => rmSync(migrationsFolder, { recursive: true }));
  for (const { fileName } of MIGRATIONS.filter((migration) => !isLater(migration)))
    copyFileSync(join(MIGRATION_FOLDERS.migrationsFolder, fileName), join(migrationsFolder, fileName));
  const { database: name, ...cluster } = database.connection;
  const client = new pg.Client({ ...cluster, database: 'postgres' });
  await client.connect();
  await client.query(`drop database ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  await applyMigrations({ connect: database.connection, ...MIGRATION_FOLDERS, migrationsFolder });
}

test('a database at the end of the earlier history is carried over: recorded, nothing of it run, its rows kept', async () => {
  await returnToBaseline();
  const { id } = await createUser(database.admin);
  await recordEarlier(EARLIER_VERSIONS);
  expect(await start()).toEqual({ applied: MIGRATIONS.filter(isLater).map(({ fileName }) => fileName) });
  expect(await readRecords()).toEqual([...EARLIER_VERSIONS, ...PRODUCT]);
  const { rows } = await database.admin.query('select id from public.profiles');
  expect(rows).toEqual([{ id }]);
  const client = await database.admin.connect();
  expect(await compareRights(client)).toEqual({ missing: [], extra: [] });
  client.release();
  expect(await start()).toEqual({ applied: [] });
});

test('a platform file that is neither the one here nor the one before is refused', async () => {
  await recordPlatform('0001_roles.sql', EARLIER_PLATFORM['0005_realtime.sql'] ?? '');
  await expect(start()).rejects.toThrow('A migração 0001_roles.sql mudou depois de aplicada');
});

test('a database in the middle of it is refused, told the version to pass through, and not changed', async () => {
  const middle = EARLIER_VERSIONS.slice(0, 40);
  await recordEarlier(middle);
  await expect(start()).rejects.toThrow(
    `Os dados são de uma versão antiga da Linkoteca (migração ${middle.at(-1)}): inicie com eles, uma vez, a versão cuja última ` +
      'migração é 20261122200000_take_turns_after_a_wrong_clock, e depois esta.',
  );
  expect(await readRecords()).toEqual(middle);
});

test('a gap in it is the middle of it as well', async () => {
  await recordEarlier(EARLIER_VERSIONS.filter((_version, index) => index !== 10));
  await expect(start()).rejects.toThrow('Os dados são de uma versão antiga da Linkoteca');
});

test('a migration that is newer than any of ours is refused as ever', async () => {
  await recordEarlier([...EARLIER_VERSIONS, '20990101000000']);
  await expect(start()).rejects.toThrow('O banco de dados é de uma versão mais nova da Linkoteca');
});

test('the earlier versions and ours are different ones, and what an operator has in between is kept', () => {
  expect(EARLIER_VERSIONS).toHaveLength(77);
  expect(EARLIER_VERSIONS.filter((version) => PRODUCT.includes(version))).toEqual([]);
  expect(readHistory([...EARLIER_VERSIONS, '20261121100001'], PRODUCT)).toEqual([
    '20261121100001',
    ...PRODUCT.filter((version) => !isLater({ version })),
  ]);
  expect(readHistory(PRODUCT, PRODUCT)).toEqual(PRODUCT);
});
