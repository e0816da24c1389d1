import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../kernel/database.ts';
import { openRestService, type RestBench, startRestService } from '../test-support/start-rest-service.ts';
import { createSchemaSource } from './create-schema-source.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

const statusOf = async (path: string) => (await rest.ask('GET', path)).status;

it('a new table appears when Postgres is told to notify, without a restart', async () => {
  expect(await statusOf('/novelties')).toBe(404);
  await rest.database.admin.query(`
    create table workshop.novelties (id int primary key);
    grant select on workshop.novelties to anon;
    notify pgrst, 'reload schema';
  `);
  await eventually(async () => expect(await statusOf('/novelties')).toBe(200));
});

it('a changed column type is known to statements prepared before', async () => {
  await rest.database.admin.query(`
    create table workshop.changing (id int primary key);
    grant select on workshop.changing to anon;
    notify pgrst, 'reload schema';
  `);
  const path = '/changing?id=eq.1';
  await eventually(async () => expect(await statusOf(path)).toBe(200));
  for (let use = 0; use < 5; use += 1) expect(await statusOf(path)).toBe(200);
  await rest.database.admin.query(`
    alter table workshop.changing alter column id type text;
    notify pgrst, 'reload schema';
  `);
  await eventually(async () => {
    for (let use = 0; use < 5; use += 1) expect(await statusOf(path)).toBe(200);
  });
});

it('the listener comes back when its connection is cut', async () => {
  await rest.database.admin.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query = 'listen pgrst'
  `);
  await rest.database.admin.query(`
    create table workshop.latest (id int primary key);
    grant select on workshop.latest to anon;
  `);
  await eventually(async () => expect(await statusOf('/latest')).toBe(200));
});

it('many who ask for a reload at once share two readings at most', async () => {
  const db = createDatabase(rest.database.authenticator);
  db.pool.on('error', () => undefined);
  try {
    const source = createSchemaSource(db, ['workshop']);
    const caches = await Promise.all(Array.from({ length: 20 }, () => source.reload()));
    expect(new Set(caches.map(({ version }) => version))).toEqual(new Set([1, 2]));
    expect(source.current()).toBe(caches.at(-1));
  } finally {
    await db.pool.end();
  }
});

it('requests that come before the database answers are told to come back', async () => {
  const nowhere = { ...rest.database.authenticator, host: '/nowhere', port: 1 };
  const early = await openRestService(rest.database, {}, nowhere);
  try {
    const answer = await early.ask('GET', '/clients');
    expect([answer.status, answer.json]).toEqual([
      503,
      {
        code: 'PGRST002',
        message: 'Could not query the database for the schema cache. Retrying.',
        details: null,
        hint: null,
      },
    ]);
  } finally {
    await early.stop();
  }
});
