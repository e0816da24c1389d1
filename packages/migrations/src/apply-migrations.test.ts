import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@linkoteca/embedded-postgres/start-embedded-postgres';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { applyMigrations, type MigrationOptions } from './apply-migrations.ts';
import { listPendingMigrations, type MigrationNames } from './pending-migrations.ts';
import { runMigration } from './run-migration.ts';
import { withAuthenticator } from './with-authenticator.ts';

// A whole database starts first; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let folder: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lk-mig-'));
  postgres = await startEmbeddedPostgres({ dataFolder: join(folder, 'data'), durable: false });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

let connect: pg.ClientConfig;
let platform: Files;
let product: Files;
beforeEach(async () => {
  const database = `m_${randomBytes(6).toString('hex')}`;
  await runOn(postgres.connection, `create database ${database}`);
  connect = { ...postgres.connection, database };
  platform = {
    '0001_roles.sql': `do $$ begin create role service_role; exception when duplicate_object then null; end $$`,
  };
  product = {
    '20260101000000_create_things.sql': 'create table public.things (id int primary key);',
    '20260102000000_fill_things.sql': 'insert into public.things values (1);',
  };
});

async function runOn(config: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    const result = await client.query(text);
    return result.rows;
  } finally {
    await client.end();
  }
}

function migrate(options: Partial<MigrationOptions> = {}) {
  return applyMigrations({ connect, ...writeFiles(), ...options });
}

function writeFiles() {
  const place = mkdtempSync(join(folder, 'files-'));
  for (const [name, files] of Object.entries({ platform, product })) {
    mkdirSync(join(place, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, name, file), text);
  }
  return { platformFolder: join(place, 'platform'), migrationsFolder: join(place, 'product') };
}

describe('migrations', () => {
  it('apply in the order of their names, the platform first, once', async () => {
    expect(await migrate()).toEqual({
      applied: ['0001_roles.sql', '20260101000000_create_things.sql', '20260102000000_fill_things.sql'],
    });
    expect(await migrate()).toEqual({ applied: [] });
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
  });

  it('are recorded as the hosted platform records them', async () => {
    await migrate();
    expect(
      await runOn(connect, 'select * from supabase_migrations.schema_migrations order by version'),
    ).toEqual([
      {
        version: '20260101000000',
        name: 'create_things',
        statements: ['create table public.things (id int primary key);'],
      },
      {
        version: '20260102000000',
        name: 'fill_things',
        statements: ['insert into public.things values (1);'],
      },
    ]);
  });

  it('apply once when several copies of the server start together', async () => {
    product = {
      ...product,
      '20260103000000_slow.sql': 'select pg_sleep(0.3); insert into public.things values (2);',
    };
    const results = await Promise.all([1, 2, 3, 4].map(() => migrate()));
    expect(results.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 4]);
    expect(await runOn(connect, 'select count(*)::int from public.things')).toEqual([{ count: 2 }]);
  });

  it('stop at the one that fails, name it and its line, and leave nothing of it behind', async () => {
    product = {
      ...product,
      '20260103000000_broken.sql':
        'insert into public.things values (2);\n\ninsert into public.nowhere values (1);',
      '20260104000000_after.sql': 'insert into public.things values (3);',
    };
    await expect(migrate()).rejects.toThrow(
      'A migração 20260103000000_broken.sql falhou: relation "public.nowhere" does not exist; linha 3',
    );
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
    product = { ...product, '20260103000000_broken.sql': 'insert into public.things values (2);' };
    expect((await migrate()).applied).toEqual(['20260103000000_broken.sql', '20260104000000_after.sql']);
  });

  it('do not let what one sets leak into the next', async () => {
    product = {
      ...product,
      '20260103000000_set.sql': `set statement_timeout = '1s'; set role service_role;`,
      '20260104000000_after.sql': `insert into public.things select case current_setting('statement_timeout')
        when '0' then 7 end where current_user <> 'service_role';`,
    };
    await migrate();
    expect(await runOn(connect, 'select * from public.things where id = 7')).toEqual([{ id: 7 }]);
  });

  it('refuse a platform file that changed after it had been applied, whatever its line ends', async () => {
    platform = { ...platform, '0002_more.sql': 'select 1;\nselect 2;\n' };
    await migrate();
    platform = { ...platform, '0002_more.sql': 'select 1;\r\nselect 2;\r\n' };
    expect(await migrate()).toEqual({ applied: [] });
    platform = { ...platform, '0002_more.sql': 'select 3;' };
    await expect(migrate()).rejects.toThrow('A migração 0002_more.sql mudou depois de aplicada');
  });

  it.each([
    ['two with the same number', { '1_a.sql': '', '1_b.sql': '' }, 'têm o mesmo número'],
    ['a name without a number', { 'later.sql': '' }, 'não tem nome de migração'],
  ])('refuse %s before anything is applied', async (_what, files, message) => {
    product = files;
    await expect(migrate()).rejects.toThrow(message);
    expect(
      await runOn(connect, `select to_regclass('supabase_migrations.schema_migrations') as table`),
    ).toEqual([{ table: null }]);
  });

  it.each(['SQL_ASCII', 'LATIN1'])(
    'change nothing in a new database that keeps texts in %s',
    async (encoding) => {
      const foreign = await createDatabaseIn(encoding);
      await expect(migrate({ connect: foreign })).rejects.toThrow(`guarda textos em ${encoding}`);
      const look = `select to_regclass('public.things') as things, to_regnamespace('linkoteca_platform') as records`;
      expect(await runOn(foreign, look)).toEqual([{ things: null, records: null }]);
    },
  );

  it('go on, with a warning, in one of another encoding that is in use', async () => {
    const foreign = await createDatabaseIn('SQL_ASCII');
    await runOn(
      foreign,
      `create schema supabase_migrations;
       create table public.things (id int primary key);
       create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
       insert into supabase_migrations.schema_migrations (version) values ('20260101000000')`,
    );
    const log = vi.fn();
    expect((await migrate({ connect: foreign, log })).applied).toEqual([
      '0001_roles.sql',
      '20260102000000_fill_things.sql',
    ]);
    expect(log).toHaveBeenCalledWith(expect.stringContaining('SQL_ASCII'));
  });

  async function createDatabaseIn(encoding: string): Promise<pg.ClientConfig> {
    const database = `m_${randomBytes(6).toString('hex')}`;
    await runOn(
      postgres.connection,
      `create database ${database} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    );
    return { ...connect, database };
  }

  it('let the health check of the server read what is recorded, and nobody else', async () => {
    await migrate();
    const [rights] = await runOn(
      connect,
      `select has_table_privilege('service_role', 'linkoteca_platform.migrations', 'select') as server,
        has_table_privilege('service_role', 'linkoteca_platform.migrations', 'insert') as writes,
        has_schema_privilege('public', 'linkoteca_platform', 'usage') as everybody`,
    );
    expect(rights).toEqual({ server: true, writes: false, everybody: false });
  });
});

describe('what is pending', () => {
  const all = { platform: ['0001_roles.sql'], product: ['20260101000000', '20260102000000'] };
  const list = () => listPendingMigrations({ connect, ...writeFiles() });

  it('is all of it on a new database, which is left as it is, and nothing on one that is up to date', async () => {
    expect(await list()).toEqual({ ...all, isNew: true });
    expect(await runOn(connect, `select to_regclass('linkoteca_platform.migrations') as table`)).toEqual([
      { table: null },
    ]);
    await migrate();
    expect(await list()).toEqual({ platform: [], product: [], isNew: false });
  });

  it('is told once, with nobody else migrating, before a database in use is changed; a new one is not asked about', async () => {
    const told: MigrationNames[] = [];
    let count: unknown;
    const beforeChange: MigrationOptions['beforeChange'] = async (pending, client) => {
      told.push(pending);
      count = (await client.query('select count(*)::int from public.things')).rows;
      const locks = await client.query(
        `select from pg_locks where locktype = 'advisory' and granted and pid = pg_backend_pid()`,
      );
      expect(locks.rowCount).toBe(1);
    };
    await migrate({ beforeChange });
    await migrate({ beforeChange });
    expect(told).toEqual([]);
    platform = { ...platform, '0002_more.sql': 'select 1' };
    product = { ...product, '20260103000000_more.sql': 'insert into public.things values (2);' };
    await migrate({ beforeChange });
    expect(told).toEqual([{ platform: ['0002_more.sql'], product: ['20260103000000'] }]);
    expect(count).toEqual([{ count: 1 }]);
  });

  it('is waited for no longer than a minute where whoever brings it has vanished', async () => {
    // Over a socket of this machine Postgres shows no values, but where they come from.
    const sources = `select source from pg_settings where name like 'tcp\\_keepalives\\_%'`;
    const set = Array.from({ length: 3 }, () => ({ source: 'session' }));
    product = { ...product, '20260103000000_look.sql': `create table public.sources as ${sources}` };
    await migrate();
    expect(await runOn(connect, 'select source from public.sources')).toEqual(set);
    product = { ...product, '20260104000000_more.sql': 'select 1' };
    const found: unknown[] = [];
    const beforeChange: MigrationOptions['beforeChange'] = async (_pending, client) => {
      found.push((await client.query(sources)).rows);
    };
    await migrate({ beforeChange });
    expect(found).toEqual([set]);
  });

  it('is not applied when what comes before it fails', async () => {
    await migrate();
    product = { ...product, '20260103000000_more.sql': 'insert into public.things values (2);' };
    const beforeChange = () => Promise.reject(new Error('no room for a backup'));
    await expect(migrate({ beforeChange })).rejects.toThrow('no room for a backup');
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
  });

  it('may be applied in part, as an older backup has it, and the rest later', async () => {
    const only = { ...all, product: ['20260101000000'] };
    expect(await migrate({ only })).toEqual({
      applied: ['0001_roles.sql', '20260101000000_create_things.sql'],
    });
    expect(await list()).toEqual({ platform: [], product: ['20260102000000'], isNew: false });
    expect((await migrate()).applied).toEqual(['20260102000000_fill_things.sql']);
  });

  it('is refused by name when a backup lists what this version does not have', async () => {
    const only = { ...all, product: [...all.product, '20990101000000'] };
    await expect(migrate({ only })).rejects.toThrow('A migração 20990101000000 não existe nesta versão');
    expect((await list()).isNew).toBe(true);
  });
});

describe('tables in use', () => {
  let writer: pg.Client;
  beforeEach(async () => {
    product = {
      ...product,
      '20260103000000_more.sql': 'create table public.others (id int primary key);',
    };
    await migrate();
    writer = new pg.Client({ ...connect, application_name: 'a writer' });
    await writer.connect();
  });
  afterEach(() => writer.end());

  it('are waited for, and neither the migration nor who holds them is ever refused', async () => {
    product = {
      ...product,
      '20260104000000_both.sql': `alter table public.things add column note text; select pg_sleep(0.5);
        alter table public.others add column note text;`,
    };
    await writer.query('begin; insert into public.others values (1)');
    const migrated = migrate();
    // One that took its locks as it goes would have the first table by now, and ask for the second while the writer waits for the first.
    await expect.poll(countExclusive, { timeout: 30_000 }).not.toBe(0);
    await writer.query('insert into public.things values (2)');
    await writer.query('commit');
    expect((await migrated).applied).toEqual(['20260104000000_both.sql']);
  });

  it('are named, with who uses them, when nobody gives them back in time; nothing has changed then', async () => {
    product = {
      ...product,
      '20260104000000_more.sql': `insert into public.things values (7); alter table public.others add column note text;`,
    };
    await writer.query('begin; select from public.others');
    const { rows } = await writer.query('select pg_backend_pid() as pid');
    await expect(migrate({ patienceMs: 1_000 })).rejects.toThrow(
      new RegExp(
        `^A migração 20260104000000_more.sql esperou 1 s por tabelas em uso \\(pid ${rows[0]?.pid}, a writer, [0-9:]{8} UTC\\): encerre`,
      ),
    );
    await writer.query('insert into public.others values (1); commit');
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
    expect((await migrate()).applied).toEqual(['20260104000000_more.sql']);
  });

  it('keep writers no longer than their deadlock time-out while somebody reads for long', async () => {
    product = { ...product, '20260104000000_more.sql': 'alter table public.others add column note text;' };
    const reader = new pg.Client(connect);
    await reader.connect();
    await reader.query('begin; select from public.others');
    const migrated = migrate();
    await expect.poll(countExclusive, { timeout: 30_000 }).not.toBe(0);
    await writer.query(`set lock_timeout = '10s'`);
    for (let id = 1; id <= 20; id += 1) await writer.query('insert into public.others values ($1)', [id]);
    await reader.query('commit');
    await reader.end();
    await migrated;
    expect(
      await runOn(connect, 'select count(note)::int as notes, count(*)::int from public.others'),
    ).toEqual([{ notes: 0, count: 20 }]);
  });

  it('for long are told to the log, and so is another copy that migrates', async () => {
    product = { ...product, '20260104000000_more.sql': 'alter table public.others add column note text;' };
    const log = vi.fn();
    await writer.query('begin; select from public.others');
    const migrated = migrate({ log });
    await expect
      .poll(() => log.mock.calls[0]?.[0], { timeout: 30_000 })
      .toMatch(/^the migration 20260104000000_more.sql waits for tables in use \(pid \d+, a writer, /);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const other = migrate({ log });
    const isQueued = `select from pg_locks where locktype = 'advisory' and not granted`;
    await expect.poll(() => runOn(connect, isQueued), { timeout: 30_000 }).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(log).toHaveBeenCalledWith('another copy changes the database: waiting for it');
    await writer.query('commit');
    expect([(await migrated).applied.length, (await other).applied.length]).toEqual([1, 0]);
  });

  const countExclusive = async () => {
    const rows = await runOn(
      connect,
      `select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
       where l.mode = 'AccessExclusiveLock' and l.locktype = 'relation' and d.datname = current_database()`,
    );
    return rows[0]?.['count'];
  };
});

describe('a database of a newer version', () => {
  const message = (name: string) =>
    `O banco de dados é de uma versão mais nova da Linkoteca (migração ${name})`;

  it('is refused by an older one, which names the newest migration and changes nothing', async () => {
    const older = { platform, product };
    product = { ...product, '20260104000000_newest.sql': '', '20260103000000_newer.sql': '' };
    await migrate();
    ({ platform, product } = older);
    product = { ...product, '20260101120000_forgotten.sql': 'drop table public.things' };
    await expect(migrate()).rejects.toThrow(message('20260104000000_newest'));
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
  });

  it('is recognised by the platform’s files alone as well', async () => {
    const older = platform;
    platform = { ...platform, '0002_more.sql': 'select 1' };
    await migrate();
    platform = older;
    await expect(migrate()).rejects.toThrow(message('0002_more.sql'));
  });

  it('is not one that has a migration of the operator’s between ours', async () => {
    await migrate();
    await runOn(
      connect,
      `insert into supabase_migrations.schema_migrations (version) values ('20260101120000')`,
    );
    expect(await migrate()).toEqual({ applied: [] });
  });
});

describe('the password of the login role', () => {
  const LOGIN_ROLE =
    'do $$ begin create role authenticator login noinherit; exception when duplicate_object then null; end $$';

  it('opens the door from then on, and its change does too', async () => {
    platform = { ...platform, '0002_login.sql': LOGIN_ROLE };
    await askForPassword();
    await migrate({ authenticatorPassword: 'uma senha' });
    const enter = (password: string) =>
      runOn(withAuthenticator(connect, password), 'select current_user as me');
    expect(await enter('uma senha')).toEqual([{ me: 'authenticator' }]);
    await expect(enter('outra senha')).rejects.toThrow('password authentication failed');
    await migrate({ authenticatorPassword: 'outra senha' });
    expect(await enter('outra senha')).toEqual([{ me: 'authenticator' }]);
    await expect(enter('uma senha')).rejects.toThrow('password authentication failed');
  });

  it('is not written again while it works: databases of one cluster share the role', async () => {
    platform = { ...platform, '0002_login.sql': LOGIN_ROLE };
    await askForPassword();
    const read = () => runOn(connect, `select rolpassword from pg_authid where rolname = 'authenticator'`);
    await migrate({ authenticatorPassword: 'senha' });
    const [before] = await read();
    expect(before?.['rolpassword']).toMatch(/^SCRAM-SHA-256\$/);
    await migrate({ authenticatorPassword: 'senha' });
    expect(await read()).toEqual([before]);
  });

  it('is not taken from a server that runs, but for the copies of the same database', async () => {
    platform = { ...platform, '0002_login.sql': LOGIN_ROLE };
    await askForPassword();
    await migrate({ authenticatorPassword: 'senha' });
    await serve('senha');
    const enter = () => runOn(withAuthenticator(connect, 'senha'), 'select 1 as one');

    product = { ...product, '20260103000000_fill_more.sql': 'insert into public.things values (2);' };
    const beforeChange = vi.fn();
    await expect(
      migrate({ authenticatorPassword: 'outra', joinRunning: true, beforeChange }),
    ).rejects.toThrow(
      new RegExp(`^O servidor do banco ${connect.database} \\(pid \\d+\\) usa outro segredo .*JWT_SECRET`),
    );
    expect(await enter()).toEqual([{ one: 1 }]);
    expect(beforeChange).not.toHaveBeenCalled();
    expect(await runOn(connect, 'select * from public.things')).toEqual([{ id: 1 }]);
    // Whose account may see no more than any other.
    const owner = `owner_${randomBytes(6).toString('hex')}`;
    await runOn(postgres.connection, `create role ${owner} login createrole`);
    await runOn(postgres.connection, `create database ${owner} owner ${owner}`);
    const elsewhere = { ...connect, database: owner, user: owner };
    await expect(migrate({ connect: elsewhere, authenticatorPassword: 'outra' })).rejects.toThrow(
      'outro servidor Postgres',
    );
    expect(await enter()).toEqual([{ one: 1 }]);
    expect(await runOn(elsewhere, `select to_regclass('public.things') as things`)).toEqual([
      { things: null },
    ]);
    await migrate({ connect: elsewhere, authenticatorPassword: 'senha' });

    // The last step of a rotation.
    await migrate({ authenticatorPassword: 'outra' });
    await expect(enter()).rejects.toThrow('password authentication failed');
  });

  it('is neither changed nor refused by a command while the login is busy', async () => {
    platform = { ...platform, '0002_login.sql': LOGIN_ROLE };
    await askForPassword();
    await migrate({ authenticatorPassword: 'senha' });
    await runOn(connect, 'alter role authenticator connection limit 1');
    onTestFinished(async () => {
      await runOn(connect, 'alter role authenticator connection limit -1');
    });
    await serve('senha');
    const read = () => runOn(connect, `select rolpassword from pg_authid where rolname = 'authenticator'`);
    const before = await read();
    await migrate({ authenticatorPassword: 'senha', joinRunning: true });
    expect(await read()).toEqual(before);
  });

  /** As the pools of a server do. */
  async function serve(password: string): Promise<void> {
    const serving = new pg.Client({
      ...withAuthenticator(connect, password),
      application_name: 'linkoteca',
    });
    await serving.connect();
    onTestFinished(() => serving.end());
  }

  /** The embedded cluster trusts whoever reaches its socket; a server on the network does not. */
  async function askForPassword(): Promise<void> {
    const path = join(folder, 'data/cluster/pg_hba.conf');
    const line = 'local all authenticator scram-sha-256\n';
    const rules = readFileSync(path, 'utf8');
    if (!rules.startsWith(line)) writeFileSync(path, line + rules);
    await runOn(postgres.connection, 'select pg_reload_conf()');
    const enter = () => runOn(withAuthenticator(connect, '?'), 'select 1').catch(({ code }) => code);
    await expect.poll(enter, { timeout: 30_000 }).toBe('28P01');
  }

  it('goes into the pool’s settings beside the server of DATABASE_URL', () => {
    expect(
      withAuthenticator({ connectionString: 'postgres://ana:x@db.example:6543/links' }, 's'),
    ).toMatchObject({
      host: 'db.example',
      port: 6543,
      database: 'links',
      user: 'authenticator',
      password: 's',
    });
    expect(
      withAuthenticator({ connectionString: 'postgres:///links?host=/run/postgresql' }, 's'),
    ).toMatchObject({ host: '/run/postgresql', database: 'links', user: 'authenticator', password: 's' });
  });
});

/** In the place of the first statement that holds these words the database is busy for five seconds: a machine that stands still. */
function standStillAt(client: pg.ClientBase, words: string): pg.ClientBase {
  let hasStood = false;
  return new Proxy(client, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name);
      return (text: string, values?: unknown[]) => {
        const isHere = !hasStood && typeof text === 'string' && text.includes(words);
        hasStood ||= isHere;
        return isHere ? target.query('select pg_sleep(5)') : target.query(text, values);
      };
    },
  });
}

it.each([
  ['looks its tables up', 'to_regclass(wanted.name)'],
  ['has locked them', 'set local statement_timeout = 0'],
])('a machine that stands still while a migration %s makes it try again', async (_when, words) => {
  const client = new pg.Client(connect);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create table public.late (id int); create table public.noted (name text)');
  const text = 'alter table public.late add body text;';
  await runMigration(
    standStillAt(client, words),
    { version: '1', name: 'late', fileName: '1_late.sql', text, checksum: '' },
    { text: `insert into public.noted values ('late')` },
    { patienceMs: 60_000, log: () => undefined },
  );
  const { rows } = await client.query(
    'select name, (select count(body) from public.late)::int as bodies from public.noted',
  );
  expect(rows).toEqual([{ name: 'late', bodies: 0 }]);
});
