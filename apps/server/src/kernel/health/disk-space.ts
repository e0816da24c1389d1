import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

export type DiskSpace = {
  readonly freeBytes: number;
  readonly sizeBytes: number;
  /** Files that may still be made; undefined where the file system sets no limit. */
  readonly freeFiles: number | undefined;
};

export type ReadDiskSpace = (folder: string) => Promise<DiskSpace>;

/** Postgres needs room for its log (segments of 1 MiB), an upload for a file of 50 MiB. */
const LEAST_BYTES = 64 * 1024 * 1024;
const LEAST_FILES = 200;

/** The space of the file system that a folder is on, for accounts without root's reserve; of the folder above where it is not made yet. */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  try {
    const { bsize, bavail, blocks, files, ffree } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, freeFiles: files > 0 ? ffree : undefined };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return readDiskSpace(dirname(folder));
  }
}

/** Whether there is too little left to go on writing. */
export function isFull({ freeBytes, freeFiles = Number.POSITIVE_INFINITY }: DiskSpace): boolean {
  return freeBytes < LEAST_BYTES || freeFiles < LEAST_FILES;
}
