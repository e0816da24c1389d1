import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeFolderFailure } from './describe-folder-failure.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { type ClusterModel, createClusterModel } from './test-support/cluster-model.ts';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let model: ClusterModel;
beforeAll(async () => {
  model = await createClusterModel();
});
afterAll(() => model.remove());

function makeFolder(): string {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  return path;
}

function copyModel(): string {
  const path = makeFolder();
  model.copyTo(path);
  return path;
}

/** What the operator reads: one line, whatever it says. */
async function readRefusal(dataFolder: string): Promise<string> {
  const message = await startEmbeddedPostgres({ dataFolder }).then(
    async (postgres) => {
      await postgres.stop();
      return 'started';
    },
    (error: Error) => `${error.name}: ${error.message}`,
  );
  expect(message).not.toContain('\n');
  return message.replace('PostgresStartError: ', '');
}

describe('a folder that cannot be written to is named with its real cause', () => {
  it.each([
    ['ENOSPC', 'está cheio: libere espaço'],
    ['EDQUOT', 'A cota de disco'],
    ['EROFS', 'só de leitura: monte-o com escrita'],
    ['EIO', 'falha ao ler ou escrever: examine-o'],
    ['EACCES', 'Sem permissão de escrita na pasta de dados /d: mude o dono dela'],
    ['EPERM', 'Sem permissão de escrita'],
    ['ENOTDIR', 'há um arquivo: mova-o'],
    ['EBUSY', 'é um ponto de montagem'],
    ['EXDEV', 'fica em outro disco ou ponto de montagem'],
  ])('%s', (code, words) => {
    expect(describeFolderFailure('/d', Object.assign(new Error(), { code }))).toContain(words);
  });

  it.each([
    ['initdb: error: could not write file "x": No space left on device', 'está cheio'],
    ['FATAL:  could not create lock file "postmaster.pid": Read-only file system', 'só de leitura'],
    ['PANIC:  could not write to file "pg_wal/xlogtemp.9": Disk quota exceeded', 'A cota de disco'],
    ['FATAL:  could not read file "base/1/2": Input/output error', 'falha ao ler'],
  ])('in what another program wrote: %s', (text, words) => {
    expect(describeFolderFailure('/d', text)).toContain(words);
  });

  it('and no cause is made up', () => {
    expect(describeFolderFailure('/d', new Error('something else'))).toBeUndefined();
    expect(describeFolderFailure('/d', 'FATAL:  role "x": Permission denied')).toBeUndefined();
  });

  it('as a file in the folder’s place is', async () => {
    const path = join(makeFolder(), 'data');
    writeFileSync(path, '');
    expect(await readRefusal(path)).toContain('há um arquivo: mova-o');
    expect(await readRefusal(join(path, 'below'))).toContain('há um arquivo: mova-o');
  });
});

/** Needs a disk of its own, which only root can mount. */
describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('a disk', () => {
  function mountDisk(size: string): string {
    const path = makeFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'none', path]);
    onTestFinished(() => void spawnSync('umount', ['--lazy', path]));
    return path;
  }
  const fill = (path: string) =>
    spawnSync('dd', ['if=/dev/zero', `of=${path}/filler`, 'bs=64k'], { stdio: 'ignore' });

  it('that is full from the beginning is said to be full', async () => {
    const disk = mountDisk('1m');
    fill(disk);
    expect(await readRefusal(disk)).toBe(
      `O disco da pasta de dados ${disk} está cheio: libere espaço e inicie de novo.`,
    );
  });

  it('that fills up while the cluster is made is said to be full, and nothing half made stays', async () => {
    const disk = mountDisk('20m');
    expect(await readRefusal(disk)).toContain('está cheio');
    expect(execFileSync('ls', [disk], { encoding: 'utf8' })).not.toContain('cluster');
  });

  it('that fills up under a cluster is said to be full, and once there is room again it starts', async () => {
    const disk = mountDisk('80m');
    model.copyTo(disk);
    fill(disk);
    expect(await readRefusal(disk)).toContain('está cheio');
    rmSync(join(disk, 'filler'));
    expect(await readRefusal(disk)).toBe('started');
  });

  it('that is mounted for reading only is said to be so', async () => {
    const disk = mountDisk('80m');
    model.copyTo(disk);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    expect(await readRefusal(disk)).toContain('só de leitura');
    expect(await readRefusal(join(disk, 'data/below'))).toContain('só de leitura');
  });

  it('mounted in the cluster’s own place is not written to beside its mount', async () => {
    const data = makeFolder();
    mkdirSync(join(data, 'cluster'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'none', join(data, 'cluster')]);
    onTestFinished(() => void spawnSync('umount', ['--lazy', join(data, 'cluster')]));
    expect(await readRefusal(data)).toContain('é um ponto de montagem');
  });
});

describe('a cluster', () => {
  it('without PG_VERSION is never to be emptied', async () => {
    const data = copyModel();
    rmSync(join(data, 'cluster/PG_VERSION'));
    const line = await readRefusal(data);
    expect(line).toContain(
      'falta o arquivo PG_VERSION: não apague nada; devolva o arquivo, ou restaure o backup',
    );
    expect(line).not.toContain('esvazie');
    writeFileSync(join(data, 'cluster/PG_VERSION'), '18\n');
    expect(await readRefusal(data)).toBe('started');
  });

  it('whose PG_VERSION says nothing is said to be damaged', async () => {
    const data = copyModel();
    writeFileSync(join(data, 'cluster/PG_VERSION'), '\0\0\0');
    expect(await readRefusal(data)).toContain('PG_VERSION do banco de dados em');
  });

  it('of an older Postgres is named as such', async () => {
    const data = copyModel();
    writeFileSync(join(data, 'cluster/PG_VERSION'), '17\n');
    expect(await readRefusal(data)).toContain('os dados são do Postgres 17, e este programa traz o 18');
  });

  it('of a newer Postgres asks for a newer program', async () => {
    const data = copyModel();
    writeFileSync(join(data, 'cluster/PG_VERSION'), '99\n');
    expect(await readRefusal(data)).toContain('use uma versão mais nova da Linkoteca');
  });

  it.each(['global/pg_control', 'pg_xact/0000', 'pg_wal'])(
    'that has lost %s is said to be damaged, and what to keep',
    async (name) => {
      const data = copyModel();
      rmSync(join(data, 'cluster', name), { recursive: true });
      expect(await readRefusal(data)).toMatch(/está danificado \(.*\): não apague nada; guarde uma cópia/);
    },
  );

  it('whose control file was altered is said to be damaged', async () => {
    const data = copyModel();
    const path = join(data, 'cluster/global/pg_control');
    const bytes = readFileSync(path);
    bytes.fill(7, 40, 60);
    writeFileSync(path, bytes);
    expect(await readRefusal(data)).toMatch(/está danificado/);
  });

  it('that is somebody else’s folder is left alone, and one of its files is named', async () => {
    const data = makeFolder();
    mkdirSync(join(data, 'cluster'));
    writeFileSync(join(data, 'cluster/precious.txt'), 'mine');
    expect(await readRefusal(data)).toContain('(precious.txt): mova-os para outro lugar');
    expect(readFileSync(join(data, 'cluster/precious.txt'), 'utf8')).toBe('mine');
  });
});
