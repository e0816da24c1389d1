import { readFile } from 'node:fs/promises';

export type ProcessUsage = {
  readonly cpuMs: number;
  /** Its own memory, without what it shares with this process: the runtime's code. */
  readonly memoryMiB: number;
};

/** Linux counts processor time in hundredths of a second, whatever its clock (proc(5), USER_HZ). */
const MS_A_TICK = 10;
/** Fields of /proc/PID/stat after the command's name, which may hold anything up to the last bracket. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** What a process has used; undefined where the system does not say (macOS), or the process has ended. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuMs = (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_A_TICK;
    const memoryMiB = Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    return { cpuMs, memoryMiB };
  } catch {
    return undefined;
  }
}
