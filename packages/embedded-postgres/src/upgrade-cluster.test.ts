import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findEarlierPostgres } from '@linkoteca/test-kit/find-earlier-postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PostgresConnection, startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { type ClusterModel, createClusterModel, query } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { type ClusterUpgrade, revertUpgrade, upgradeCluster } from './upgrade-cluster.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const postgres17 = findEarlierPostgres(17) ?? '';

/** A cluster of Postgres 17 with one row, stopped. */
let model: ClusterModel | undefined;
let dataFolder: string;
let upgrade: ClusterUpgrade;

beforeAll(async () => {
  if (postgres17 === '') return;
  const contents = 'create table kept (id int primary key); insert into kept values (17)';
  model = await createClusterModel({ binaries: postgres17, contents });
});
afterAll(() => model?.remove());

beforeEach(() => {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  dataFolder = join(path, 'postgres');
  mkdirSync(dataFolder);
  model?.copyTo(dataFolder);
  upgrade = {
    dataFolder,
    workFolder: join(path, 'postgres.upgrading'),
    findOldBinaries: async () => postgres17,
    transfer: copyKept,
    now: () => new Date(),
  };
});

async function copyKept(from: PostgresConnection, to: PostgresConnection): Promise<void> {
  const rows = (await query(from.host, 'select id from kept')) as { id: number }[];
  await query(to.host, 'create table kept (id int primary key)');
  for (const { id } of rows) await query(to.host, `insert into kept values (${id})`);
}

const readVersion = (folder: string) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
const listClusters = () => readdirSync(dataFolder).filter((name) => name.startsWith('cluster'));

/** What is there, read with the Postgres of the cluster's own version. */
async function readKept(binaries?: string): Promise<unknown[]> {
  const postgres = await startEmbeddedPostgres({ dataFolder, ...(binaries ? { binaries } : {}) });
  try {
    return await query(postgres.socketFolder, 'select id from kept order by id');
  } finally {
    await postgres.stop();
  }
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

describe.runIf(postgres17 !== '')('a cluster of Postgres 17', () => {
  it('is refused with the command that moves it', async () => {
    expect(await messageOf(startEmbeddedPostgres({ dataFolder }))).toContain(
      'os dados são do Postgres 17, e este programa traz o 18; rode "npm run upgrade-postgres"',
    );
  });

  it('moves to 18 with all it has, and is kept; a second time there is nothing to do', async () => {
    const owner = statSync(join(dataFolder, 'cluster')).uid;
    const done = await upgradeCluster(upgrade);
    expect(done).toMatchObject({ from: 17, to: 18 });
    expect(readVersion(join(dataFolder, 'cluster'))).toBe('18');
    expect(statSync(join(dataFolder, 'cluster')).uid).toBe(owner);
    expect(readVersion(done?.keptAside ?? '')).toBe('17');
    expect(() => statSync(upgrade.workFolder)).toThrow('ENOENT');
    expect(await readKept()).toEqual([{ id: 17 }]);
    expect(await upgradeCluster(upgrade)).toBeUndefined();
  });

  it('cannot be written to meanwhile, nor served', async () => {
    const seen: string[] = [];
    await upgradeCluster({
      ...upgrade,
      async transfer(from, to) {
        seen.push(await messageOf(query(from.host, 'insert into kept values (18)')));
        seen.push(await messageOf(startEmbeddedPostgres({ dataFolder, binaries: postgres17 })));
        await copyKept(from, to);
      },
    });
    expect(seen[0]).toContain('read-only transaction');
    expect(seen[1]).toContain('Outra cópia da Linkoteca');
    expect(await readKept()).toEqual([{ id: 17 }]);
  });

  it('stays as it is when not everything has arrived', async () => {
    const transfer = () => Promise.reject(new Error('two rows are missing'));
    expect(await messageOf(upgradeCluster({ ...upgrade, transfer }))).toBe('two rows are missing');
    expect(listClusters()).toEqual(['cluster']);
    expect(() => statSync(upgrade.workFolder)).toThrow('ENOENT');
    expect(await readKept(postgres17)).toEqual([{ id: 17 }]);
  });

  it('is not touched while a server runs on it', async () => {
    const running = await startEmbeddedPostgres({ dataFolder, binaries: postgres17 });
    onTestFinished(() => running.stop());
    expect(await messageOf(upgradeCluster(upgrade))).toContain('Outra cópia da Linkoteca');
    expect(await messageOf(revertUpgrade(upgrade))).toContain('Outra cópia da Linkoteca');
    expect(await query(running.socketFolder, 'select id from kept')).toEqual([{ id: 17 }]);
  });

  it('comes back as it was, and what was written since is kept beside it', async () => {
    await upgradeCluster(upgrade);
    const newer = await startEmbeddedPostgres({ dataFolder });
    await query(newer.socketFolder, 'insert into kept values (18)');
    await newer.stop();
    const done = await revertUpgrade(upgrade);
    expect(done).toMatchObject({ from: 18, to: 17 });
    expect(readVersion(done.keptAside)).toBe('18');
    expect(await readKept(postgres17)).toEqual([{ id: 17 }]);
    expect(await messageOf(revertUpgrade(upgrade))).toContain('Não há um banco de dados de antes');
    // And forward again, from what is there now.
    expect(await upgradeCluster(upgrade)).toMatchObject({ from: 17, to: 18 });
    expect(await readKept()).toEqual([{ id: 17 }]);
  });
});

describe.runIf(postgres17 !== '' && process.platform === 'linux')('an upgrade that was cut short', () => {
  it('by kill -9 in the middle leaves the old cluster in use, and can be run again at once', async () => {
    const script = fileURLToPath(new URL('./test-support/upgrading.ts', import.meta.url));
    const child = spawn(process.execPath, [script, dataFolder, upgrade.workFolder, postgres17], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(listClusters()).toEqual(['cluster']);
    expect(await readKept(postgres17)).toEqual([{ id: 17 }]);
    expect(await upgradeCluster(upgrade)).toMatchObject({ from: 17, to: 18 });
    expect(await readKept()).toEqual([{ id: 17 }]);
  });

  it('before the clusters change places is begun anew: the old one may have been written to', async () => {
    await expectCut();
    const old = await startEmbeddedPostgres({ dataFolder, binaries: postgres17 });
    await query(old.socketFolder, 'insert into kept values (1)');
    await old.stop();
    expect(await upgradeCluster(upgrade)).toMatchObject({ from: 17, to: 18 });
    expect(await readKept()).toEqual([{ id: 1 }, { id: 17 }]);
  });

  it('between the two steps of changing places does not look like an empty folder, and is finished', async () => {
    await expectCut();
    renameSync(join(dataFolder, 'cluster'), join(dataFolder, 'cluster.17-20261122T000000000Z'));
    expect(await messageOf(startEmbeddedPostgres({ dataFolder }))).toContain(
      'Uma mudança de versão do Postgres foi interrompida: rode "npm run upgrade-postgres" outra vez',
    );
    expect(listClusters()).toEqual(['cluster.17-20261122T000000000Z']);
    expect(await upgradeCluster(upgrade)).toMatchObject({
      from: 17,
      to: 18,
      keptAside: join(dataFolder, 'cluster.17-20261122T000000000Z'),
    });
    expect(await readKept()).toEqual([{ id: 17 }]);
  });

  it('there, with a new cluster that is not whole, puts the old one back first', async () => {
    await expectCut();
    renameSync(join(dataFolder, 'cluster'), join(dataFolder, 'cluster.17-20261122T000000000Z'));
    rmSync(join(upgrade.workFolder, 'ready'));
    expect(await upgradeCluster(upgrade)).toMatchObject({ from: 17, to: 18 });
    expect(await readKept()).toEqual([{ id: 17 }]);
  });

  it('on the way back is finished by the same command', async () => {
    await upgradeCluster(upgrade);
    renameSync(join(dataFolder, 'cluster'), join(dataFolder, 'cluster.18-99991231T000000000Z'));
    expect(await revertUpgrade(upgrade)).toMatchObject({ from: 18, to: 17 });
    expect(await readKept(postgres17)).toEqual([{ id: 17 }]);
  });

  async function expectCut(): Promise<void> {
    const beforeSwap = () => Promise.reject(new Error('cut'));
    expect(await messageOf(upgradeCluster({ ...upgrade, beforeSwap }))).toBe('cut');
    expect(listClusters()).toEqual(['cluster']);
  }
});
