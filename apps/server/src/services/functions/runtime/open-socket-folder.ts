import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SocketFolder = { readonly path: string; remove(): void };

const PREFIX = 'linkoteca-functions-';

/**
 * A folder for sockets that only this account may enter. It is a temporary one because the path of a socket must be short.
 * What servers have left behind that were killed is cleared away.
 */
export function openSocketFolder(parent = tmpdir()): SocketFolder {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) removeFolder(join(parent, name));
  }
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  return { path, remove: () => removeFolder(path) };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Of another account: not ours to clear.
  }
}
