import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from './create-folder-store.ts';
import { describeBlobStore, listAll } from './test-support/describe-blob-store.ts';

const parent = await mkdtemp(join(tmpdir(), 'linkoteca-blobs-'));
const folder = join(parent, 'storage');
const store = createFolderStore(folder);
afterAll(() => rm(parent, { recursive: true }));

async function listEverything(): Promise<string[]> {
  const entries = await readdir(parent, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describeBlobStore('a folder of this machine', () => ({
  store,
  countRemains: async () => (await listEverything()).length,
}));

describe('the folder of stored bytes', () => {
  it('is closed to other accounts of the machine, and nothing lies outside of it', async () => {
    const before = new Set(await listEverything());
    await store.write(`../${randomUUID()}`, Readable.from(['x']), { maxBytes: 9 });
    const files = (await listEverything()).filter((file) => !before.has(file));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(file.startsWith(`${folder}/`)).toBe(true);
      expect((await stat(file)).mode & 0o077).toBe(0);
    }
    expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('forgets unfinished writes of yesterday, not those under way', async () => {
    await store.write(`geral/${randomUUID()}`, Readable.from(['x']), { maxBytes: 9 });
    const unfinished = join(folder, '.unfinished');
    expect(await readdir(unfinished)).toEqual([]);
    const [old, fresh] = [join(unfinished, randomUUID()), join(unfinished, randomUUID())];
    await writeFile(old, 'half');
    await writeFile(fresh, 'half');
    await utimes(old, new Date(), new Date(Date.now() - 90_000_000));
    await store.removeUnfinished(new Date(Date.now() - 86_400_000));
    expect(await readdir(unfinished)).toEqual([fresh.slice(unfinished.length + 1)]);
    await store.removeUnfinished(new Date(Date.now() + 1_000));
    expect(await readdir(unfinished)).toEqual([]);
  });

  it('lists nothing of what it did not write', async () => {
    const strange = await mkdtemp(join(tmpdir(), 'linkoteca-blobs-'));
    onTestFinished(() => rm(strange, { recursive: true }));
    const mixed = createFolderStore(strange);
    const own = `geral/${randomUUID()}`;
    await mixed.write(own, Readable.from(['x']), { maxBytes: 9 });
    await mkdir(join(strange, 'lost+found'));
    await writeFile(join(strange, 'lost+found', 'nota.txt'), 'x');
    await writeFile(join(strange, '%ZZ'), 'x');
    await mkdir(join(strange, '%E0%A4%A'));
    await writeFile(join(strange, '%E0%A4%A', randomUUID()), 'x');
    await writeFile(join(strange, '.unfinished', randomUUID()), 'half');
    await mkdir(join(strange, 'geral', randomUUID()));
    expect((await listAll(mixed)).map(({ key }) => key)).toEqual([own]);
    expect(await listAll(createFolderStore(join(parent, 'nunca')))).toEqual([]);
  });

  it('tells what is missing from what cannot be read', async () => {
    const strange = await mkdtemp(join(tmpdir(), 'linkoteca-blobs-'));
    onTestFinished(() => rm(strange, { recursive: true }));
    await writeFile(join(strange, 'geral'), 'a file where a folder should be');
    const broken = createFolderStore(strange);
    const key = `geral/${randomUUID()}`;
    const notADirectory = expect.objectContaining({ code: 'ENOTDIR' });
    await expect(broken.read(key)).rejects.toEqual(notADirectory);
    await expect(broken.copy(key, `outro/${randomUUID()}`)).rejects.toEqual(notADirectory);
    await expect(listAll(createFolderStore(join(strange, 'geral')))).rejects.toEqual(notADirectory);
    expect(await listAll(broken)).toEqual([]);
  });

  it('keeps an unfinished write of the very moment', async () => {
    await store.write(`geral/${randomUUID()}`, Readable.from(['x']), { maxBytes: 9 });
    const unfinished = join(folder, '.unfinished');
    const path = join(unfinished, randomUUID());
    await writeFile(path, 'half');
    const moment = new Date(1_700_000_000_000);
    await utimes(path, moment, moment);
    await store.removeUnfinished(moment);
    expect((await stat(path)).isFile()).toBe(true);
    await store.removeUnfinished(new Date(moment.getTime() + 1));
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('does not hold a large file in memory', async () => {
    const piece = Buffer.alloc(1_048_576, 7);
    const bytes = Readable.from(Array.from({ length: 64 }, () => piece));
    const before = process.memoryUsage().arrayBuffers;
    const key = `grandes/${randomUUID()}`;
    expect(await store.write(key, bytes, { maxBytes: 70_000_000 })).toMatchObject({ size: 67_108_864 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    const part = await buffer(await store.read(key, { start: 67_108_860, end: 67_108_863 }));
    expect(part).toEqual(Buffer.alloc(4, 7));
  });
});
