import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { BlobMissingError, type BlobStore, BlobTooLargeError, type ListedBlob } from '../blob-store.ts';

export type BlobStoreUnderTest = {
  readonly store: BlobStore;
  /** How many files, uploads or parts of them exist, finished or not. */
  countRemains(): Promise<number>;
};

const PLENTY = { maxBytes: 10_000_000 };

/** Everything that a store lists. */
export async function listAll(store: BlobStore): Promise<ListedBlob[]> {
  const listed: ListedBlob[] = [];
  for await (const blob of store.list()) listed.push(blob);
  return listed;
}

/** What every store of bytes must do, wherever it keeps them. */
export function describeBlobStore(name: string, open: () => BlobStoreUnderTest): void {
  const newKey = (bucket = 'fotos') => `${bucket}/${randomUUID()}`;
  const read = async (store: BlobStore, ...args: Parameters<BlobStore['read']>) =>
    buffer(await store.read(...args));
  const keysOf = async (store: BlobStore) => (await listAll(store)).map(({ key }) => key);

  describe(name, () => {
    it('gives back what was written, whole or a part of it, and says its size and sum', async () => {
      const { store } = open();
      const key = newKey();
      const bytes = randomBytes(300_000);
      const written = await store.write(
        key,
        Readable.from([bytes.subarray(0, 9), bytes.subarray(9)]),
        PLENTY,
      );
      expect(written).toEqual({ size: 300_000, md5: createHash('md5').update(bytes).digest('hex') });
      expect(await read(store, key)).toEqual(bytes);
      expect(await read(store, key, { start: 100, end: 199 })).toEqual(bytes.subarray(100, 200));
      expect(await read(store, key, { start: 299_999, end: 299_999 })).toEqual(bytes.subarray(299_999));
    });

    it('keeps an empty file', async () => {
      const { store } = open();
      const key = newKey();
      expect(await store.write(key, Readable.from([]), { maxBytes: 0 })).toMatchObject({ size: 0 });
      expect(await read(store, key)).toEqual(Buffer.alloc(0));
    });

    it('copies, lists and removes; what is not there is no error', async () => {
      const { store } = open();
      const buckets = ['fotos', 'Meus arquivos & mais (1)', `${'á!'.repeat(50)}..`, '..'];
      const keys = buckets.map(newKey);
      for (const key of keys) await store.write(key, Readable.from([Buffer.from(key)]), PLENTY);
      const copy = newKey('cópias');
      await store.copy(keys[0] ?? '', copy);
      expect((await read(store, copy)).toString()).toBe(keys[0]);
      expect(await keysOf(store)).toEqual(expect.arrayContaining([...keys, copy]));
      const [found] = await listAll(store);
      expect(Math.abs(Date.now() - (found?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000);

      await store.remove([...keys, newKey()]);
      const left = await keysOf(store);
      expect(left).toContain(copy);
      for (const key of keys) expect(left).not.toContain(key);
      await expect(store.read(keys[0] ?? '')).rejects.toThrow(BlobMissingError);
      await expect(store.copy(keys[0] ?? '', newKey())).rejects.toThrow(BlobMissingError);
      await store.remove([]);
    });

    it('leaves nothing of a file that is too large or whose sender goes away', async () => {
      const { store, countRemains } = open();
      const before = await countRemains();
      const tooLarge = Readable.from([Buffer.alloc(60_000), Buffer.alloc(60_000)]);
      await expect(store.write(newKey(), tooLarge, { maxBytes: 100_000 })).rejects.toThrow(BlobTooLargeError);
      const broken = new Readable({ read: () => undefined });
      broken.push(Buffer.alloc(60_000));
      setImmediate(() => broken.destroy(new Error('the sender has gone')));
      await expect(store.write(newKey(), broken, PLENTY)).rejects.toThrow('the sender has gone');
      expect(await countRemains()).toBe(before);
    });

    it.each([
      '../fora',
      'fotos/../../fora',
      'fotos/a.png',
      '/etc/passwd',
      'fotos',
      '',
      `a/b/${randomUUID()}`,
    ])('touches nothing under the key "%s"', async (key) => {
      const { store } = open();
      await expect(store.write(key, Readable.from(['x']), PLENTY)).rejects.toThrow();
      await expect(store.read(key)).rejects.toThrow();
      await expect(store.remove([key])).rejects.toThrow();
    });
  });
}
