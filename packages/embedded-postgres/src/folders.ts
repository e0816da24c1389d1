import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and those above it that are missing, closed to others; root's lets them pass through, as Postgres and the
 * functions run as other accounts.
 * @throws the real error of the folder that cannot be made: Node's own recursive mode says ENOENT of a read-only disk.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path !== dirname(path)) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    // Somebody else may have made it in between.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** A file that appears or is renamed in a folder is there for good once the folder itself is on the disk. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
