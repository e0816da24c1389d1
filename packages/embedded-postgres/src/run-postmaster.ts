import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
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
  /** SIGINT: a fast, clean shutdown. SIGQUIT: an immediate one. */
  signal(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void;
};

type Run = {
  readonly binaries: string;
  readonly clusterFolder: string;
  readonly launch: Launch;
  readonly settings: PostgresSettings;
  /** Gets each line of Postgres's own log. */
  readonly log: (line: string) => void;
};

const KEPT_LINES = 12;

/** Starts Postgres on the cluster. */
export function runPostmaster({ binaries, clusterFolder, launch, settings, log }: Run): Postmaster {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = [join(binaries, 'bin', 'postgres'), '-D', clusterFolder, ...options];
  const [program = '', ...rest] = [...launch.prefix, ...postgres];
  const child = spawn(program, rest, {
    ...launch.identity,
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: [launch.usesPipe ? 'pipe' : 'ignore', 'ignore', 'pipe'],
    // Its own session: Ctrl+C in a terminal reaches us alone, and we shut it down after the last request.
    detached: true,
  });
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
  // 'close' and not 'exit': the last lines of the log name the reason, and the processes behind the connections hold the
  // log open, without whose end the cluster cannot be started again.
  child.once('close', (code, signal) => {
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
      else if (launch.usesPipe) process.kill(-(child.pid ?? 0), name);
      else child.kill(name);
    },
  };
}
