import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startEmbeddedPostgres } from '@linkoteca/embedded-postgres/start-embedded-postgres';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { compareRights } from '@linkoteca/migrations/compare-rights';
import { BASELINE, EARLIER_VERSIONS } from '@linkoteca/migrations/earlier-history';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import { startTestCluster } from '@linkoteca/test-kit/start-test-cluster';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../kernel/database.ts';
import { MIGRATION_FOLDERS } from '../project-folders.ts';
import { createFolderStore } from '../services/storage/blobs/create-folder-store.ts';
import { startS3Server } from '../services/storage/blobs/test-support/start-s3-server.ts';
import { backUp } from './back-up.ts';
import { createFolderBackupStore } from './backup-place.ts';
import { finishRestoration } from './finish-restoration.ts';
import { openOwnerDatabase } from './open-owner-database.ts';
import { restoreInstallation } from './restore-installation.ts';
import { declareBackup } from './schedule-backups.ts';
import { nameRestoring, startSwap } from './swap-restored.ts';
import { digestDatabase } from './test-support/digest-database.ts';
import { fillInstallation, storeFile } from './test-support/fill-installation.ts';

// Whole databases are made; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const SECRETS = ['s'.repeat(40), 'b'.repeat(40)];
const NAME = 'um.backup';
const DAY_MS = 86_400_000;

const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const otherDisk = ['/dev/shm', '/tmp', '/var/tmp'].find(
  (path) => ![undefined, deviceOf(tmpdir())].includes(deviceOf(path)),
);

let parent: string;
let source: ThrowawayDatabase;
let original: Record<string, unknown>;
let fileKey: string;
/** Where the backup has been restored to: to look at, and to copy where a test needs an installation to be there. */
let whole: string;
let report: Awaited<ReturnType<typeof restore>>;
beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'linkoteca-restore-'));
  await chmod(parent, 0o755);
  source = await createThrowawayDatabase();
  const blobs = createFolderStore(join(parent, 'source/storage'));
  const user = await fillInstallation(source.admin, blobs);
  fileKey = await storeFile(source.admin, blobs, user.id, Buffer.from('o conteúdo'));
  original = await digestDatabase(source.connection);
  await backUp(planBackup(source.connection));
  whole = mkdtempSync(join(parent, 'whole-'));
  report = await restore(whole);
});
afterAll(async () => {
  await source.drop();
  rmSync(parent, { recursive: true, force: true });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(parent, 'data-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = () => createFolderBackupStore(join(parent, 'backups'));

function settingsOf(dataFolder: string, more: { databaseUrl?: string; passphrase?: string } = {}) {
  const { databaseUrl, passphrase } = more;
  const backup = {
    to: join(parent, 'backups'),
    everyMs: undefined,
    keep: 7,
    passphrase,
    beforeMigration: true,
  };
  return { dataFolder, databaseUrl, s3: undefined, backup };
}

function planBackup(connect: pg.ClientConfig, name = NAME, passphrase?: string) {
  return {
    settings: settingsOf(join(parent, 'source'), passphrase === undefined ? {} : { passphrase }),
    jwtSecrets: SECRETS,
    connect,
    kind: 'by_hand' as const,
    store: store(),
    name,
  };
}

function restore(dataFolder: string, more: { name?: string; replace?: boolean; databaseUrl?: string } = {}) {
  const { name = NAME, replace = false, databaseUrl } = more;
  const settings = settingsOf(dataFolder, databaseUrl === undefined ? {} : { databaseUrl });
  return restoreInstallation({ settings, store: store(), name, replace });
}

/** Looks into the database of a data folder that no server uses. */
async function lookInto<T>(dataFolder: string, look: (connect: pg.ClientConfig) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataFolder: join(dataFolder, 'postgres'), durable: false });
  try {
    return await look(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** With owners and rights. */
const copyWhole = (to: string) => execFileSync('cp', ['-a', `${whole}/.`, to]);

const readFile = async (dataFolder: string) =>
  (await buffer(await createFolderStore(join(dataFolder, 'storage')).read(fileKey))).toString();

describe('a restoration', () => {
  it('brings back every row, sequence, policy, file and secret, and only one account may read it', async () => {
    // Something is there to be lost: odd characters, partitions, generated numbers, what triggers have written.
    const filled = ['auth.users', 'public.links', 'private.deletions', 'private.link_search'];
    for (const table of [
      ...filled,
      'private.admin_audit_log',
      'realtime.messages',
      'payment_emulator.objects',
    ])
      expect(original, table).not.toMatchObject({ [table]: { rows: 0 } });
    expect(original['policies']).toContainEqual(expect.objectContaining({ policyname: 'meus_read' }));
    expect(await lookInto(whole, digestDatabase)).toEqual(original);
    expect(report.totals).toMatchObject({ files: 5, lostFiles: [] });
    expect(report.warnings).toEqual([]);
    expect(await readFile(whole)).toBe('o conteúdo');
    expect(JSON.parse(readFileSync(join(whole, 'secrets.json'), 'utf8'))).toEqual({
      jwtSecret: SECRETS[0],
      earlierJwtSecrets: [SECRETS[1]],
    });
    expect(statSync(join(whole, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(parent, 'backups', NAME)).mode & 0o777).toBe(0o600);
    expect(readdirSync(whole).sort()).toEqual(['postgres', 'secrets.json', 'storage']);
  });

  it('leaves the triggers as the migrations made them', async () => {
    const readTriggers = async (connect: pg.ClientConfig) =>
      query(
        connect,
        `select tgrelid::regclass::text as on, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
      );
    expect(await lookInto(whole, readTriggers)).toEqual(await readTriggers(source.connection));
  });

  it('of a week ago gives what lies in a bin a week more, and lets no account be purged for a day', async () => {
    const inAWeek = new Date(Date.now() + 7 * DAY_MS);
    const settings = settingsOf(folder);
    const restored = { settings, store: store(), name: NAME, replace: false, now: () => inAWeek };
    expect((await restoreInstallation(restored)).purges).toBe(0);
    const readMoments = (connect: pg.ClientConfig) =>
      query(
        connect,
        `select extract(epoch from max(purge_after))::float as bin,
           (select extract(epoch from due_at)::float from private.account_upkeep) as round
         from private.deletions`,
      ) as Promise<{ bin: number; round: number }[]>;
    const [before] = await readMoments(source.connection);
    const [after] = await lookInto(folder, readMoments);
    const madeAt = new Date(report.manifest.createdAt).getTime();
    expect((after?.bin ?? 0) - (before?.bin ?? 0)).toBeCloseTo((inAWeek.getTime() - madeAt) / 1000, 0);
    expect(after?.round).toBeCloseTo((inAWeek.getTime() + DAY_MS) / 1000, 0);
  });

  it('pushes no scheduled backup out: the next one comes when its time is over', async () => {
    await lookInto(whole, async (connect) => {
      const db = createDatabase({ ...connect, user: 'authenticator', max: 2 });
      const dueIn = async (hours: number) => {
        const settings = settingsOf(whole);
        const turn = await declareBackup({
          settings: { ...settings, backup: { ...settings.backup, everyMs: DAY_MS } },
          jwtSecrets: SECRETS,
          db,
          connect,
          now: () => new Date(Date.now() + hours * 3_600_000),
          logger: { info: () => undefined, error: () => undefined },
        }).claim?.();
        if (typeof turn === 'function') await turn();
        return turn !== false;
      };
      expect([await dueIn(23), await dueIn(25)]).toEqual([false, true]);
      await db.pool.end();
    });
  });

  it('refuses a folder with data, and with --replace keeps what was there', async () => {
    copyWhole(folder);
    const before = readdirSync(folder);
    await expect(restore(folder)).rejects.toThrow(
      /já há dados: escolha outra pasta com DATA_DIR, ou use --replace/,
    );
    expect(readdirSync(folder)).toEqual(before);
    writeFileSync(join(folder, 'storage/arquivos/sem-registro'), 'x');
    const { aside = '' } = await restore(folder, { replace: true });
    expect(readdirSync(aside).sort()).toEqual(['postgres', 'secrets.json', 'storage']);
    expect(existsSync(join(aside, 'postgres/cluster/PG_VERSION'))).toBe(true);
    expect(readdirSync(join(folder, 'storage/arquivos'))).not.toContain('sem-registro');
    expect(await lookInto(folder, digestDatabase)).toEqual(original);
  });

  it('refuses a folder that a server uses, before it touches anything', async () => {
    const postgres = await startEmbeddedPostgres({ dataFolder: join(folder, 'postgres'), durable: false });
    onTestFinished(postgres.stop);
    await expect(restore(folder, { replace: true })).rejects.toThrow(/já usa a pasta de dados/);
    expect(readdirSync(folder)).toEqual(['postgres']);
  });

  it('that stops in the middle leaves what was there, and nothing of its own', async () => {
    copyWhole(folder);
    const bytes = readFileSync(join(parent, 'backups', NAME));
    writeFileSync(join(parent, 'backups/cut.backup'), bytes.subarray(0, bytes.length - 100_000));
    await expect(restore(folder, { name: 'cut.backup', replace: true })).rejects.toThrow(/está incompleto/);
    expect(readdirSync(folder).sort()).toEqual(['postgres', 'secrets.json', 'storage']);
    expect(await lookInto(folder, digestDatabase)).toEqual(original);
    expect(await readFile(folder)).toBe('o conteúdo');
  });

  it('whose files are not what was written is refused, and takes no place', async () => {
    const account = { accessKeyId: 'chave', secretAccessKey: 'segredo', region: 'us-east-1' };
    const { endpoint, objects, stop } = await startS3Server('meus', account);
    onTestFinished(stop);
    Object.assign(objects, {
      set: (key: string, bytes: Buffer) => Map.prototype.set.call(objects, key, Buffer.from(bytes).reverse()),
    });
    const settings = { ...settingsOf(folder), s3: { ...account, endpoint, bucket: 'meus' } };
    await expect(
      restoreInstallation({ settings, store: store(), name: NAME, replace: false }),
    ).rejects.toThrow(/não ficou como no backup/);
    expect(objects.size).toBe(5);
    expect(readdirSync(folder)).toEqual(['postgres']);
    expect(readdirSync(join(folder, 'postgres'))).toEqual([]);
  });

  it('killed before its check leaves no trace at the next, killed after it is brought to its end', async () => {
    copyWhole(folder);
    // As a kill leaves it while the rows are loaded …
    const half = nameRestoring(folder);
    copyWhole(half);
    await finishRestoration(folder);
    expect(existsSync(join(half, 'secrets.json'))).toBe(true);
    expect(await lookInto(folder, digestDatabase)).toEqual(original);
    // … and one move after the order to take its place.
    writeFileSync(join(half, 'secrets.json'), JSON.stringify({ jwtSecret: 'n'.repeat(40) }));
    startSwap(folder);
    await finishRestoration(folder);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('nnnn');
    await finishRestoration(folder);
    expect(await lookInto(folder, digestDatabase)).toEqual(original);
    await restore(folder, { replace: true });
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('ssss');
    expect(existsSync(half)).toBe(false);
  });

  it.runIf(otherDisk)(
    'into a data folder with another disk in it is refused before anything is made',
    async () => {
      const disk = mkdtempSync(join(otherDisk ?? '', 'linkoteca-restore-'));
      onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
      symlinkSync(disk, join(folder, 'postgres'));
      await expect(restore(folder)).rejects.toThrow(
        /\/postgres é um disco ou ponto de montagem próprio: .* Nada foi mudado\.$/,
      );
      expect(readdirSync(folder)).toEqual(['postgres']);
      expect(readdirSync(disk)).toEqual([]);
      // A link is moved itself, wherever it leads.
      rmSync(join(folder, 'postgres'));
      symlinkSync(disk, join(folder, 'storage'));
      await restore(folder);
      expect(await readFile(folder)).toBe('o conteúdo');
    },
  );

  it('that cannot take its place whole keeps what is restored, and the next start brings it to its end', async () => {
    const cluster = join(folder, 'postgres/cluster');
    mkdirSync(join(folder, 'postgres'));
    // A folder cannot be moved onto a link; files and secrets have taken their places by then.
    symlinkSync(join(folder, 'nowhere'), cluster);
    await expect(restore(folder)).rejects.toThrow('ENOTDIR');
    expect(await readFile(folder)).toBe('o conteúdo');
    rmSync(cluster);
    await finishRestoration(folder);
    expect(await lookInto(folder, digestDatabase)).toEqual(original);
    expect(await readFile(folder)).toBe('o conteúdo');
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('ssss');
  });
});

describe('a backup of an earlier version', () => {
  it('is restored as that version had it, then migrated, with the rights of a new installation', async () => {
    const older = await createEmptyDatabase('older');
    const connect = { ...source.connection, database: older };
    const product = listMigrations(MIGRATION_FOLDERS.migrationsFolder).map(({ version }) => version);
    const platform = listMigrations(MIGRATION_FOLDERS.platformFolder).map(({ fileName }) => fileName);
    const only = {
      product: product.slice(0, -2),
      platform: platform.filter((fileName) => fileName < '0050'),
    };
    await applyMigrations({ connect, ...MIGRATION_FOLDERS, only });
    const admin = new pg.Pool({ ...connect, max: 1 });
    const user = await fillInstallation(admin, createFolderStore(join(parent, 'source/storage')));
    await admin.end();
    await backUp(planBackup(connect, 'older.backup'));

    const { newer } = await restore(folder, { name: 'older.backup' });
    expect(newer).toHaveLength(2 + platform.length - only.platform.length);
    await lookInto(folder, async (restored) => {
      const links = `select title, url, description from public.links order by title collate "C"`;
      expect(await query(restored, links)).toEqual(await query(connect, links));
      expect(await query(restored, `select plan from public.profiles where id = '${user.id}'`)).toEqual([
        { plan: 'pro' },
      ]);
      const client = new pg.Client(restored);
      await client.connect();
      expect(await compareRights(client)).toEqual({ missing: [], extra: [] });
      await client.end();
    });
  });

  /** What that history ended in is what the squashed one begins with: none of the migrations that came later. */
  const backUpEarlier = async (versions: readonly string[], name: string) => {
    const connect = { ...source.connection, database: await createEmptyDatabase(name.replace('.', '_')) };
    const only = {
      product: listMigrations(MIGRATION_FOLDERS.migrationsFolder)
        .map(({ version }) => version)
        .filter((version) => version <= BASELINE),
      platform: listMigrations(MIGRATION_FOLDERS.platformFolder).map(({ fileName }) => fileName),
    };
    await applyMigrations({ connect, ...MIGRATION_FOLDERS, only });
    const admin = new pg.Pool({ ...connect, max: 1 });
    await fillInstallation(admin, createFolderStore(join(parent, 'source/storage')));
    await admin.query('delete from supabase_migrations.schema_migrations');
    await admin.query(
      'insert into supabase_migrations.schema_migrations (version) select unnest($1::text[])',
      [versions],
    );
    await admin.end();
    await backUp(planBackup(connect, name));
    return connect;
  };

  it('from the end of the earlier history of migrations is restored like one of today', async () => {
    const connect = await backUpEarlier(EARLIER_VERSIONS, 'earlier.backup');
    const report = await restore(folder, { name: 'earlier.backup' });
    const later = listMigrations(MIGRATION_FOLDERS.migrationsFolder).filter(
      ({ version }) => version > BASELINE,
    );
    expect(report).toMatchObject({ newer: later.map(({ fileName }) => fileName), warnings: [] });
    const links = `select title, url, description from public.links order by title collate "C"`;
    expect(await lookInto(folder, (restored) => query(restored, links))).toEqual(await query(connect, links));
  });

  it('from the middle of that history is refused, and the version that takes it is named', async () => {
    await backUpEarlier(EARLIER_VERSIONS.slice(0, 50), 'middle.backup');
    await expect(restore(folder, { name: 'middle.backup' })).rejects.toThrow(
      /versão antiga da Linkoteca .* 20261122200000_take_turns_after_a_wrong_clock/,
    );
  });

  it('is refused where it is of a later one, and nothing is made', async () => {
    const { connection, drop } = await createThrowawayDatabase();
    onTestFinished(drop);
    await query(
      connection,
      `insert into supabase_migrations.schema_migrations (version, name) values ('99990101000000', 'x')`,
    );
    await backUp(planBackup(connection, 'later.backup'));
    await expect(restore(folder, { name: 'later.backup' })).rejects.toThrow(
      'A migração 99990101000000 não existe nesta versão da Linkoteca',
    );
    expect(readdirSync(folder)).toEqual(['postgres']);
    expect(readdirSync(join(folder, 'postgres'))).toEqual([]);
  });
});

describe.each([18, ...(findEarlierPostgres(15) === null ? [] : [15])])(
  'an external Postgres %i',
  (version) => {
    it('takes a backup of another, as an account that is no superuser, and gives it back the same', async () => {
      const binaries = version === 15 ? findEarlierPostgres(15) : null;
      const cluster = await startTestCluster({ migrated: false, ...(binaries === null ? {} : { binaries }) });
      onTestFinished(cluster.stop);
      const { host, port, user } = cluster;
      const superuser = { host, port, user, database: 'postgres' };
      await query(superuser, 'create role operator login createrole');
      await query(superuser, 'create database humble owner operator');
      const connect = { host, port, user: 'operator', database: 'humble' };
      const databaseUrl = `postgres:///humble?${new URLSearchParams({ host, port: String(port), user: 'operator' })}`;

      await restore(folder, { databaseUrl });
      expect(await digestDatabase({ ...superuser, database: 'humble' })).toEqual(original);
      expect(await readFile(folder)).toBe('o conteúdo');
      expect(existsSync(join(folder, 'postgres/cluster'))).toBe(false);
      await expect(restore(mkdtempSync(join(parent, 'data-')), { databaseUrl })).rejects.toThrow(
        'O banco de DATABASE_URL já tem conteúdo',
      );

      const name = `from-${version}.backup`;
      await backUp(planBackup(connect, name));
      const back = mkdtempSync(join(parent, 'data-'));
      await restore(back, { name });
      expect(await lookInto(back, digestDatabase)).toEqual(original);
    });
  },
);

it('an external database stays closed until its files are sure to take their places, and whoever comes next is told what to do', async () => {
  const database = await createEmptyDatabase('ordered');
  const { host, port, user } = source.connection;
  const connect = { ...source.connection, database };
  const databaseUrl = `postgres:///${database}?${new URLSearchParams({ host: host ?? '', port: String(port), user: user ?? '' })}`;
  const mark = 'linkoteca_restore_unfinished';
  const untilFound = (text: string) =>
    vi.waitUntil(async () => (await query(connect, text)).length > 0, { timeout: 60_000, interval: 20 });

  const cutShort = restore(folder, { databaseUrl }).then(String, String);
  await untilFound(`select from pg_namespace where nspname = '${mark}'`);
  const holder = new pg.Client(connect);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query(`begin; comment on schema ${mark} is 'held'`);
  const waiting = `from pg_stat_activity where datname = '${database}' and wait_event_type = 'Lock'`;
  await untilFound(`select ${waiting}`);
  expect(readdirSync(nameRestoring(folder)).sort()).toEqual(['secrets.json', 'storage', 'swap.json']);
  expect(readdirSync(folder)).not.toContain('secrets.json');

  // As a kill would leave it: the files take their places, and the database stays closed until it is made anew.
  await query(connect, `select pg_terminate_backend(pid) ${waiting}`);
  expect(await cutShort).toMatch(/terminat/);
  await holder.end();
  await finishRestoration(folder);
  expect(await readFile(folder)).toBe('o conteúdo');
  const again = { databaseUrl, replace: true };
  await expect(restore(folder, again)).rejects.toThrow(
    /restauração não terminou: apague o banco, crie-o de novo/,
  );
  // Nor is half of it taken for the installation.
  const settings = { dataFolder: folder, databaseUrl, walArchive: undefined };
  await expect(openOwnerDatabase(settings)).rejects.toThrow(/restauração não terminou/);
  await query(source.connection, `drop database ${database} with (force)`);
  await query(source.connection, `create database ${database}`);
  await restore(folder, again);
  expect(await digestDatabase(connect)).toEqual(original);
  expect(await query(connect, `select from pg_namespace where nspname = '${mark}'`)).toEqual([]);
});

async function createEmptyDatabase(label: string): Promise<string> {
  const database = `${label}_${process.pid}_${Date.now()}`;
  await query({ ...source.connection, database: 'postgres' }, `create database ${database}`);
  onTestFinished(async () => {
    await query({ ...source.connection, database: 'postgres' }, `drop database ${database} with (force)`);
  });
  return database;
}

async function query(connect: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connect);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
