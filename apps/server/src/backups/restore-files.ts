import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { BackupError } from '@linkoteca/backup/backup-error';
import type { RestoredFile } from '@linkoteca/backup/restore-database';
import type { BlobStore } from '../services/storage/blobs/blob-store.ts';
import { parseBlobKey, toBlobKey } from '../services/storage/blobs/parse-blob-key.ts';

export type RestoringFiles = {
  write(file: RestoredFile, body: AsyncIterable<Buffer>): Promise<void>;
  /** Reads every file again. @throws BackupError where one is not what was written. */
  check(): Promise<void>;
};

/** Puts the bytes of files where the server looks for them. */
export function restoreFiles(blobs: BlobStore): RestoringFiles {
  const sums = new Map<string, string>();
  return {
    async write({ bucketId, version }, body) {
      const key = toBlobKey(bucketId, version);
      if (parseBlobKey(key) === undefined)
        throw new BackupError(`O backup está danificado: ${key} não é um arquivo.`);
      const hash = createHash('sha256');
      const counted = async function* () {
        for await (const piece of body) {
          hash.update(piece);
          yield piece;
        }
      };
      await blobs.write(key, Readable.from(counted()), { maxBytes: Number.POSITIVE_INFINITY });
      sums.set(key, hash.digest('hex'));
    },

    async check() {
      for (const [key, sum] of sums) {
        const hash = createHash('sha256');
        for await (const piece of await blobs.read(key)) hash.update(piece);
        if (hash.digest('hex') !== sum)
          throw new BackupError(
            `O arquivo ${key} não ficou como no backup: confira o disco e restaure de novo.`,
          );
      }
    },
  };
}
