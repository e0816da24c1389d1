import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A file that appears or is renamed in a folder is there for good once the folder itself is on the disk. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
