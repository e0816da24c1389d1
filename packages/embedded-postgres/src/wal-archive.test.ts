import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createTemporaryFolder } from './test-support/create-temporary-folder.ts';
import { openWalArchive, reserveWalArchive, type WalArchive } from './wal-archive.ts';

const SEGMENT = 'wal/000000010000000000000001.gz';

let folder: string;
let archive: WalArchive;
beforeEach(() => {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  folder = path;
  archive = openWalArchive(join(path, 'archive'));
});

/** A cluster as far as its identity goes. */
function makeCluster(name: string): string {
  mkdirSync(join(folder, name, 'global'), { recursive: true });
  writeFileSync(join(folder, name, 'global/pg_control'), `${name.padEnd(8)} and so on`);
  return join(folder, name);
}

const reserve = (clusterFolder: string) =>
  reserveWalArchive(archive, { clusterFolder, now: new Date('2026-11-22T10:00:00Z') });

it('an archive goes on with its own cluster, start after start', async () => {
  const cluster = makeCluster('one');
  await reserve(cluster);
  writeFileSync(join(archive.folder, SEGMENT), 'of the first');
  await reserve(cluster);
  expect(readFileSync(join(archive.folder, SEGMENT), 'utf8')).toBe('of the first');
});

it('an archive of another cluster makes room for this one, and nothing of it is lost', async () => {
  await reserve(makeCluster('one'));
  writeFileSync(join(archive.folder, SEGMENT), 'of the first');
  const other = makeCluster('two');
  await reserve(other);
  const aside = join(archive.folder, 'before-20261122T100000000Z');
  expect(readFileSync(join(aside, SEGMENT), 'utf8')).toBe('of the first');
  for (const name of ['wal', 'base']) expect(readdirSync(join(archive.folder, name))).toEqual([]);
  writeFileSync(join(archive.folder, SEGMENT), 'of the second');
  await reserve(other);
  expect(readFileSync(join(archive.folder, SEGMENT), 'utf8')).toBe('of the second');
});

it('an archive without its cluster waits for a recovery', async () => {
  await reserve(makeCluster('one'));
  writeFileSync(join(archive.folder, SEGMENT), 'of the first');
  await reserve(join(folder, 'nothing'));
  expect(readFileSync(join(archive.folder, SEGMENT), 'utf8')).toBe('of the first');
});
