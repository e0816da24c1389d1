import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeLeftovers, replaceFolder } from './replace-folder.mjs';

let room = '';
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'replace-folder-'));
});
afterEach(() => rm(room, { recursive: true }));

async function make(name, word) {
  const folder = join(room, name);
  await mkdir(join(folder, 'assets'), { recursive: true });
  for (const file of ['index.html', 'assets/app.js', `${word}.txt`])
    await writeFile(join(folder, file), word);
  return folder;
}
const read = async (name) =>
  Promise.all(['index.html', 'assets/app.js'].map((file) => readFile(join(room, name, file), 'utf8')));

test('what is new takes the place, whole, and nothing of the old stays', async () => {
  const place = await make('dist', 'old');
  await replaceFolder(await make('dist.next-1', 'new'), place);
  expect(await read('dist')).toEqual(['new', 'new']);
  expect(await readdir(place)).not.toContain('old.txt');
  expect(await readdir(room)).toEqual(['dist']);
});

test('the first one needs no place yet', async () => {
  await replaceFolder(await make('dist.next-1', 'new'), join(room, 'dist'));
  expect(await read('dist')).toEqual(['new', 'new']);
});

test('what is missing leaves the place as it was', async () => {
  const place = await make('dist', 'old');
  await expect(replaceFolder(join(room, 'dist.next-1'), place)).rejects.toThrow('ENOENT');
  expect(await read('dist')).toEqual(['old', 'old']);
});

test('leftovers of killed builds go after an hour; a build under way and other folders stay', async () => {
  const place = await make('dist', 'now');
  const longAgo = new Date('2020-01-01T00:00:00Z');
  for (const name of ['dist.next-7', 'dist.old-7', 'distant', 'src'])
    await utimes(await make(name, 'x'), longAgo, longAgo);
  await make('dist.next-8', 'x');
  await removeLeftovers(place, new Date());
  expect((await readdir(room)).sort()).toEqual(['dist', 'dist.next-8', 'distant', 'src']);
});
