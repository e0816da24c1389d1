import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { PostgresStartError } from './describe-folder-failure.ts';
import { POSTGRES_ENVIRONMENT } from './postgres-environment.ts';

/**
 * A lock of the kernel's. It belongs to the open file, not to a process: it is held until this process and every one that
 * was started with the descriptor have ended or closed it, in whatever namespace they are, stopped or not.
 */
export type FileLock = {
  readonly descriptor: number;
  /** Gives up this process's part in it. */
  release(): void;
};

/** Exit status of flock(1) when somebody else holds the lock, in util-linux and in busybox. */
const HELD = 1;
/** fcntl.h of macOS, which locks while it opens. */
const [O_EXLOCK, O_NONBLOCK] = [0x20, 0x4];

/**
 * Takes flock(2) on a file or a folder.
 * @returns undefined when it is held already.
 * @throws PostgresStartError when there is no flock(1), or the file system has no locks; what open(2) says otherwise.
 */
export function tryFileLock(path: string): FileLock | undefined {
  return process.platform === 'linux' ? lockByProgram(path) : lockByOpening(path);
}

/**
 * Node knows no flock(2). The program locks the open file that it shares with us, so the lock stays after the program's end.
 * @throws as `tryFileLock`
 */
function lockByProgram(path: string): FileLock | undefined {
  const descriptor = openToLock(path);
  const { status, error, stderr } = spawnSync('flock', ['-x', '-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    env: { ...POSTGRES_ENVIRONMENT, PATH: `${process.env['PATH'] ?? ''}:${POSTGRES_ENVIRONMENT['PATH']}` },
    encoding: 'utf8',
  });
  if (status === 0) return hold(descriptor);
  closeSync(descriptor);
  if (status === HELD) return undefined;
  throw new PostgresStartError(
    (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
      ? 'O programa "flock" (do pacote util-linux) não foi encontrado: instale-o, ou defina DATABASE_URL com um Postgres externo.'
      : `O sistema de arquivos de ${path} não aceita travas (${stderr?.trim() || error?.message}): escolha outra pasta com DATA_DIR.`,
    { cause: error },
  );
}

/** Over NFS the lock is one of the server's, which wants a file open for writing; a folder cannot be. */
function openToLock(path: string): number {
  try {
    return openSync(path, constants.O_RDWR);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    return openSync(path, constants.O_RDONLY);
  }
}

/** Closed twice, it could be somebody else's by then. */
function hold(descriptor: number): FileLock {
  let isOpen = true;
  return {
    descriptor,
    release() {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    },
  };
}

function lockByOpening(path: string): FileLock | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | O_EXLOCK | O_NONBLOCK);
    return hold(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
