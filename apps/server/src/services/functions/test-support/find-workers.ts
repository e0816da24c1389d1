import { readdirSync, readFileSync } from 'node:fs';

export type WorkerProcess = { readonly pid: number; readonly userId: number; readonly environment: string };

/** The processes of functions below this one, as Linux tells of them. */
export function findWorkers(): readonly WorkerProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'latin1');
    try {
      if (!read('cmdline').includes('worker/run-function.ts') || !descendsFromUs(pid)) return [];
      const userId = Number(/^Uid:\s+(\d+)/m.exec(read('status'))?.[1]);
      return [{ pid: Number(pid), userId, environment: read('environ') }];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}

function descendsFromUs(pid: string): boolean {
  if (pid === String(process.pid)) return true;
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '0';
  return Number(parent) > 1 && descendsFromUs(parent);
}
