import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { digestDatabase } from '../backups/test-support/digest-database.ts';
import { fillInstallation } from '../backups/test-support/fill-installation.ts';
import { MIGRATION_FOLDERS, PROJECT_FOLDER } from '../project-folders.ts';
import { createFolderStore } from '../services/storage/blobs/create-folder-store.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const postgres17 = findEarlierPostgres(17) ?? '';

let data: string;
let original: Record<string, unknown>;

/** An installation whose database is of Postgres 17, with rows of every kind and files. */
beforeAll(async () => {
  if (postgres17 === '') return;
  const parent = mkdtempSync(join(tmpdir(), 'linkoteca-upgrade-'));
  chmodSync(parent, 0o755);
  data = join(parent, 'data');
  await withPostgres(postgres17, async (connect) => {
    await applyMigrations({ connect, ...MIGRATION_FOLDERS });
    const admin = new pg.Pool(connect);
    await fillInstallation(admin, createFolderStore(join(data, 'storage')));
    await admin.end();
    original = await digestDatabase(connect);
  });
  return () => rmSync(parent, { recursive: true, force: true });
});

async function withPostgres<T>(binaries: string, look: (connect: pg.ClientConfig) => Promise<T>): Promise<T> {
  const dataFolder = join(data, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataFolder, ...(binaries === '' ? {} : { binaries }) });
  try {
    return await look(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** The program as an operator starts it. */
function run(entry: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [join(PROJECT_FOLDER, 'apps/server/src', entry), ...args], {
    env: { ...process.env, DATA_DIR: data, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += String(piece);
    });
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, output })) };
}

const upgrade = (...args: string[]) => run('commands/upgrade-postgres.ts', args).ended;
const readVersion = () => readFileSync(join(data, 'postgres/cluster/PG_VERSION'), 'utf8').trim();

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe.runIf(postgres17 !== '')('npm run upgrade-postgres', () => {
  it('moves an installation from Postgres 17 to 18 with every row, and back', async () => {
    const refused = await run('main.ts', []).ended;
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('rode "npm run upgrade-postgres"');

    const forward = await upgrade('--from', postgres17);
    expect(forward).toMatchObject({ code: 0 });
    expect(forward.output).toMatch(
      /\d{2,} linhas copiadas e conferidas\.\nPronto: o banco de dados passou do Postgres 17 ao 18\./,
    );
    expect(readVersion()).toBe('18');

    const difference = await withPostgres('', async (connect) => {
      expect(await digestDatabase(connect)).toEqual(original);
      const client = new pg.Client(connect);
      await client.connect();
      await client.query('create table public.since_then (id int)');
      await client.query('alter table public.since_then enable row level security');
      const found = await compareRights(client);
      await client.end();
      return found;
    });
    expect(difference).toEqual({ missing: [], extra: [] });
    expect(await upgrade()).toEqual({
      code: 0,
      output: 'O banco de dados já é da versão deste programa: não há o que fazer.\n',
    });

    const back = await upgrade('--back');
    expect(back.output).toContain('voltou a ser o de antes, do Postgres 17');
    expect(back.code).toBe(0);
    expect(readVersion()).toBe('17');
    expect(await withPostgres(postgres17, digestDatabase)).toEqual(original);
    expect(existsSync(join(data, 'postgres.upgrading'))).toBe(false);
  });

  it('ends with an installation that serves, and whose log is archived beside that of before', async () => {
    const archive = join(data, 'archive');
    mkdirSync(join(archive, 'wal'), { recursive: true });
    writeFileSync(join(archive, 'system-identifier'), 'the one of before');
    writeFileSync(join(archive, 'wal/000000010000000000000001.gz'), 'of the old one');
    expect(await upgrade('--from', postgres17)).toMatchObject({ code: 0 });
    const port = String(await findFreePort());
    const server = run('main.ts', [], { PORT: port, HOST: '127.0.0.1', WAL_ARCHIVE_DIR: archive });
    const statusOf = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(statusOf, { timeout: 150_000 }).toBe(200);
    // A base backup is finished when a segment of the same name is archived.
    await expect
      .poll(() => readdirSync(join(archive, 'base')).join(), { timeout: 150_000 })
      .toMatch(/^\d+T\d+Z$/);
    const [aside = ''] = readdirSync(archive).filter((name) => name.startsWith('before-'));
    expect(readdirSync(join(archive, aside, 'wal'))).toEqual(['000000010000000000000001.gz']);
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await upgrade('--back')).toMatchObject({ code: 0 });
  });

  it.each([
    [['--forward'], 'Uso: npm run upgrade-postgres'],
    [['--from'], 'Uso: npm run upgrade-postgres'],
    [['--back', 'now'], 'Uso: npm run upgrade-postgres'],
    [['--back'], 'Não há um banco de dados de antes'],
  ])('refuses %j, and changes nothing', async (args, words) => {
    for (const name of readdirSync(join(data, 'postgres')).filter((one) => one.startsWith('cluster.')))
      rmSync(join(data, 'postgres', name), { recursive: true });
    const { code, output } = await upgrade(...args);
    expect(code).toBe(1);
    expect(output).toContain(words);
    expect(readVersion()).toBe('17');
  });

  it('leaves an external database to those who run it', async () => {
    const { code, output } = await run('commands/upgrade-postgres.ts', [], {
      DATABASE_URL: 'postgres://ana:segredo@127.0.0.1:1/links',
    }).ended;
    expect(code).toBe(1);
    expect(output).toContain('mude a versão onde ele está');
  });
});
