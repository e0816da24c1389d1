import { readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresStartError } from './describe-folder-failure.ts';
import { type ProcessFacts, readProcess } from './lock-holder.ts';

const POLL_MILLISECONDS = 20;
/** An empty file may be one that a dying postmaster is just writing. */
const EMPTY_FILE_GRACE_MILLISECONDS = 300;
/** How long each signal may take: a fast shutdown writes a checkpoint, an immediate one does not. */
const SIGNALS: readonly (readonly [signal: NodeJS.Signals, milliseconds: number])[] = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Ends a postmaster that outlived the server that started it. Call it only while holding the data folder's lock: then no living
 * server of ours owns what is found.
 * @throws PostgresStartError when it cannot be ended.
 */
export async function endOrphanPostmaster(clusterFolder: string): Promise<void> {
  const processId = await readProcessId(pidFile(clusterFolder));
  const found = typeof processId === 'number' ? readProcess(processId) : undefined;
  if (typeof processId !== 'number' || !found || !isOrphan(clusterFolder, found)) return;
  await endProcess(processId, found.startedAt);
}

/**
 * Removes a `postmaster.pid` that Postgres itself would stumble over (empty, or naming a zombie or somebody else's process).
 * One that names no process stays: Postgres sees through it, and learns from it which shared memory to check. Call it only while
 * holding the cluster's lock: the process may be one of another container.
 */
export async function removeStalePidFile(clusterFolder: string): Promise<void> {
  const path = pidFile(clusterFolder);
  const processId = await readProcessId(path);
  const found = typeof processId === 'number' ? readProcess(processId) : undefined;
  if (processId === 'empty' || (found && !isOrphan(clusterFolder, found))) rmSync(path, { force: true });
}

function pidFile(clusterFolder: string): string {
  return join(clusterFolder, 'postmaster.pid');
}

function isOrphan(clusterFolder: string, { isZombie, commandLine }: ProcessFacts): boolean {
  return !isZombie && isPostmasterOf(clusterFolder, commandLine);
}

async function readProcessId(path: string): Promise<number | 'empty' | undefined> {
  const deadline = Date.now() + EMPTY_FILE_GRACE_MILLISECONDS;
  for (;;) {
    const content = readIfThere(path);
    if (content === undefined) return undefined;
    const processId = Number.parseInt(content, 10);
    if (processId > 0) return processId;
    if (Date.now() > deadline) return 'empty';
    await wait(POLL_MILLISECONDS);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Without /proc the command line is one string. */
function isPostmasterOf(clusterFolder: string, commandLine: readonly string[]): boolean {
  const [program = ''] = commandLine;
  if (commandLine.length === 1) return program.includes('postgres') && program.includes(clusterFolder);
  return basename(program) === 'postgres' && commandLine.includes(clusterFolder);
}

async function endProcess(processId: number, startedAt: string): Promise<void> {
  const isGone = () => {
    const found = readProcess(processId);
    return found === undefined || found.isZombie || found.startedAt !== startedAt;
  };
  for (const [signal, milliseconds] of SIGNALS) {
    try {
      process.kill(processId, signal);
    } catch (cause) {
      if (isGone()) return;
      throw new PostgresStartError(
        `Um Postgres anterior (processo ${processId}) ainda usa a pasta de dados e pertence a outro usuário: encerre-o com "kill ${processId}".`,
        { cause },
      );
    }
    const deadline = Date.now() + milliseconds;
    while (Date.now() < deadline) {
      if (isGone()) return;
      if (signal !== 'SIGKILL' && readProcess(processId)?.isStopped) break;
      await wait(POLL_MILLISECONDS);
    }
  }
  throw new PostgresStartError(
    `Um Postgres anterior (processo ${processId}) não termina: encerre-o com "kill -9 ${processId}" e inicie de novo.`,
  );
}
