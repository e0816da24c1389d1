import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations } from '@linkoteca/migrations/apply-migrations';
import { listMigrations } from '@linkoteca/migrations/list-migrations';
import { listPendingMigrations } from '@linkoteca/migrations/pending-migrations';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeFailure } from '../describe-failure.ts';
import { openDatabase } from '../open-database.ts';
import { MIGRATION_FOLDERS } from '../project-folders.ts';
import { backUp } from './back-up.ts';
import { createFolderBackupStore } from './backup-place.ts';

const PRODUCT = listMigrations(MIGRATION_FOLDERS.migrationsFolder).map(({ version }) => version);
const PLATFORM = listMigrations(MIGRATION_FOLDERS.platformFolder).map(({ fileName }) => fileName);
const OLDER = { product: PRODUCT.slice(0, -2), platform: PLATFORM.filter((fileName) => fileName < '0050') };
const NEWEST = `${OLDER.product.at(-1)}-${OLDER.platform.at(-1)?.slice(0, 4)}`;

let server: ThrowawayDatabase;
let connect: pg.ClientConfig;
let folder: string;
beforeAll(async () => {
  server = await createThrowawayDatabase();
});
afterAll(() => server.drop());

let number = 0;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-before-'));
  number += 1;
  connect = { ...server.connection, database: `before_${process.pid}_${number}` };
  await server.admin.query(`create database ${connect.database}`);
});
afterEach(async () => {
  await server.admin.query(`drop database ${connect.database} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

/** What a server does at its start, but for the serving. */
async function start(backup: { beforeMigration?: boolean } = {}): Promise<void> {
  const database = await openDatabase({
    settings: {
      dataFolder: folder,
      databaseUrl: `postgres://postgres@localhost/${connect.database}?host=${server.connection.host}`,
      poolSize: 2,
      walArchive: undefined,
      s3: undefined,
      backup: {
        to: join(folder, 'backups'),
        everyMs: undefined,
        keep: 7,
        passphrase: undefined,
        beforeMigration: true,
        ...backup,
      },
    },
    jwtSecrets: ['s'.repeat(40)],
    logger: pino({ level: 'silent' }),
  });
  await database.close();
}

const list = () => readdirSync(join(folder, 'backups')).sort();
const countPending = async () => {
  const { platform, product } = await listPendingMigrations({ connect, ...MIGRATION_FOLDERS });
  return platform.length + product.length;
};

it('a database in use is backed up before it is changed, and only then', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS, only: OLDER });
  await start();
  expect(list()).toEqual([expect.stringMatching(new RegExp(`^before-${NEWEST}-\\d{8}T\\d{6}Z\\.backup$`))]);
  expect(await countPending()).toBe(0);
  await start();
  expect(list()).toHaveLength(1);
});

it('a new database is not', async () => {
  await start();
  expect(readdirSync(folder)).toEqual([]);
});

it('three of them stay, those of the schedule are not touched', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS, only: OLDER });
  mkdirSync(join(folder, 'backups'));
  const kept = [
    'before-20990101000000-20200103T000000Z.backup',
    'before-20200101000000-20200104T000000Z.backup',
  ];
  const others = ['linkoteca-20200101T000000Z.backup', 'before-o-almoco.backup'];
  const gone = [
    'before-20990101000000-20200101T000000Z.backup',
    'before-20200101000000-20200102T000000Z.backup',
  ];
  for (const name of [...kept, ...others, ...gone]) writeFileSync(join(folder, 'backups', name), 'x');
  await start();
  const left = list();
  expect(left).toEqual(expect.arrayContaining([...kept, ...others]));
  expect(left).toHaveLength(kept.length + others.length + 1);
});

it('of a start that fails and is tried again and again only the newest stays, beside the one from before the upgrade', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS, only: OLDER });
  mkdirSync(join(folder, 'backups'));
  const kept = [
    'before-20200101000000-0001-20200101T000000Z.backup',
    // Its platform's migrations come first, and one of them failed.
    'before-20200101000000-0002-20200102T000400Z.backup',
  ];
  const gone = [1, 2, 3].map((minute) => `before-20200101000000-0002-20200102T000${minute}00Z.backup`);
  for (const name of [...kept, ...gone]) writeFileSync(join(folder, 'backups', name), 'x');
  await start();
  expect(list()).toEqual([...kept, expect.stringContaining(`before-${NEWEST}-`)]);
});

it('what a start that was killed while it backed up has left goes, and nothing that is still being written', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS, only: OLDER });
  const dead = 'before-20200101000000-0001-20200101T000000Z.backup.part';
  const live = 'linkoteca-20200101T000000Z.backup.part';
  mkdirSync(join(folder, 'backups'));
  for (const name of [dead, live]) writeFileSync(join(folder, 'backups', name), 'x');
  const longAgo = new Date(Date.now() - 7_200_000);
  utimesSync(join(folder, 'backups', dead), longAgo, longAgo);
  await start();
  expect(list()).toEqual([expect.stringContaining(`before-${NEWEST}-`), live]);
});

it('where it cannot be made nothing is changed, and the operator reads how to go on', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS, only: OLDER });
  const before = await countPending();
  writeFileSync(join(folder, 'backups'), 'in the way');
  const failure = await start().catch((error: unknown) => error);
  const message = describeFailure(failure);
  expect(message).toContain('há um arquivo onde deveria haver uma pasta');
  expect(message).toContain('Nada foi mudado');
  expect(message).toContain('BACKUP_BEFORE_MIGRATION=false');
  expect(message).not.toContain('\n');
  expect(await countPending()).toBe(before);

  await start({ beforeMigration: false });
  expect(await countPending()).toBe(0);
});

it('no backup is begun where there is no room for it', async () => {
  await applyMigrations({ connect, ...MIGRATION_FOLDERS });
  const settings = {
    dataFolder: folder,
    s3: undefined,
    backup: { to: folder, everyMs: undefined, keep: 7, passphrase: undefined, beforeMigration: true },
  };
  const store = { ...createFolderBackupStore(folder), freeBytes: async () => 1000 };
  const plan = {
    settings,
    jwtSecrets: ['s'.repeat(40)],
    connect,
    kind: 'by_hand' as const,
    store,
    name: 'um',
  };
  await expect(backUp(plan)).rejects.toThrow(/Falta espaço para o backup em .+: há 0 MB livres/);
  expect(readdirSync(folder)).toEqual([]);
  const client = new pg.Client(connect);
  await client.connect();
  const { rows } = await client.query('select kind, finished_at, failure from linkoteca_platform.backups');
  await client.end();
  expect(rows).toEqual([
    { kind: 'by_hand', finished_at: null, failure: expect.stringContaining('Falta espaço') },
  ]);
});
