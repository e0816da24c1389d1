import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '@linkoteca/server-process/start-server-process';

/**
 * The id of Postgres's first process, from the file that Postgres itself keeps.
 * @throws Error when no Postgres runs on the folder.
 */
export function findPostmaster(postgresFolder: string): number {
  return Number(readFileSync(join(postgresFolder, 'cluster/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** A process and all below it, from proc(5): parents first. */
export function listFamily(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = readParent(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (parent: number): number[] =>
    [...parents].filter(([, its]) => its === parent).flatMap(([child]) => [child, ...below(child)]);
  return [pid, ...below(pid)];
}

function readParent(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // Ended meanwhile.
    return undefined;
  }
}

/** Sends a signal to all that are still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Ended meanwhile.
    }
  }
}

/** The end of a container: the kernel kills all that is in it. */
export async function killWithAllBelow(server: ServerProcess): Promise<void> {
  signalAll(listFamily(server.pid), 'SIGKILL');
  await server.kill();
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
