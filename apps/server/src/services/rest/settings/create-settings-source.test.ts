import { randomBytes } from 'node:crypto';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import type { RestSources } from '../../../kernel/settings.ts';
import { createSettingsSource } from './create-settings-source.ts';

let database: ThrowawayDatabase;
let db: Database;
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase(database.authenticator);
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});

const SOURCES: RestSources = { file: {}, variables: {}, readsDatabase: true, ignored: [] };

function watch(sources: Partial<RestSources> = {}, of = db) {
  const told: string[] = [];
  const logger = {
    warn: ({ keys }: { keys: string }) => void told.push(`warn ${keys}`),
    error: ({ err }: { err: Error }) => void told.push(`error ${err.message}`),
  } as unknown as FastifyBaseLogger;
  return { told, read: createSettingsSource(of, { ...SOURCES, ...sources }, logger) };
}

async function say(text: string): Promise<void> {
  const { rows } = await database.admin.query<{ name: string }>('select current_database() as name');
  await database.admin.query(`alter role authenticator in database ${rows[0]?.name} ${text}`);
}

it('what is not followed is told once, and again when it is something else', async () => {
  const { told, read } = watch({ ignored: ['PGRST_DB_POOL'] });
  expect(told).toEqual(['warn PGRST_DB_POOL']);
  await read();
  await say(`set pgrst.db_root_spec = 'root'`);
  await read();
  await read();
  expect(told).toEqual(['warn PGRST_DB_POOL', 'warn PGRST_DB_POOL, pgrst.db_root_spec']);
  await say('reset all');
});

it('settings that cannot be are told, and the last good ones stay', async () => {
  const { told, read } = watch();
  await say(`set pgrst.db_max_rows = '7'`);
  expect(await read()).toMatchObject({ maxRows: 7 });
  await say(`set pgrst.db_tx_end = 'never'`);
  await say(`set pgrst.db_max_rows = '9'`);
  expect(await read()).toMatchObject({ maxRows: 7, txEnd: 'commit' });
  expect(told).toEqual([
    expect.stringMatching(/^error Configuração inválida no banco: pgrst\.db_tx_end deve/),
  ]);
  await say('reset all');
  expect(await read()).toMatchObject({ maxRows: 1000 });
});

it('nothing is asked of the database where that is switched off', async () => {
  const nobody = { pool: undefined } as unknown as Database;
  const read = createSettingsSource(
    nobody,
    { ...SOURCES, file: { maxRows: 3 }, variables: { aggregates: true }, readsDatabase: false },
    {} as FastifyBaseLogger,
  );
  expect(await read()).toMatchObject({ maxRows: 3, aggregates: true });
});

it('what was said of the login role for all databases counts where nothing was said for this one', async () => {
  const { admin, authenticator, connection } = database;
  // Roles are the whole cluster's: one that no other test logs in as.
  const user = `login_${randomBytes(8).toString('hex')}`;
  await admin.query(`create role ${user} login;
    alter role ${user} set pgrst.db_schemas = 'api';
    alter role ${user} set pgrst.db_max_rows = '7';
    alter role ${user} in database ${connection.database} set pgrst.db_max_rows = '5'`);
  const own = createDatabase({ ...authenticator, user });
  onTestFinished(async () => {
    await own.pool.end();
    await admin.query(`drop role ${user}`);
  });
  expect(await watch({}, own).read()).toMatchObject({ schemas: ['api'], maxRows: 5 });
});
