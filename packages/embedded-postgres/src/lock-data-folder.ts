import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresStartError } from './postgres-start-error.ts';
import { readProcess } from './read-process.ts';

/** Who holds a data folder, and where its database listens. */
export type LockHolder = {
  readonly processId: number;
  readonly startedAt: string;
  readonly socketFolder: string;
};

export type FolderLock = { release(): void };

/**
 * Claims a data folder for this process. Nothing has to be tidied up after a crash: a lock counts only while the very
 * process that wrote it is alive. Postgres has its own last line of defence; this one gives the clear message.
 * @throws PostgresStartError when another process holds it.
 */
export function lockDataFolder(dataFolder: string, socketFolder: string): FolderLock {
  const path = lockPath(dataFolder);
  const mine = `${path}.${process.pid}`;
  const startedAt = readProcess(process.pid)?.startedAt ?? '';
  const content = JSON.stringify({ processId: process.pid, startedAt, socketFolder } satisfies LockHolder);
  writeFileSync(mine, content, { mode: 0o600 });
  try {
    for (;;) {
      try {
        // Unlike opening with 'wx', a link appears with its content: nobody ever reads an empty lock.
        linkSync(mine, path);
        return { release: () => releaseLock(path, content) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        setStaleLockAside(path);
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** The living process that holds the folder; undefined when nobody does. */
export function findLockHolder(dataFolder: string): LockHolder | undefined {
  const holder = parseHolder(readLock(lockPath(dataFolder)));
  return holder && isAlive(holder) ? holder : undefined;
}

function lockPath(dataFolder: string): string {
  return join(dataFolder, 'server.lock');
}

function setStaleLockAside(path: string): void {
  const content = readLock(path);
  const holder = parseHolder(content);
  if (holder && isAlive(holder)) refuse(path, holder);
  const aside = `${path}.stale-${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Another starting copy was quicker: look again.
  }
  try {
    if (readLock(aside) === content) return;
    // Between reading and renaming another copy had taken over: what we moved is its fresh lock. Give it back.
    linkSync(aside, path);
  } catch {
    // A third copy holds the lock by now; the next look says so.
  } finally {
    rmSync(aside, { force: true });
  }
}

function refuse(path: string, holder: LockHolder): never {
  throw new PostgresStartError(
    `Outra cópia da Linkoteca (processo ${holder.processId}) já usa a pasta de dados ${path.replace(/\/[^/]*$/, '')}: ` +
      'encerre-a, ou escolha outra pasta com DATA_DIR.',
  );
}

function isAlive(holder: LockHolder): boolean {
  const found = readProcess(holder.processId);
  return found !== undefined && !found.isZombie && found.startedAt === holder.startedAt;
}

function readLock(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function parseHolder(content: string): LockHolder | undefined {
  try {
    const value = JSON.parse(content) as Partial<LockHolder>;
    const { processId, startedAt, socketFolder } = value;
    if (!Number.isSafeInteger(processId) || typeof startedAt !== 'string' || typeof socketFolder !== 'string')
      return undefined;
    return { processId: processId as number, startedAt, socketFolder };
  } catch {
    return undefined;
  }
}

function releaseLock(path: string, content: string): void {
  if (readLock(path) === content) rmSync(path, { force: true });
}
