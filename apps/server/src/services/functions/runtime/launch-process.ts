import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { WorkerProcess } from './worker-process.ts';

export type LaunchOptions = {
  /** Folders and files that the process may read; it may write none. */
  readonly readable: readonly string[];
  readonly memoryMiB: number;
  /** Where the process keeps compiled code, the one place it may write to; nobody else reads it. */
  readonly cacheFolder: string;
  /** Who the process runs as, when it is started by root; else as whoever starts it. */
  readonly account?: WorkerAccount | undefined;
};

export type WorkerAccount = {
  readonly userId: number;
  readonly groupId: number;
  readonly needsPassage: boolean;
};

const ENTRY = fileURLToPath(new URL('../worker/run-function.ts', import.meta.url));
const OWN_FOLDER = fileURLToPath(new URL('../worker/', import.meta.url));
/**
 * The heap is the larger part of what a worker may use. Buffers are counted from outside (start-worker.ts); the kernel's own
 * limit below them stops what grows faster than it is looked at. It counts what is reserved, 600 MiB in an empty process.
 */
const HEAP_SHARE = 0.75;
const RESERVED_MIB = 768;
const PRIORITY = 5;
/** A worker whose server was killed, and which does not look up from its loop, ends when it has used this much. */
const MOST_CPU_SECONDS = 600;
/** In the unit of the shell, which is 512 bytes or a kibibyte: no file of compiled code comes near it. */
const MOST_FILE_BLOCKS = 16_384;
/** Limits are inherited; where memory runs out, the kernel shall take a worker and not the database. */
const SHELL = [
  // Its socket is closed to others by the folder that it lies in.
  'umask "$1"; shift',
  'ulimit -t "$1"; ulimit -d "$2"; ulimit -f "$3"; shift 3',
  'echo 800 2>/dev/null >/proc/self/oom_score_adj',
  'exec "$@"',
].join('; ');

/**
 * Starts a process for one function: no environment, no way to files but its code and what is compiled of it (which halves
 * the time and the memory it takes to start), none to other processes. It prints
 * into the void; what it has to say comes as messages.
 */
export function launchProcess({ readable, memoryMiB, cacheFolder, account }: LaunchOptions): WorkerProcess {
  const flags = [
    '--permission',
    ...[OWN_FOLDER, cacheFolder, ...readable].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${cacheFolder}`,
    `--max-old-space-size=${Math.floor(memoryMiB * HEAP_SHARE)}`,
    // Enumerations and parameter properties, which the platform's bundler takes as well.
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    '--unhandled-rejections=throw',
  ];
  const dataKiB = (RESERVED_MIB + memoryMiB * 2) * 1024;
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      SHELL,
      'sh',
      account ? '000' : '077',
      String(MOST_CPU_SECONDS),
      String(dataKiB),
      String(MOST_FILE_BLOCKS),
      ...(account?.needsPassage ? passAs(account) : []),
      process.execPath,
      ...flags,
      ENTRY,
    ],
    {
      cwd: '/',
      env: { NODE_COMPILE_CACHE: cacheFolder },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      ...(account && !account.needsPassage ? { uid: account.userId, gid: account.groupId } : {}),
    },
  );
  return {
    pid: () => child.pid,
    // A process that is ending takes no messages; its end follows.
    send: (message) => void (child.connected && child.send(message, () => undefined)),
    kill: () => void child.kill('SIGKILL'),
    lowerPriority() {
      try {
        if (child.pid !== undefined) setPriority(child.pid, PRIORITY);
      } catch {
        // It has ended already.
      }
    },
    onMessage: (hear) => void child.on('message', hear),
    onEnd(ended) {
      const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | null>();
      child.once('exit', (_code, signal) => resolve(signal));
      child.on('error', () => resolve(null));
      void promise.then(ended);
    },
  };
}

/**
 * Through folders that are closed to the account (a clone below /root), but never as root: it may read what stands in its
 * way, and the runtime's permissions name what that is. Without no_setuid_fixup the kernel drops the capability from what
 * access(2) looks at.
 */
function passAs({ userId, groupId }: WorkerAccount): string[] {
  const capabilities = '-all,+dac_read_search';
  return [
    'setpriv',
    ...['--reuid', String(userId), '--regid', String(groupId), '--clear-groups', '--no-new-privs'],
    ...['--securebits=+no_setuid_fixup', `--inh-caps=${capabilities}`, `--ambient-caps=${capabilities}`],
    '--',
  ];
}
