import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES_STAY_LOCK, holdFiles } from '@linkoteca/backup/hold-files';
import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createJob, runOnce } from '../jobs/create-job.ts';
import { createFakeTimers } from '../jobs/test-support/create-fake-timers.ts';
import { createDatabase, type Database } from '../kernel/database.ts';
import { createFolderStore } from '../services/storage/blobs/create-folder-store.ts';
import { sweepOrphans } from '../services/storage/blobs/sweep-orphans.ts';
import { forgetBlobs } from '../services/storage/storage-deps.ts';
import { declareBackup, type ScheduledBackupDeps } from './schedule-backups.ts';
import { storeFile } from './test-support/fill-installation.ts';

const HOUR_MS = 3_600_000;

let database: ThrowawayDatabase;
let db: Database;
let folder: string;
let failures: unknown[];
beforeAll(async () => {
  database = await createThrowawayDatabase();
  db = createDatabase({ ...database.authenticator, max: 4 });
});
afterAll(async () => {
  await db.pool.end();
  await database.drop();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'linkoteca-schedule-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  failures = [];
  await database.admin.query('delete from linkoteca_platform.backups');
});

function depsOf(
  hours = 0,
  more: { to?: string; keep?: number; everyMs?: number | undefined } = {},
): ScheduledBackupDeps {
  const backup = {
    to: join(folder, 'backups'),
    everyMs: 24 * HOUR_MS,
    keep: 2,
    passphrase: undefined,
    beforeMigration: true,
    ...more,
  };
  return {
    settings: { dataFolder: folder, s3: undefined, backup },
    jwtSecrets: ['s'.repeat(40)],
    db,
    connect: database.connection,
    now: () => new Date(Date.now() + hours * HOUR_MS),
    logger: { info: () => undefined, error: (...words: unknown[]) => failures.push(words) },
  };
}

const backUpWhenDue = (deps: ScheduledBackupDeps) => runOnce(declareBackup(deps));
const list = () => readdirSync(join(folder, 'backups')).sort();
const readState = async () =>
  (await database.admin.query(`select * from linkoteca_platform.backups where kind = 'scheduled'`)).rows[0];

describe('backups by themselves', () => {
  it('are made when the time has come, once for all copies, and remembered in the database', async () => {
    const made = await Promise.all([1, 2, 3].map(() => backUpWhenDue(depsOf())));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(list()).toEqual([expect.stringMatching(/^linkoteca-\d{8}T\d{6}Z\.backup$/)]);
    const state = await readState();
    expect(state).toMatchObject({ failed_at: null, failure: null });
    expect(Number(state.bytes)).toBeGreaterThan(1000);
    expect(await backUpWhenDue(depsOf(23))).toBe(false);
    expect(await backUpWhenDue(depsOf(25))).toBe(true);
    expect(list()).toHaveLength(2);
  });

  it('are counted by themselves: neither one by hand nor one before a migration makes them earlier or later', async () => {
    await database.admin.query(
      `insert into linkoteca_platform.backups (kind, started_at, failed_at) values
         ('by_hand', now(), now()), ('before_migration', now() - interval '400 days', null)`,
    );
    expect(await backUpWhenDue(depsOf())).toBe(true);
    expect(await backUpWhenDue(depsOf(0.1))).toBe(false);
  });

  it('are made again at once after a clock that was 400 days ahead', async () => {
    await backUpWhenDue(depsOf());
    await database.admin.query(
      `update linkoteca_platform.backups set started_at = started_at + interval '400 days'`,
    );
    expect(await backUpWhenDue(depsOf(1))).toBe(true);
    expect(await backUpWhenDue(depsOf(2))).toBe(false);
  });

  it('make room by removing the oldest of their own, never anything else, and only after a good one', async () => {
    const others = [
      'linkoteca.backup',
      'linkoteca-20200101T000000Z.backup.txt',
      'before-20200101000000-20200101T000000Z.backup',
      'meu.part',
    ];
    const own = [
      'linkoteca-20200101T000000Z.backup',
      'linkoteca-20200102T000000Z.backup',
      'linkoteca-20200103T000000Z.backup',
    ];
    mkdirSync(join(folder, 'backups'));
    for (const name of [...others, ...own, 'linkoteca-20200104T000000Z.backup.part'])
      writeFileSync(join(folder, 'backups', name), 'x');
    const dead = new Date(Date.now() - 2 * HOUR_MS);
    utimesSync(join(folder, 'backups/linkoteca-20200104T000000Z.backup.part'), dead, dead);

    await expect(
      backUpWhenDue({ ...depsOf(), connect: { ...database.connection, database: 'nowhere' } }),
    ).rejects.toThrow();
    expect(list()).toEqual(expect.arrayContaining([...others, ...own]));
    expect(await backUpWhenDue(depsOf())).toBe(true);
    const left = list();
    expect(left).toEqual(expect.arrayContaining([...others, 'linkoteca-20200103T000000Z.backup']));
    expect(left).toHaveLength(others.length + 2);
  });

  it('outlive those of a clock that was ahead, which go first', async () => {
    const ahead = ['linkoteca-20990101T000000Z.backup', 'linkoteca-20990102T000000Z.backup'];
    const older = 'linkoteca-20200103T000000Z.backup';
    mkdirSync(join(folder, 'backups'));
    for (const name of [...ahead, older]) writeFileSync(join(folder, 'backups', name), 'x');
    expect(await backUpWhenDue(depsOf())).toBe(true);
    expect(list()).toEqual([older, expect.stringMatching(/^linkoteca-202\d{5}T\d{6}Z\.backup$/)]);
  });

  it('that fail say so once, are remembered, and leave nothing half written; the next is tried later', async () => {
    writeFileSync(join(folder, 'backups'), 'a file where the folder should be');
    const timers = createFakeTimers();
    const job = createJob(declareBackup(depsOf()), { timers });
    job.start();
    expect(timers.waiting()).toEqual([60_000]);
    timers.advance(60_000);
    await expect.poll(() => failures.length).toBe(1);
    expect((await readState())?.failure).toContain('há um arquivo onde deveria haver uma pasta');
    await job.stop();
    expect(await backUpWhenDue(depsOf(0.2))).toBe(false);
    rmSync(join(folder, 'backups'));
    expect(await backUpWhenDue(depsOf(0.3))).toBe(true);
  });

  it('are none where BACKUP_EVERY is not set', async () => {
    expect(await backUpWhenDue(depsOf(0, { everyMs: undefined }))).toBe(false);
  });
});

describe('while a backup copies files', () => {
  it('a deleted file keeps its bytes, also from the sweep, and loses them afterwards', async () => {
    const blobs = createFolderStore(join(folder, 'storage'));
    const key = await storeFile(
      database.admin,
      blobs,
      '11111111-1111-4111-8111-111111111111',
      Buffer.from('x'),
    );
    const deps = {
      db,
      blobs,
      now: () => new Date(Date.now() + 48 * HOUR_MS),
      logger: { warn: () => undefined, info: () => undefined },
    };
    const exists = () =>
      blobs.read(key).then(
        (stream) => stream.destroy() !== undefined,
        () => false,
      );

    const backup = new pg.Client(database.connection);
    await backup.connect();
    await holdFiles(backup);
    const second = new pg.Client(database.connection);
    await second.connect();
    await expect(holdFiles(second)).rejects.toThrow('Outro backup deste banco está sendo feito');
    await second.end();
    await deleteRecord(key);
    await forgetBlobs({ ...deps, logger: deps.logger as never }, [key]);
    expect(await sweepOrphans(deps)).toBeUndefined();
    expect(await exists()).toBe(true);

    await backup.end();
    await expect.poll(() => sweepOrphans(deps)).toEqual({ seen: 1, removed: 1 });
    expect(await exists()).toBe(false);
  });

  it('one deletion does not keep another from removing bytes', async () => {
    const blobs = createFolderStore(join(folder, 'storage'));
    const key = await storeFile(
      database.admin,
      blobs,
      '11111111-1111-4111-8111-111111111111',
      Buffer.from('x'),
    );
    const other = new pg.Client(database.connection);
    await other.connect();
    await other.query(`begin; select pg_try_advisory_xact_lock_shared(${FILES_STAY_LOCK})`);
    await forgetBlobs({ db, blobs, logger: { warn: () => undefined } as never }, [key]);
    await other.end();
    await expect(blobs.read(key)).rejects.toThrow('nothing under');
  });
});

async function deleteRecord(key: string): Promise<void> {
  const client = await database.admin.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('storage.allow_delete_query', 'true', true)`);
    await client.query('delete from storage.objects where version = $1', [key.split('/')[1]]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
