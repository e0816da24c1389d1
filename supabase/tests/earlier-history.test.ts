import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import { EARLIER_VERSIONS, readHistory } from '@linkoteca/migrations/earlier-history';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser } from '@linkoteca/test-kit/create-user';
import { MIGRATION_FOLDERS } from '@linkoteca/test-kit/start-test-cluster';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PRODUCT = listMigrations(MIGRATION_FOLDERS.migrationsFolder).map(({ version }) => version);

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
}

const readRecords = async () =>
  (
    await database.admin.query<{ version: string }>(
      'select version from supabase_migrations.schema_migrations order by 1',
    )
  ).rows.map(({ version }) => version);

const start = () => applyMigrations({ connect: database.connection, ...MIGRATION_FOLDERS });

test('a database at the end of the earlier history is carried over: recorded, nothing run, its rows kept', async () => {
  const { id } = await createUser(database.admin);
  await recordEarlier(EARLIER_VERSIONS);
  expect(await start()).toEqual({ applied: [] });
  expect(await readRecords()).toEqual([...EARLIER_VERSIONS, ...PRODUCT]);
  const { rows } = await database.admin.query('select id from public.profiles');
  expect(rows).toEqual([{ id }]);
  const client = await database.admin.connect();
  expect(await compareRights(client)).toEqual({ missing: [], extra: [] });
  client.release();
  expect(await start()).toEqual({ applied: [] });
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
    ...PRODUCT,
  ]);
  expect(readHistory(PRODUCT, PRODUCT)).toEqual(PRODUCT);
});
