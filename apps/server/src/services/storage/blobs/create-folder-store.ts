import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  BlobMissingError,
  type BlobStore,
  type ByteRange,
  decodeBucketId,
  encodeBucketId,
  keepErrorForReader,
  type ListedBlob,
  parseBlobKey,
  toBlobKey,
} from './blob-store.ts';
import { spoolBytes } from './spool-bytes.ts';

/** No bucket's folder is named so: theirs never have a dot. */
const UNFINISHED = '.unfinished';
/** A bucket's id written for a file system may be longer than a file system's longest name (255 bytes). */
const MAX_NAME_LENGTH = 200;
const FOLDER_MODE = 0o700;

/**
 * Keeps bytes in a folder of this machine: `<bucket>/<version>`. They are written under another name in the same folder tree, then
 * renamed, and the disk has confirmed both before anybody is told: no power cut leaves half a file behind a record.
 * @param folder absolute; made at the first write.
 */
export function createFolderStore(folder: string): BlobStore {
  const unfinished = join(folder, UNFINISHED);

  /** Has `make` write a file, which then appears at once and whole, or not at all. */
  async function appear<T>(key: string, make: (path: string) => Promise<T>): Promise<T> {
    const path = toPath(folder, key);
    const partial = join(unfinished, randomUUID());
    await mkdir(unfinished, { recursive: true, mode: FOLDER_MODE });
    try {
      const made = await make(partial);
      await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      await rename(partial, path);
      await syncPath(dirname(path));
      return made;
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  }

  return {
    async write(key, body, { maxBytes }) {
      keepErrorForReader(body);
      const { size, digests } = await appear(key, (path) =>
        spoolBytes(body, path, { maxBytes, algorithms: ['md5'] }),
      );
      return { size, md5: digests.md5 };
    },

    async read(key, range) {
      const file = await whenMissing(key, () => open(toPath(folder, key), 'r'));
      return file.createReadStream(toStreamOptions(range));
    },

    async copy(from, to) {
      const source = toPath(folder, from);
      await appear(to, async (path) => {
        // Where the file system can, both share the same blocks.
        await whenMissing(from, () => copyFile(source, path, constants.COPYFILE_FICLONE));
        await syncPath(path);
      });
    },

    async remove(keys) {
      for (const key of keys) await rm(toPath(folder, key), { force: true });
    },

    list: () => listFolder(folder, ''),

    async removeUnfinished(before) {
      for await (const { path, modifiedAt } of listFiles(unfinished))
        if (modifiedAt < before) await rm(path, { force: true });
    },
  };
}

/** @throws Error for a key that the server did not make: no path ever leaves the folder. */
function toPath(folder: string, key: string): string {
  const parsed = parseBlobKey(key);
  if (!parsed) throw new Error('not a key of stored bytes');
  return join(folder, ...toFolderNames(parsed.bucketId), parsed.version);
}

/** Joined and decoded they are the bucket's id again. */
function toFolderNames(bucketId: string): string[] {
  return encodeBucketId(bucketId).match(new RegExp(`.{1,${MAX_NAME_LENGTH}}`, 'g')) ?? [];
}

function toStreamOptions(range: ByteRange | undefined): { start?: number; end?: number } {
  return range ? { start: range.start, end: range.end } : {};
}

async function whenMissing<T>(key: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isMissing(error)) throw new BlobMissingError(`nothing under ${key}`, { cause: error });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A new name is safe once its folder has been written down, too. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* listFolder(folder: string, encoded: string): AsyncGenerator<ListedBlob> {
  for (const name of await listSubfolders(folder)) {
    if (name === UNFINISHED) continue;
    const path = join(folder, name);
    const bucket = `${encoded}${name}`;
    for await (const { name: version, modifiedAt } of listFiles(path)) {
      const key = toBlobKey(decodeBucketId(bucket), version);
      if (parseBlobKey(key)) yield { key, modifiedAt };
    }
    yield* listFolder(path, bucket);
  }
}

async function listSubfolders(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of await openFolder(folder)) if (entry.isDirectory()) names.push(entry.name);
  return names;
}

async function* listFiles(folder: string) {
  for await (const entry of await openFolder(folder)) {
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => undefined);
    // Removed while we were reading.
    if (found) yield { name: entry.name, path, modifiedAt: found.mtime };
  }
}

async function openFolder(folder: string) {
  try {
    return await opendir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
