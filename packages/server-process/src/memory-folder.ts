import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** Linux' file system in memory. */
const MEMORY = '/dev/shm';
/** Of one account: another's leftovers are none of ours to remove. */
const PREFIX = `linkoteca-tests-${process.getuid?.()}-`;
/** Bytes: several times what a whole run holds at once. In a container the file system may be as small as 64 MB. */
const NEEDED = 2 * 1024 ** 3;

/**
 * Leads temporary files of this process and its children (`os.tmpdir()`) into memory, where there is enough: a run clones hundreds of
 * databases and forgets them, and a disk takes twice as long for it. The folder goes when the process ends; one that was killed leaves
 * its own to the next. A `TMPDIR` that is set stays.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || freeBytes(MEMORY) < NEEDED) return;
  removeOrphans();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // As /tmp: where this is root, Postgres runs as somebody else.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    // No such file system here.
    return 0;
  }
}

function removeOrphans(): void {
  for (const name of readdirSync(MEMORY)) {
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
