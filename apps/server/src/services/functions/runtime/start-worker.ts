import type { ChildProcess } from 'node:child_process';
import { Agent } from 'node:http';
import { setPriority } from 'node:os';
import * as v from 'valibot';
import {
  type StartMessage,
  WORKER_MESSAGE_SCHEMA,
  type WorkerLogMessage,
  type WorkerMessage,
} from '../worker/worker-messages.ts';
import { createWorkerLife, type WorkerLife } from './create-worker-life.ts';
import { launchProcess } from './launch-process.ts';
import { watchWorker } from './watch-worker.ts';
import type { WorkerLimits } from './worker-limits.ts';

/**
 * How a worker came to its end: nobody needed it; an error that nobody caught, or the function ended the process; it used
 * more memory or processor time than it may; the function could not be loaded.
 */
export type WorkerEnd = 'retired' | 'crashed' | 'memory' | 'cpu' | 'boot';

export type FunctionWorker = Pick<WorkerLife, 'begin' | 'calls' | 'isOpen' | 'retire'> & {
  readonly agent: Agent;
  readonly socketPath: string;
  /** Rejects with a BootError. */
  readonly ready: Promise<void>;
  readonly ended: Promise<WorkerEnd>;
  /** Whether it is not stuck, as far as one can tell. */
  reacts(): boolean;
  /** At once. */
  kill(end: WorkerEnd): void;
};

export type WorkerDeps = {
  readonly start: StartMessage;
  readonly readable: readonly string[];
  readonly cacheFolder: string;
  readonly limits: WorkerLimits;
  readonly log: (message: WorkerLogMessage) => void;
};

/** The function could not be loaded; the log says why. */
class BootError extends Error {
  override readonly name = 'BootError';
}

/** Starts a process that runs one function, and knows when to end it. */
export function startWorker({ start, limits, log, ...places }: WorkerDeps): FunctionWorker {
  const child = launchProcess({ ...places, memoryMiB: limits.memoryMiB });
  const agent = new Agent({ keepAlive: true });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<WorkerEnd>();
  let reason: WorkerEnd | undefined;

  const kill = (end: WorkerEnd) => {
    reason ??= end;
    life.end();
    child.kill('SIGKILL');
  };
  const watch = watchWorker(
    {
      pid: child.pid ?? 0,
      ping: () => tell(child, { kind: 'ping' }),
      exhausted: kill,
      worn: () => life.retire(),
    },
    limits,
  );
  const life = createWorkerLife({ limits, setBusy: watch.setBusy, retired: () => kill('retired') });
  const boot = setTimeout(() => fail('the function was not loaded in time'), limits.bootMs);
  const fail = (message: string) => {
    ready.reject(new BootError(message));
    kill('boot');
  };

  hear(child, {
    log,
    pong: watch.pong,
    background: ({ open }) => life.setBackground(open),
    ready() {
      clearTimeout(boot);
      lowerPriority(child);
      life.ready();
      ready.resolve();
    },
    boot_failed({ failure }) {
      log({ kind: 'log', level: 'error', message: 'function could not be loaded', failure });
      fail('the function could not be loaded');
    },
    crashed({ failure, requestId }) {
      const call = requestId ? { requestId } : {};
      log({ kind: 'log', level: 'error', message: 'function crashed', failure, ...call });
      kill('crashed');
    },
  });
  onEnd(child, (signal) => {
    clearTimeout(boot);
    life.end();
    agent.destroy();
    ready.reject(new BootError('the function ended while it was loaded'));
    ended.resolve(reason ?? judgeEnd(signal));
  });
  // Whoever waits for it hears of it; nobody may be waiting.
  ready.promise.catch(() => undefined);
  tell(child, start);
  const { begin, calls, isOpen, retire } = life;
  return {
    ...{ begin, calls, isOpen, retire, kill, agent },
    socketPath: start.socketPath,
    ready: ready.promise,
    ended: ended.promise,
    reacts: watch.reacts,
  };
}

type Hearers = {
  readonly [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void;
};

/** What is no message of ours comes from the function itself, and is nothing to us. */
function hear(child: ChildProcess, hearers: Hearers): void {
  child.on('message', (raw) => {
    const { success, output } = v.safeParse(WORKER_MESSAGE_SCHEMA, raw);
    if (success) (hearers[output.kind] as (message: WorkerMessage) => void)(output);
  });
}

function onEnd(child: ChildProcess, ended: (signal: NodeJS.Signals | null) => void): void {
  child.once('exit', (_code, signal) => ended(signal));
  child.on('error', () => ended(null));
}

/** A process that does not know what it ran into was ended by the runtime when its heap was full, or by the kernel. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']);

function judgeEnd(signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === 'SIGXCPU') return 'cpu';
  return signal !== null && OUT_OF_MEMORY.has(signal) ? 'memory' : 'crashed';
}

/** Below the server and Postgres, once nobody waits for it to start any more. */
const PRIORITY = 5;

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PRIORITY);
  } catch {
    // It has ended already: its `exit` says so.
  }
}

/** A process that is ending takes no messages; its `exit` follows. */
function tell(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => undefined);
}
