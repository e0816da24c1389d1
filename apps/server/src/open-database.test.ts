import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openOwnerDatabase } from './backups/open-owner-database.ts';
import { setAdministrator } from './commands/set-administrator.ts';
import { describeFailure } from './describe-failure.ts';
import { createLogger } from './kernel/create-logger.ts';
import { asServiceRole, queryAsCaller } from './kernel/database.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';

const jwtSecrets = ['a-secret-of-enough-characters-for-hs256'];
const logger = createLogger('silent');

let server: ThrowawayDatabase;
let empty: string;
beforeAll(async () => {
  server = await createThrowawayDatabase();
  empty = `external_${randomBytes(6).toString('hex')}`;
  await server.admin.query(`create database ${empty}`);
});
afterAll(async () => {
  await server.admin.query(`drop database ${empty} with (force)`);
  await server.drop();
});

const noBackups = {
  walArchive: undefined,
  s3: undefined,
  backup: { to: '/nowhere', everyMs: undefined, keep: 7, passphrase: undefined, beforeMigration: false },
};
const openExternal = (databaseUrl: string) =>
  openDatabase({
    settings: { ...noBackups, dataFolder: '/nowhere', databaseUrl, poolSize: 3 },
    jwtSecrets,
    logger,
  });
const urlOf = (database: string) =>
  `postgres://postgres@localhost/${database}?host=${server.connection.host}`;

describe('an external database', () => {
  it('is brought up to date by several copies that start together, and serves them all', async () => {
    const copies = await Promise.all([1, 2, 3].map(() => openExternal(urlOf(empty))));
    onTestFinished(async () => {
      await Promise.all(copies.map((copy) => copy.close()));
    });
    for (const { db, supervision } of copies) {
      expect(supervision).toBeUndefined();
      const { rows } = await queryAsCaller(
        db,
        {
          role: 'authenticated',
          claims: { sub: '11111111-1111-4111-8111-111111111111', role: 'authenticated' },
        },
        { text: 'select session_user, current_user, count(*)::int from public.links' },
      );
      expect(rows).toEqual([{ session_user: 'authenticator', current_user: 'authenticated', count: 0 }]);
    }
  });

  it('lends the change feed the connection of DATABASE_URL, not that of the pool', async () => {
    const { replication, close } = await openExternal(urlOf(empty));
    onTestFinished(close);
    const client = new pg.Client({ ...replication, replication: 'database' } as pg.ClientConfig);
    await client.connect();
    const { rows } = await client.query('IDENTIFY_SYSTEM');
    await client.end();
    expect(rows).toEqual([expect.objectContaining({ dbname: empty })]);
  });

  it('keeps one administrator', async () => {
    const { db, close } = await openExternal(urlOf(empty));
    onTestFinished(close);
    const [first, second] = ['22222222-2222-4222-8222-222222222222', '33333333-3333-4333-8333-333333333333'];
    for (const id of [first, second, second]) await setAdministrator(db, id);
    const { rows } = await asServiceRole(db, 'test', (tx) =>
      tx.query({ text: 'select admin_user_id from private.installation' }),
    );
    expect(rows).toEqual([{ admin_user_id: second }]);
  });

  it('is left in time, also while it does not answer', async () => {
    const { db, close } = await openExternal(urlOf(empty));
    const hanging = asServiceRole(db, 'test', (tx) => tx.query({ text: 'select pg_sleep(30)' }));
    const ended = hanging.then(
      () => 'ended',
      () => 'ended',
    );
    const since = performance.now();
    await close();
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(await Promise.race([ended, 'under way'])).toBe('under way');
  }, 20_000);

  it('keeps its servers’ login when a command comes with another secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linkoteca-open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { connection, stop } = await startEmbeddedPostgres({ dataFolder: folder, durable: false });
    onTestFinished(stop);
    const rules = join(folder, 'cluster/pg_hba.conf');
    writeFileSync(rules, `local all authenticator scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    const admin = new pg.Client(connection);
    await admin.connect();
    await admin.query('select pg_reload_conf()');
    await admin.end();
    const logIn = () =>
      new pg.Client({ ...connection, user: 'authenticator', password: '?' })
        .connect()
        .catch(({ code }) => code);
    await expect.poll(logIn, { timeout: 30_000 }).toBe('28P01');
    const { host, port, user, database } = connection;
    const databaseUrl = `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
    const settings = { ...noBackups, dataFolder: '/nowhere', databaseUrl, poolSize: 3 };
    const look = ({ db }: OpenDatabase) =>
      asServiceRole(db, 'test', (tx) => tx.query({ text: 'select 1 as one' }));

    const serving = await openDatabase({ settings, jwtSecrets, logger });
    onTestFinished(serving.close);
    await look(serving);
    const command = await openDatabase({ settings, jwtSecrets, logger, joinRunning: true });
    await look(command);
    await command.close();
    const other = { settings, jwtSecrets: ['another-secret-of-enough-characters'], logger };
    await expect(openDatabase({ ...other, joinRunning: true })).rejects.toThrow('usa outro segredo');
    // More than the pool's idle connection.
    const { rows } = (await Promise.all([look(serving), look(serving)]))[1];
    expect(rows).toEqual([{ one: 1 }]);
  }, 60_000);

  it('that is not there is named in one line, without its password', async () => {
    const databaseUrl = 'postgres://ana:segredo@127.0.0.1:1/links';
    const error = await openExternal(databaseUrl).catch((reason: unknown) => reason);
    const line = describeFailure(error, { port: 3000, host: 'localhost', databaseUrl });
    expect(line).toMatch(
      /^Não foi possível usar o banco de dados 127\.0\.0\.1:1\/links \(.*ECONNREFUSED.*\): .*$/,
    );
    expect(line).not.toContain('segredo');
  });

  it('that was never created is named too', async () => {
    const error = await openExternal(urlOf('nunca_criado')).catch((reason: unknown) => reason);
    expect(
      describeFailure(error, { port: 3000, host: 'localhost', databaseUrl: urlOf('nunca_criado') }),
    ).toBe('O banco de dados localhost/nunca_criado não existe: crie-o, ou corrija DATABASE_URL.');
  });
});

describe('the embedded database', () => {
  it('is joined by a command while a server runs on it, and refused to a second server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linkoteca-open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const settings = { ...noBackups, dataFolder: folder, databaseUrl: undefined, poolSize: 3 };
    const first = await openDatabase({ settings, jwtSecrets, logger });
    onTestFinished(first.close);
    const command = await openDatabase({ settings, jwtSecrets, logger, joinRunning: true });
    await setAdministrator(command.db, '44444444-4444-4444-8444-444444444444');
    await command.close();
    const second = await openDatabase({ settings, jwtSecrets, logger }).catch((reason: unknown) => reason);
    expect(describeFailure(second, { port: 3000, host: 'localhost', databaseUrl: undefined })).toMatch(
      /^Outra cópia da Linkoteca \(processo \d+, desde [^)]*\(UTC\)\) já usa a pasta de dados /,
    );
    expect(first.supervision?.downFor()).toBe(0);
  }, 60_000);

  it('that a command starts archives as the server does, or says that the log has a hole', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'linkoteca-open-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const settings = {
      ...noBackups,
      dataFolder: folder,
      databaseUrl: undefined,
      poolSize: 3,
      walArchive: { folder: join(folder, 'wal-archive'), days: 7 },
    };
    await (await openDatabase({ settings, jwtSecrets, logger })).close();
    const marker = join(folder, 'postgres/archived-to');
    writeFileSync(marker, settings.walArchive.folder);
    const readArchiveMode = async (walArchive: typeof settings.walArchive | undefined) => {
      const { connect, close } = await openOwnerDatabase({ ...settings, walArchive });
      const client = new pg.Client(connect);
      await client.connect();
      const { rows } = await client.query<{ archive_mode: string }>('show archive_mode');
      await client.end();
      await close();
      return rows[0]?.archive_mode;
    };
    expect(await readArchiveMode(settings.walArchive)).toBe('on');
    expect(existsSync(marker)).toBe(true);
    expect(await readArchiveMode(undefined)).toBe('off');
    expect(existsSync(marker)).toBe(false);
  }, 60_000);
});

describe('a port', () => {
  it('that is taken is named with another to try', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      blocker.close();
    });
    const { port } = blocker.address() as { port: number };
    const error = await new Promise((resolve) => {
      createServer().once('error', resolve).listen(port, '127.0.0.1');
    });
    expect(describeFailure(error, { port, host: 'localhost', databaseUrl: undefined })).toBe(
      `A porta ${port} já está em uso: encerre o programa que a usa, ou escolha outra (PORT=${port + 1} npm start).`,
    );
  });
});
