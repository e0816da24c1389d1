import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

it.each([
  ['goes on with a segment that was archived before a crash', 'same', 'same', true],
  ['makes room for an earlier state of its cluster', 'half', 'half and rest', false],
])('an archive %s', async (_what, own, archived, stays) => {
  const cluster = makeCluster('one');
  const control = Buffer.alloc(64, 'one     ');
  control.writeUInt32LE(1, 48);
  writeFileSync(join(cluster, 'global/pg_control'), control);
  mkdirSync(join(cluster, 'pg_wal'));
  await reserve(cluster);
  writeFileSync(join(cluster, 'pg_wal/000000010000000000000001'), own);
  // Under a name that the archive does not have yet lies what is to be used again.
  writeFileSync(join(cluster, 'pg_wal/000000010000000000000002'), 'of before');
  writeFileSync(join(archive.folder, SEGMENT), gzipSync(archived));
  await reserve(cluster);
  expect(existsSync(join(archive.folder, SEGMENT))).toBe(stays);
  expect(existsSync(join(archive.folder, 'before-20261122T100000000Z', SEGMENT))).toBe(!stays);
});

it('an archive without its cluster waits for a recovery', async () => {
  await reserve(makeCluster('one'));
  writeFileSync(join(archive.folder, SEGMENT), 'of the first');
  await reserve(join(folder, 'nothing'));
  expect(readFileSync(join(archive.folder, SEGMENT), 'utf8')).toBe('of the first');
});
