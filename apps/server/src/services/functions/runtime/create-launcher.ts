import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchProcess, type WorkerAccount } from './launch-process.ts';
import type { Launcher, LaunchOrder } from './worker-process.ts';

export type LauncherOptions = {
  readonly socketFolder: string;
  /** Where compiled code is kept, a folder a function. */
  readonly cacheFolder: string;
  /** Folders of code that functions may read. */
  readonly readable: readonly string[];
  readonly memoryMiB: number;
  /** Under root: what the server goes on as, which owns the database's socket and may enter the folders of sockets. */
  readonly serverAccount: { readonly userId: number; readonly groupId: number } | undefined;
};

/**
 * Under root each function has an account of its own that owns nothing else: it reads neither the server's secrets nor other
 * processes. Debian keeps 65000 to 65533 free (Policy Manual, section 9.2.2), and nobody needs to make them.
 */
const FIRST_ACCOUNT = 65_000;
const MOST_ACCOUNTS = 500;
const WORKER_FOLDER = fileURLToPath(new URL('../worker/', import.meta.url));

/** Starts the processes of functions, as accounts without rights when this process is root's. */
export function createLauncher(options: LauncherOptions): Launcher {
  const { socketFolder, cacheFolder, readable, memoryMiB, serverAccount } = options;
  const isRoot = process.getuid?.() === 0;
  // Whoever may not list it may pass through to a folder of their own.
  if (isRoot) chmodSync(socketFolder, 0o711);

  function findAccount({ ordinal, usesDatabaseSocket }: LaunchOrder): WorkerAccount | undefined {
    if (!isRoot) return undefined;
    const id = FIRST_ACCOUNT + (ordinal % MOST_ACCOUNTS);
    const account = (usesDatabaseSocket && serverAccount) || { userId: id, groupId: id };
    return {
      ...account,
      needsPassage: !canRead(account.userId, [WORKER_FOLDER, process.execPath, ...readable]),
    };
  }

  return {
    launch(order) {
      const account = findAccount(order);
      const sockets = join(socketFolder, String(order.ordinal));
      const cache = join(cacheFolder, order.name);
      const groupId = serverAccount?.groupId ?? process.getgid?.() ?? 0;
      makeFolder(sockets, account && { userId: account.userId, groupId }, 0o710);
      makeFolder(cache, account, 0o700);
      return launchProcess({ readable, memoryMiB, cacheFolder: cache, account });
    },
    close: async () => rmSync(socketFolder, { recursive: true, force: true }),
  };
}

function canRead(id: number, paths: readonly string[]): boolean {
  const test = 'for path; do test -r "$path" || exit 1; done';
  const { status } = spawnSync('/bin/sh', ['-c', test, 'sh', ...paths], { uid: id, gid: id, cwd: '/' });
  return status === 0;
}

/** What another account has left there is thrown away, never handed over: it may lead elsewhere. */
function makeFolder(
  path: string,
  owner: { readonly userId: number; readonly groupId: number } | undefined,
  mode: number,
): void {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (owner && found && found.uid !== owner.userId) rmSync(path, { recursive: true, force: true });
    // Without `mode`: it would close the folders above as well.
    mkdirSync(path, { recursive: true });
    if (!owner) return;
    chownSync(path, owner.userId, owner.groupId);
    chmodSync(path, mode);
  } catch {
    // A project that is installed read-only: its code is compiled at each start.
  }
}
