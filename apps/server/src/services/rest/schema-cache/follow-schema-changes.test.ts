import { eventually } from '@linkoteca/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase } from '../../../kernel/database.ts';
import { mergeSettings } from '../settings/rest-settings.ts';
import { openRestService, type RestBench, startRestService } from '../test-support/start-rest-service.ts';
import { createSchemaSource } from './create-schema-source.ts';

let rest: RestBench;
beforeAll(async () => {
  rest = await startRestService();
});
afterAll(() => rest.stop());

const statusOf = async (path: string) => (await rest.ask('GET', path)).status;

it('a table that comes, changes and goes is known without a word to the server', async () => {
  const { admin } = rest.database;
  expect(await statusOf('/novelties')).toBe(404);
  await admin.query(`
    create table workshop.novelties (id int primary key);
    grant select on workshop.novelties to anon;
  `);
  await eventually(async () => expect(await statusOf('/novelties')).toBe(200));
  expect(await statusOf('/novelties?select=name')).toBe(400);
  await admin.query('alter table workshop.novelties add column name text');
  await eventually(async () => expect(await statusOf('/novelties?select=name')).toBe(200));
  await admin.query('drop table workshop.novelties');
  await eventually(async () => expect(await statusOf('/novelties')).toBe(404));
});

it('what is said by hand is heard, too', async () => {
  const { admin } = rest.database;
  await admin.query(`
    set session_replication_role = replica;
    create table workshop.replicated (id int primary key);
    reset session_replication_role;
    grant select on workshop.replicated to anon;
  `);
  await admin.query(`notify pgrst, 'reload schema'`);
  await eventually(async () => expect(await statusOf('/replicated')).toBe(200));
});

it('temporary tables are nobody’s business', async () => {
  const listener = await rest.database.admin.connect();
  const heard: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => void heard.push(payload));
  try {
    await listener.query('listen pgrst');
    await listener.query(
      'create temporary table notes (id int); alter table notes add n int; drop table notes',
    );
    await listener.query(`create view workshop.seen as select 1 as n`);
    await eventually(() => expect(heard).toEqual(['reload schema']));
  } finally {
    listener.release(true);
  }
});

it('whatever the schema cache knows is told of when it comes, changes or goes, once a transaction', async () => {
  const listener = await rest.database.admin.connect();
  let heard = 0;
  listener.on('notification', () => {
    heard += 1;
  });
  const told = async (statement: string) => {
    heard = 0;
    await listener.query(statement);
    // What a transaction has notified comes with the answer that it is over.
    await listener.query('select');
    return heard;
  };
  try {
    await listener.query('listen pgrst');
    const changes = [
      'create schema told',
      'create table told.things (id int primary key, name text)',
      'create table told.copies as select * from told.things',
      'select * into told.others from told.things',
      'alter table told.copies add constraint of_things foreign key (id) references told.things',
      'alter table told.copies drop constraint of_things',
      'alter table told.copies drop column name',
      'create unique index copies_id on told.copies (id)',
      'create view told.seen as select * from told.things',
      'alter view told.seen rename to looked_at',
      `create function told.put() returns trigger language plpgsql as 'begin return null; end'`,
      'create trigger put instead of insert on told.looked_at for each row execute function told.put()',
      'drop trigger put on told.looked_at',
      'create rule skip as on delete to told.looked_at do instead nothing',
      'drop rule skip on told.looked_at',
      'drop function told.put()',
      'create materialized view told.kept as select * from told.things',
      'alter materialized view told.kept rename to stored',
      'create function told.name(told.things) returns text language sql return $1.name',
      'alter function told.name(told.things) stable',
      `create type told.mood as enum ('good')`,
      `alter type told.mood add value 'bad'`,
      'create domain told.short as text',
      'alter domain told.short set not null',
      `comment on table told.things is 'Things'`,
      'create foreign data wrapper told_wrapper; create server told_server foreign data wrapper told_wrapper; ' +
        'create foreign table told.far (id int) server told_server',
      'alter foreign table told.far add name text',
      'drop foreign table told.far',
      'drop function told.name(told.things)',
      'drop materialized view told.stored',
      'drop view told.looked_at',
      'drop type told.mood',
      'drop domain told.short',
      'drop table told.others',
      'alter schema told rename to untold',
      'drop schema untold cascade',
    ];
    const counts: [string, number][] = [];
    for (const change of changes) counts.push([change, await told(change)]);
    expect(counts).toEqual(changes.map((change) => [change, 1]));
    const others = [
      'create table workshop.passing (id int); drop table workshop.passing; rollback',
      `create temporary table brief (id int); comment on table brief is 'x'; drop table brief`,
      'analyze workshop.clients',
      'drop server told_server; drop foreign data wrapper told_wrapper',
    ];
    const silent: [string, number][] = [];
    for (const other of others) silent.push([other, await told(`begin; ${other}; commit`)]);
    expect(silent).toEqual(others.map((other) => [other, 0]));
  } finally {
    listener.release(true);
  }
});

it('where no trigger may be made the server looks by itself', async () => {
  const { admin } = rest.database;
  await admin.query('drop event trigger linkoteca_schema_change; drop event trigger linkoteca_schema_drop');
  const alone = await openRestService(rest.database, {});
  try {
    // Two may be there with what the server reads as it begins, the third is not.
    for (const name of ['first', 'second', 'third']) {
      // Postgres would let others see that something was written only when this connection has rested for ten seconds.
      await admin.query(`
        create table workshop.${name} (id int primary key);
        grant select on workshop.${name} to anon;
        select pg_stat_force_next_flush();
      `);
      await eventually(async () => expect((await alone.ask('GET', `/${name}`)).status).toBe(200));
    }
  } finally {
    await alone.stop();
    await admin.query(`
      create event trigger linkoteca_schema_change on ddl_command_end execute function linkoteca_platform.tell_schema_change();
      create event trigger linkoteca_schema_drop on sql_drop execute function linkoteca_platform.tell_schema_drop();
    `);
  }
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
    const source = createSchemaSource(db, () => mergeSettings({ schemas: ['workshop'] }));
    const states = await Promise.all(Array.from({ length: 20 }, () => source.reload()));
    expect(new Set(states.map(({ cache }) => cache.version))).toEqual(new Set([1, 2]));
    expect(source.current()).toBe(states.at(-1));
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
