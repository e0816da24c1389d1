import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { findServiceIdentity } from './choose-account.ts';
import {
  adoptRecovered,
  findHole,
  findMissingSegment,
  type Recovery,
  recoverCluster,
  recoverInPlace,
} from './recover-cluster.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { takeBaseBackup } from './take-base-backup.ts';
import { type ClusterModel, createClusterModel } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { startSupervisor } from './test-support/start-supervisor.ts';
import {
  type BaseBackup,
  baseFolderOf,
  clearUnfinishedBases,
  listArchiveSettings,
  listBaseBackups,
  openWalArchive,
  pruneWalArchive,
  reserveWalArchive,
  type WalArchive,
  walFolderOf,
} from './wal-archive.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let model: ClusterModel;
beforeAll(async () => {
  model = await createClusterModel({ contents: 'create table kept (id int primary key, body text)' });
});
afterAll(() => model.remove());

function makeFolders() {
  const root = createTemporaryFolder();
  onTestFinished(root.remove);
  const owner = process.getuid?.() === 0 ? findServiceIdentity() : undefined;
  // A quote and a percent sign: the folder's name goes through a shell and through Postgres.
  const archive = openWalArchive(join(root.path, "o'arquivo 100%"), owner);
  const dataFolder = join(root.path, 'postgres');
  mkdirSync(dataFolder);
  model.copyTo(dataFolder);
  const recovery = (target: Date): Recovery => ({
    archive,
    recoveredFolder: join(root.path, 'recovering'),
    lostCluster: join(dataFolder, 'cluster'),
    target,
  });
  const clusterFolder = join(dataFolder, 'cluster');
  /** As a start does. @returns how often the archive has made room by now. */
  const reserve = async () => {
    await reserveWalArchive(archive, { clusterFolder, now: new Date(), ...(owner ? { owner } : {}) });
    return readdirSync(archive.folder).filter((name) => name.startsWith('before-')).length;
  };
  return { archive, dataFolder, recovery, clusterFolder, reserve };
}

async function start(dataFolder: string, archive: WalArchive | undefined) {
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    settings: archive ? listArchiveSettings(archive) : {},
  });
  const client = new pg.Client(postgres.connection);
  client.on('error', () => undefined);
  await client.connect();
  const stop = async () => {
    await client.end();
    await postgres.stop();
  };
  return { postgres, client, stop };
}

/** Each row says when it was written; the moment between two of them belongs to the earlier one. */
async function write(client: pg.Client, id: number): Promise<Date> {
  await client.query('insert into kept values ($1, repeat($2, 1000))', [id, 'x']);
  await client.query('select pg_sleep(0.02)');
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
  await client.query('select pg_sleep(0.02)');
  return rows[0]?.now ?? new Date(0);
}

const readIds = async (client: pg.Client) =>
  (await client.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id);

it('goes back to a moment between two transactions, also where the log is not archived yet, and goes on from there', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const first = await start(dataFolder, archive);
  await write(first.client, 0);
  const base = await takeBaseBackup(
    archive,
    { connection: first.postgres.connection, clusterFolder },
    () => new Date(),
  );
  expect(base.bytes).toBeGreaterThan(1_000_000);
  await write(first.client, 1);
  await first.client.query('select pg_switch_wal()');
  const wanted = await write(first.client, 2);
  await write(first.client, 3);
  await first.client.query('drop table kept');
  await first.stop();

  const recovered = await recoverCluster(recovery(wanted));
  expect(recovered.base.name).toBe(base.name);
  expect(recovered.lastTransactionAt?.getTime()).toBeLessThanOrEqual(wanted.getTime());
  const aside = await adoptRecovered(recovery(wanted), new Date());
  expect(readdirSync(aside ?? '')).toContain('PG_VERSION');

  const second = await start(dataFolder, archive);
  expect(await readIds(second.client)).toEqual([0, 1, 2]);
  // A second recovery begins with the same base backup and follows the new history.
  const later = await write(second.client, 4);
  await write(second.client, 5);
  await second.stop();
  await recoverCluster(recovery(later));
  await adoptRecovered(recovery(later), new Date());
  const third = await start(dataFolder, archive);
  expect(await readIds(third.client)).toEqual([0, 1, 2, 4]);
  await third.stop();
});

const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

/** Until everything finished so far is archived, and Postgres has noted it: no file is renamed after that. */
async function archiveAll({ client }: Awaited<ReturnType<typeof start>>) {
  const { rows } = await client.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
  );
  await client.query('select pg_switch_wal()');
  await vi.waitUntil(async () => {
    const told = await client.query<{ name: string | null }>(
      'select last_archived_wal as name from pg_stat_archiver',
    );
    return (told.rows[0]?.name ?? '') >= (rows[0]?.name ?? '');
  }, 60_000);
}

it('keeps its archive through a stop, a kill and a recovery', async () => {
  const { archive, dataFolder, recovery, clusterFolder, reserve } = makeFolders();
  await reserve();
  const killed = await start(dataFolder, archive);
  await takeBaseBackup(archive, { connection: killed.postgres.connection, clusterFolder }, () => new Date());
  await write(killed.client, 0);
  await archiveAll(killed);
  await write(killed.client, 1);
  process.kill(killed.postgres.processId() ?? Number.NaN, 'SIGKILL');
  await vi.waitUntil(() => killed.postgres.restarts() === 1 && killed.postgres.isRunning(), 60_000);
  expect(await reserve()).toBe(0);
  await killed.stop();
  expect(await reserve()).toBe(0);
  const stopped = await start(dataFolder, archive);
  const wanted = await write(stopped.client, 2);
  await archiveAll(stopped);
  expect(await reserve()).toBe(0);
  await write(stopped.client, 3);
  await stopped.stop();
  await recoverCluster(recovery(wanted));
  await adoptRecovered(recovery(wanted), new Date());
  expect(await reserve()).toBe(0);
  const recovered = await start(dataFolder, archive);
  expect(await readIds(recovered.client)).toEqual([0, 1, 2]);
  await archiveAll(recovered);
  expect(await reserve()).toBe(0);
  await recovered.stop();
  expect(await reserve()).toBe(0);
});

it.each([
  ['while it was stopped', true],
  ['while it ran', false],
])(
  'whose folder of before, copied %s, is put back archives another history, and recovers into it',
  async (_when, isStopped) => {
    const { archive, dataFolder, recovery, clusterFolder, reserve } = makeFolders();
    await reserve();
    const lost = await start(dataFolder, archive);
    await write(lost.client, 0);
    // The next one is minutes away.
    await lost.client.query('checkpoint');
    await archiveAll(lost);
    await write(lost.client, 1);
    const copy = `${dataFolder}.copy`;
    if (isStopped) await lost.stop();
    copyFolder(clusterFolder, copy);
    rmSync(join(copy, 'postmaster.pid'), { force: true });
    if (isStopped) Object.assign(lost, await start(dataFolder, archive));
    await write(lost.client, 2);
    await takeBaseBackup(archive, { connection: lost.postgres.connection, clusterFolder }, () => new Date());
    await lost.stop();
    rmSync(clusterFolder, { recursive: true });
    copyFolder(copy, clusterFolder);
    expect(await reserve()).toBe(1);
    const back = await start(dataFolder, archive);
    await takeBaseBackup(archive, { connection: back.postgres.connection, clusterFolder }, () => new Date());
    const wanted = await write(back.client, 3);
    await write(back.client, 4);
    await back.stop();
    expect(await reserve()).toBe(1);
    await recoverCluster(recovery(wanted));
    await adoptRecovered(recovery(wanted), new Date());
    const after = await start(dataFolder, archive);
    expect(await readIds(after.client)).toEqual([0, 1, 3]);
    await after.stop();
  },
);

it('is made ready before it is used, by whoever knows what lies in it', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const first = await start(dataFolder, archive);
  await takeBaseBackup(archive, { connection: first.postgres.connection, clusterFolder }, () => new Date());
  const begun = new Date();
  const wanted = await write(first.client, 1);
  await write(first.client, 2);
  await first.stop();
  const moments: Date[] = [];
  await recoverCluster({
    ...recovery(wanted),
    settle: async (connection, at) => {
      moments.push(at);
      const client = new pg.Client(connection);
      await client.connect();
      await client.query(`insert into kept values (9, 'x')`);
      await client.end();
    },
  });
  expect(moments.map((moment) => moment >= begun && moment <= wanted)).toEqual([true]);
  await adoptRecovered(recovery(wanted), new Date());
  const second = await start(dataFolder, archive);
  expect(await readIds(second.client)).toEqual([1, 9]);
  await second.stop();
});

it('takes everything there is where nothing was written until the moment asked for', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const { client, postgres, stop } = await start(dataFolder, archive);
  await takeBaseBackup(archive, { connection: postgres.connection, clusterFolder }, () => new Date());
  const last = await write(client, 1);
  await stop();
  const future = new Date(last.getTime() + 60_000);
  expect((await recoverCluster(recovery(future))).missingSegment).toBeUndefined();
  await adoptRecovered(recovery(future), new Date());
  const after = await start(dataFolder, undefined);
  expect(await readIds(after.client)).toEqual([1]);
  await after.stop();
});

it('says which segment is missing where the log has a hole before the moment asked for, and nothing of one after it', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const { client, postgres, stop } = await start(dataFolder, archive);
  await takeBaseBackup(archive, { connection: postgres.connection, clusterFolder }, () => new Date());
  const writeSegment = async (id: number) => {
    const at = await write(client, id);
    const { rows } = await client.query<{ name: string }>(
      'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
    );
    await client.query('select pg_switch_wal()');
    return { at, name: rows[0]?.name ?? '' };
  };
  const moment = await write(client, 1);
  await writeSegment(2);
  const { name } = await writeSegment(3);
  const last = await writeSegment(4);
  await stop();
  rmSync(join(walFolderOf(archive), `${name}.gz`));
  rmSync(join(clusterFolder, 'pg_wal', name), { force: true });
  expect((await recoverCluster(recovery(moment))).missingSegment).toBeUndefined();
  expect((await recoverCluster(recovery(last.at))).missingSegment).toBe(name);
  await adoptRecovered(recovery(last.at), new Date());
  const after = await start(dataFolder, undefined);
  expect(await readIds(after.client)).toEqual([1, 2]);
  await after.stop();
});

it.each([
  ['names a hole behind the end of a log file of 4 GB', '0FFE', '0FFE 0FFF 1.0 1.1 1.3', '1.2'],
  ['names a hole at the end of such a file', '0FFE', '0FFE 1.0', '0FFF'],
  ['finds no hole where the log goes on in the next file', '0FFE', '0FFE 0FFF 1.0 1.1 1.2 1.3', undefined],
  ['looks for no segment from before its base backup', '1.1', '0FFD 0FFF 1.1 1.2', undefined],
])('%s', (_what, from, kept, missing) => {
  const root = createTemporaryFolder();
  onTestFinished(root.remove);
  const archive = openWalArchive(root.path);
  const recoveredFolder = join(root.path, 'recovering');
  mkdirSync(join(recoveredFolder, 'cluster/pg_wal'), { recursive: true });
  /** `1.2` is segment 2 of the log file 1, `0FFE` one of the file 0. */
  const nameOf = (short: string) => {
    const [segment = '', file = '0'] = short.split('.').reverse();
    return `00000001${file.padStart(8, '0')}${segment.padStart(8, '0')}`;
  };
  for (const short of kept.split(' ')) writeFileSync(join(walFolderOf(archive), `${nameOf(short)}.gz`), '');
  expect(findMissingSegment({ archive, recoveredFolder }, { firstSegment: nameOf(from) })).toBe(
    missing && nameOf(missing),
  );
});

it('looks through a year of segments', () => {
  const hex = (part: number) => part.toString(16).toUpperCase().padStart(8, '0');
  const nameOf = (at: number) => `00000001${hex(Math.floor(at / 4096))}${hex(at % 4096)}`;
  const names = Array.from({ length: 600_000 }, (_, at) => `${nameOf(at)}.gz`);
  const base = { firstSegment: nameOf(1) };
  expect(findHole(names, base)).toBeUndefined();
  names.splice(500_000, 1);
  expect(findHole(names, base)).toBe(nameOf(500_000));
});

it('refuses a moment before the first base backup, and changes nothing', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const { postgres, stop } = await start(dataFolder, archive);
  await expect(recoverCluster(recovery(new Date()))).rejects.toThrow('Não há nenhuma cópia de base');
  const base = await takeBaseBackup(
    archive,
    { connection: postgres.connection, clusterFolder },
    () => new Date(),
  );
  await stop();
  await expect(recoverCluster(recovery(new Date(0)))).rejects.toThrow(base.finishedAt);
  expect(statSync(clusterFolder).isDirectory()).toBe(true);
});

it('keeps what is ready to be swapped where it refuses before it begins', async () => {
  const { recovery } = makeFolders();
  const lost = recovery(new Date());
  const ready = join(lost.recoveredFolder, 'cluster');
  mkdirSync(ready, { recursive: true });
  await expect(recoverInPlace(lost, () => new Date())).rejects.toThrow('Não há nenhuma cópia de base');
  expect(statSync(ready).isDirectory()).toBe(true);
});

it('leaves no half copy beside the database where it fails', async () => {
  const { archive, recovery, clusterFolder } = makeFolders();
  const base: BaseBackup = {
    name: '20260101T000000Z',
    majorVersion: 18,
    firstSegment: '000000010000000000000001',
    finishedAt: '2026-01-01T00:00:00Z',
    bytes: 1,
  };
  mkdirSync(join(baseFolderOf(archive), base.name));
  writeFileSync(join(baseFolderOf(archive), base.name, 'base.json'), JSON.stringify(base));
  const lost = recovery(new Date());
  await expect(recoverInPlace(lost, () => new Date())).rejects.toThrow('ENOENT');
  expect(() => statSync(lost.recoveredFolder)).toThrow('ENOENT');
  expect(statSync(clusterFolder).isDirectory()).toBe(true);
});

it('keeps what recovery since a moment needs, and no more', async () => {
  const { archive, dataFolder, clusterFolder } = makeFolders();
  const { client, postgres, stop } = await start(dataFolder, archive);
  const source = { connection: postgres.connection, clusterFolder };
  const bases = [];
  for (let round = 0; round < 3; round += 1) {
    bases.push(await takeBaseBackup(archive, source, () => new Date(Date.UTC(2026, 0, 1 + round))));
    await write(client, round);
    await client.query('select pg_switch_wal()');
  }
  // A clock that is years ahead removes nothing that a right one would keep.
  await pruneWalArchive(archive, new Date('2099-01-01'), 3);
  expect(await listBaseBackups(archive)).toHaveLength(3);
  await pruneWalArchive(archive, new Date(bases[1]?.finishedAt ?? ''), 1);
  expect((await listBaseBackups(archive)).map(({ name }) => name)).toEqual([bases[1]?.name, bases[2]?.name]);
  const segments = readdirSync(walFolderOf(archive)).map((name) => name.slice(8, 24));
  const needed = bases[1]?.firstSegment.slice(8) ?? '';
  expect(segments.length).toBeGreaterThan(0);
  expect(segments.filter((segment) => segment < needed)).toEqual([]);
  expect(segments).toContain(needed);
  await stop();
});

it('never takes a base backup that was cut short for one', async () => {
  const { archive, dataFolder, clusterFolder } = makeFolders();
  const { postgres, stop } = await start(dataFolder, archive);
  const unreachable = { ...postgres.connection, database: 'nobody' };
  await expect(
    takeBaseBackup(archive, { connection: unreachable, clusterFolder }, () => new Date()),
  ).rejects.toThrow();
  await expect(
    takeBaseBackup(
      archive,
      { connection: postgres.connection, clusterFolder: '/dev/null' },
      () => new Date(),
    ),
  ).rejects.toThrow();
  expect(readdirSync(baseFolderOf(archive))).toEqual([]);
  mkdirSync(join(baseFolderOf(archive), '20260101T000000Z.part/cluster'), { recursive: true });
  expect(await listBaseBackups(archive)).toEqual([]);
  await clearUnfinishedBases(archive);
  expect(readdirSync(baseFolderOf(archive))).toEqual([]);
  await stop();
});

it('brings back what was acknowledged before the server and its Postgres were killed', async () => {
  const { archive, dataFolder, recovery, clusterFolder } = makeFolders();
  const before = await start(dataFolder, archive);
  await takeBaseBackup(archive, { connection: before.postgres.connection, clusterFolder }, () => new Date());
  await before.stop();
  const supervisor = await startSupervisor(dataFolder);
  const client = new pg.Client({ host: supervisor.socketFolder, user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  const moment = await write(client, 1);
  await write(client, 2);
  process.kill(supervisor.postgresId, 'SIGKILL');
  await supervisor.kill();
  await client.end().catch(() => undefined);
  await recoverCluster(recovery(moment));
  await adoptRecovered(recovery(moment), new Date());
  const after = await start(dataFolder, undefined);
  expect(await readIds(after.client)).toEqual([1]);
  await after.stop();
});
