import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { killLockHolders } from './claim-cluster.ts';
import type { FileLock } from './file-lock.ts';
import type { PostgresSettings } from './list-settings.ts';
import type { Launch } from './plan-launch.ts';
import { POSTGRES_ENVIRONMENT } from './postgres-environment.ts';

/** One life of the database process. */
export type Postmaster = {
  /** Resolves once connections are accepted; rejects with what the log said when it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, for whatever reason, and its connections with it. Never rejects. */
  readonly ended: Promise<void>;
  /** False from the moment it dies, which is before its last connections have ended. */
  isAlive(): boolean;
  /** Of the postmaster, or of the watchdog shell around it. */
  readonly processId: number | undefined;
  /** SIGINT: a fast, clean shutdown. SIGQUIT: an immediate one. SIGKILL ends its connections' processes as well. */
  signal(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void;
};

type Run = {
  readonly binaries: string;
  readonly clusterFolder: string;
  readonly launch: Launch;
  readonly settings: PostgresSettings;
  /** On the cluster; handed over to the processes of Postgres. */
  readonly lock: FileLock;
  /** Gets each line of Postgres's own log. */
  readonly log: (line: string) => void;
};

const KEPT_LINES = 12;
/** Connections notice within moments that the postmaster is gone; a process that has not by then is stopped, or stuck. */
const REMAINS_MILLISECONDS = 5_000;

/** Starts Postgres on the cluster. */
export function runPostmaster({ binaries, clusterFolder, launch, settings, lock, log }: Run): Postmaster {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = [join(binaries, 'bin', 'postgres'), '-D', clusterFolder, ...options];
  const [program = '', ...rest] = [...launch.prefix, ...postgres];
  const child = spawn(program, rest, {
    ...launch.identity,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: [launch.usesPipe ? 'pipe' : 'ignore', 'ignore', 'pipe', lock.descriptor],
    // Its own session: Ctrl+C in a terminal reaches us alone, and we shut it down after the last request.
    detached: true,
  });
  const killRemains = () => killLockHolders(join(clusterFolder, 'PG_VERSION'));
  const lines: string[] = [];
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  // Nobody may be waiting for it (any more): that is no reason to end the process.
  ready.promise.catch(() => undefined);

  // Always a pipe, see stdio above; the type leaves it open because the first entry varies.
  const ownLog = child.stderr as Readable;
  createInterface({ input: ownLog, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    log(line);
    if (line.includes('database system is ready to accept connections')) ready.resolve();
  });
  child.once('error', (error) => {
    ready.reject(error);
    ended.resolve();
  });
  let remains: NodeJS.Timeout | undefined;
  child.once('exit', () => {
    remains = setTimeout(killRemains, REMAINS_MILLISECONDS);
  });
  // 'close' and not 'exit': the last lines of the log name the reason, and the processes behind the connections hold the
  // log open, without whose end the cluster cannot be started again.
  child.once('close', (code, signal) => {
    clearTimeout(remains);
    ready.reject(new Error(`Postgres ended (${signal ?? code}): ${lines.join('\n')}`));
    ended.resolve();
  });

  return {
    ready: ready.promise,
    ended: ended.promise,
    processId: child.pid,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signal(name) {
      if (launch.usesPipe && name === 'SIGINT') child.stdin?.end();
      else if (launch.usesPipe) signalGroup(child.pid, name);
      else child.kill(name);
      if (name === 'SIGKILL') killRemains();
    },
  };
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (leader !== undefined) process.kill(-leader, signal);
  } catch {
    // Nobody of it is left.
  }
}
