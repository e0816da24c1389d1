import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createDataFolder } from '@linkoteca/server-process/create-data-folder';
import { findFreePort } from '@linkoteca/server-process/find-free-port';
import { startServerProcess } from '@linkoteca/server-process/start-server-process';
import type { Figure } from './benchmark.ts';
import { median } from './summarise-latencies.ts';

const STARTS = 5;
const REST_SECONDS = 10;

/** First and later starts of an empty installation, and what Node and Postgres together hold at rest. */
export async function measureStart(): Promise<readonly Figure[]> {
  const data = await createDataFolder();
  const folder = data.path;
  try {
    const first = await timeStart(folder);
    const later: number[] = [];
    for (let start = 0; start < STARTS; start += 1) later.push(await timeStart(folder));
    const memory = await measureMemoryAtRest(folder);
    return [
      {
        name: 'ready on the first start (database made, migrations applied)',
        value: `${Math.round(first)} ms`,
      },
      {
        name: 'ready on a second start',
        value: `${Math.round(median(later))} ms`,
        goal: '< 2000 ms',
        met: median(later) < 2000,
      },
      {
        name: 'Node and Postgres at rest (PSS)',
        value: `${Math.round(memory)} MB`,
        goal: '< 250 MB',
        met: memory < 250,
      },
    ];
  } finally {
    await data.remove();
  }
}

/** Milliseconds from the start of the process to the first 200 of /health. */
async function timeStart(folder: string): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const server = await startServerProcess({ dataFolder: folder, port });
  const readyAfter = performance.now() - startedAt;
  await server.stop();
  return readyAfter;
}

async function measureMemoryAtRest(folder: string): Promise<number> {
  const server = await startServerProcess({ dataFolder: folder, port: await findFreePort() });
  try {
    await new Promise((resolve) => setTimeout(resolve, REST_SECONDS * 1000));
    const processes = [server.pid, ...listDescendants(server.pid)];
    const sizes = await Promise.all(processes.map(readProportionalSize));
    return sizes.reduce((sum, size) => sum + size, 0) / 1024;
  } finally {
    await server.stop();
  }
}

function listDescendants(pid: number): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    rows.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...childrenOf(child)]);
  return childrenOf(pid);
}

/** Kilobytes, shared pages divided among the processes that share them (proc(5), smaps_rollup). */
async function readProportionalSize(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}
