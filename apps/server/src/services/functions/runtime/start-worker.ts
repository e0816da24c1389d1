import { Agent } from 'node:http';
import * as v from 'valibot';
import {
  type StartMessage,
  WORKER_MESSAGE_SCHEMA,
  type WorkerLogMessage,
  type WorkerMessage,
} from '../worker/worker-messages.ts';
import { createWorkerLife, type WorkerLife } from './create-worker-life.ts';
import { watchWorker } from './watch-worker.ts';
import type { WorkerLimits } from './worker-limits.ts';
import type { WorkerProcess } from './worker-process.ts';

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
  readonly process: WorkerProcess;
  readonly limits: WorkerLimits;
  readonly log: (message: WorkerLogMessage) => void;
};

/** The function could not be loaded; the log says why. */
class BootError extends Error {
  override readonly name = 'BootError';
}

/** Makes a process run one function, and knows when to end it. */
export function startWorker({ start, process, limits, log }: WorkerDeps): FunctionWorker {
  const agent = new Agent({ keepAlive: true });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<WorkerEnd>();
  let reason: WorkerEnd | undefined;

  const kill = (end: WorkerEnd) => {
    reason ??= end;
    life.end();
    process.kill();
  };
  const watch = watchWorker(
    {
      pid: () => process.pid() ?? 0,
      ping: () => process.send({ kind: 'ping' }),
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

  hear(process, {
    log,
    pong: watch.pong,
    background: ({ open }) => life.setBackground(open),
    ready() {
      clearTimeout(boot);
      process.lowerPriority();
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
  process.onEnd((signal) => {
    clearTimeout(boot);
    life.end();
    agent.destroy();
    ready.reject(new BootError('the function ended while it was loaded'));
    ended.resolve(reason ?? judgeEnd(signal));
  });
  // Whoever waits for it hears of it; nobody may be waiting.
  ready.promise.catch(() => undefined);
  process.send(start);
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
function hear(process: WorkerProcess, hearers: Hearers): void {
  process.onMessage((raw) => {
    const { success, output } = v.safeParse(WORKER_MESSAGE_SCHEMA, raw);
    if (success) (hearers[output.kind] as (message: WorkerMessage) => void)(output);
  });
}

/** A process that does not know what it ran into was ended by the runtime when its heap was full, or by the kernel. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']);

function judgeEnd(signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === 'SIGXCPU') return 'cpu';
  return signal !== null && OUT_OF_MEMORY.has(signal) ? 'memory' : 'crashed';
}
