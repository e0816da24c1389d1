import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { fastify } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../../kernel/database.ts';
import { SettingsError } from '../../../kernel/parse-settings.ts';
import { listenForReload } from './listen-for-reload.ts';

let database: ThrowawayDatabase;
let db: Database;
let stop: (() => Promise<void>) | undefined;
beforeEach(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase(database.authenticator);
  db.pool.on('error', () => undefined);
});
afterEach(async () => {
  await stop?.();
  await db.pool.end();
  await database.drop();
});

/** A change of the schema of which no trigger tells, counted at once. */
const changeInSilence = (name: string) =>
  database.admin.query(`
    set session_replication_role = replica;
    create table public.${name} (id int primary key);
    reset session_replication_role;
    select pg_stat_force_next_flush();
  `);
const dropTriggers = () =>
  database.admin.query(
    'drop event trigger linkoteca_schema_change; drop event trigger linkoteca_schema_drop; select pg_stat_force_next_flush()',
  );

/** What the session that listens asked last. */
async function lastQuestion(): Promise<string> {
  const { rows } = await database.admin.query<{ query: string }>(
    `select query from pg_stat_activity where application_name = 'linkoteca schema cache' and datname = current_database()
     and state = 'idle'`,
  );
  return rows.map(({ query }) => query.trim()).join();
}
const LOOK = /^select sum\(n_tup_ins/;

/** @param failure of the first reading. */
function listen(lookEveryMs: number, failure?: Error): () => number {
  let reloads = 0;
  const source = {
    reload: () => {
      reloads += 1;
      return reloads === 1 && failure !== undefined ? Promise.reject(failure) : Promise.resolve();
    },
  };
  stop = listenForReload(db, source as never, fastify().log, { lookEveryMs, retryMs: 20 });
  return () => reloads;
}

it('a database that nobody tells of is looked at once before any time has passed', async () => {
  await dropTriggers();
  const reloads = listen(600_000);
  await expect.poll(lastQuestion).toMatch(LOOK);
  expect(reloads()).toBe(1);
});

it('what has not changed is not read again, what has once', async () => {
  await dropTriggers();
  const reloads = listen(20);
  await expect.poll(lastQuestion).toMatch(LOOK);
  const before = await settle(reloads);
  await changeInSilence('first');
  await expect.poll(reloads).toBe(before + 1);
  expect(await settle(reloads)).toBe(before + 1);
});

it('a trigger and a rule of a view are seen to go', async () => {
  await database.admin.query(`
    create view public.totals as select count(*) from pg_catalog.pg_class;
    create function public.put() returns trigger language plpgsql as 'begin return null; end';
    create trigger put instead of insert on public.totals for each row execute function public.put();
    create rule skip as on delete to public.totals do instead nothing;
    select pg_stat_force_next_flush();
  `);
  await dropTriggers();
  const reloads = listen(20);
  await expect.poll(lastQuestion).toMatch(LOOK);
  for (const what of ['trigger put', 'rule skip']) {
    const before = await settle(reloads);
    await database.admin.query(`drop ${what} on public.totals; select pg_stat_force_next_flush()`);
    await expect.poll(reloads, { message: what }).toBe(before + 1);
  }
});

it('a database that tells by itself is not looked at', async () => {
  const reloads = listen(20);
  await expect.poll(lastQuestion).toMatch(/^select exists/);
  await changeInSilence('unseen');
  expect(await settle(reloads)).toBe(1);
  expect(await lastQuestion()).not.toMatch(LOOK);
});

it('whoever asks for it by hand is heard, and who asks for something else is not', async () => {
  const reloads = listen(600_000);
  await expect.poll(lastQuestion).toMatch(/^select exists/);
  for (const [payload, count] of [
    ['', 2],
    ['reload schema', 3],
    ['reload config', 4],
    ['reload all', 4],
    ['reload schema', 5],
  ] as const) {
    await database.admin.query(`select pg_notify('pgrst', $1)`, [payload]);
    // What is heard is heard in order.
    if (payload !== 'reload all') await expect.poll(reloads).toBe(count);
  }
});

it('a reading that fails is tried again, until it succeeds', async () => {
  const reloads = listen(600_000, new Error('canceling statement due to statement timeout'));
  await expect.poll(reloads).toBe(2);
  expect(await settle(reloads)).toBe(2);
});

it('settings that are wrong are not read again until somebody tells', async () => {
  const reloads = listen(600_000, new SettingsError('Configuração inválida.'));
  await expect.poll(lastQuestion).toMatch(/^select exists/);
  expect(await settle(reloads)).toBe(1);
  await database.admin.query(`notify pgrst, 'reload config'`);
  await expect.poll(reloads).toBe(2);
});

it('that is stopped leaves no session behind, and reads nothing more', async () => {
  await dropTriggers();
  const reloads = listen(20);
  await expect.poll(lastQuestion).toMatch(LOOK);
  await stop?.();
  stop = undefined;
  await expect.poll(lastQuestion).toBe('');
  const before = reloads();
  await changeInSilence('late');
  await database.admin.query(`notify pgrst, 'reload schema'`);
  expect(await settle(reloads)).toBe(before);
});

it('a trigger that is switched off tells nothing', async () => {
  await database.admin.query(
    'alter event trigger linkoteca_schema_change disable; drop event trigger linkoteca_schema_drop',
  );
  listen(600_000);
  await expect.poll(lastQuestion).toMatch(LOOK);
});

/** The count that stays as long as ten looks take. */
async function settle(count: () => number): Promise<number> {
  for (;;) {
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (count() === before) return before;
  }
}
