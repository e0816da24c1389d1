import type { ChildProcess } from 'node:child_process';
import { Agent } from 'node:http';
import { setPriority } from 'node:os';
import * as v from 'valibot';
import {
  type StartMessage,
  WORKER_MESSAGE_SCHEMA,
  type WorkerLogMessage,
} from '../worker/worker-messages.ts';
import { launchProcess } from './launch-process.ts';
import { watchWorker } from './watch-worker.ts';
import type { WorkerLimits } from './worker-limits.ts';

/** How a worker came to its end. */
export type WorkerEnd =
  /** Nobody needed it any more. */
  | 'retired'
  /** An error that nobody caught, or the function ended the process. */
  | 'crashed'
  | 'memory'
  | 'cpu'
  | 'boot';

export type FunctionWorker = {
  readonly agent: Agent;
  readonly socketPath: string;
  /** Rejects with what kept the function from loading. */
  readonly ready: Promise<void>;
  readonly ended: Promise<WorkerEnd>;
  /** Whether new calls may go to it. */
  isOpen(): boolean;
  /** Whether it is not stuck, as far as one can tell. */
  reacts(): boolean;
  calls(): number;
  /** Counts a call; the result, called once, says that it is over. */
  begin(): () => void;
  /** No new calls; it ends when the last is over. */
  retire(): void;
  /** At once. */
  kill(end: WorkerEnd): void;
};

export type WorkerDeps = {
  readonly start: StartMessage;
  readonly readable: readonly string[];
  readonly limits: WorkerLimits;
  readonly log: (message: WorkerLogMessage) => void;
};

/** A process that does not know what it ran into was ended by the runtime when its heap was full, or by the kernel. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']);

/** The function could not be loaded; the log says why. */
export class BootError extends Error {
  override readonly name = 'BootError';
}

/** Starts a process that runs one function, and knows when to end it. */
export function startWorker({ start, readable, limits, log }: WorkerDeps): FunctionWorker {
  const child = launchProcess({ readable, memoryMiB: limits.memoryMiB });
  const agent = new Agent({ keepAlive: true });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<WorkerEnd>();
  let calls = 0;
  let background = 0;
  let isOpen = true;
  let isReady = false;
  let end: WorkerEnd | undefined;
  let idle: NodeJS.Timeout | undefined;

  const kill = (reason: WorkerEnd) => {
    end ??= reason;
    isOpen = false;
    child.kill('SIGKILL');
  };
  const watch = watchWorker(
    {
      pid: child.pid ?? 0,
      ping: () => tell(child, { kind: 'ping' }),
      exhausted: kill,
      worn: () => retire(),
    },
    limits,
  );
  const retire = () => {
    isOpen = false;
    settle();
  };
  /** After each change: is it to be watched, to be ended, or to wait for the next call? */
  const settle = () => {
    clearTimeout(idle);
    const isBusy = calls + background > 0;
    // Loading has a time limit of its own.
    watch.setBusy(isBusy && isReady && end === undefined);
    if (calls > 0) return;
    if (background === 0 && !isOpen) return kill('retired');
    // Work that goes on after the answer has as long as a call.
    idle = setTimeout(() => kill('retired'), background > 0 ? limits.wallMs : limits.retireAfterMs);
    idle.unref();
  };

  const boot = setTimeout(() => {
    ready.reject(new BootError('the function was not loaded in time'));
    kill('boot');
  }, limits.bootMs);

  child.on('message', (raw) => {
    const { success, output: message } = v.safeParse(WORKER_MESSAGE_SCHEMA, raw);
    if (!success) return;
    if (message.kind === 'log') return log(message);
    if (message.kind === 'pong') return watch.pong();
    if (message.kind === 'background') {
      background = message.open;
      return settle();
    }
    if (message.kind === 'ready') {
      clearTimeout(boot);
      isReady = true;
      lowerPriority(child);
      ready.resolve();
      return settle();
    }
    isOpen = false;
    end ??= message.kind === 'crashed' ? 'crashed' : 'boot';
    if (message.kind === 'boot_failed') {
      log({ kind: 'log', level: 'error', message: 'function could not be loaded', failure: message.failure });
      return ready.reject(new BootError('the function could not be loaded'));
    }
    const { failure, requestId } = message;
    log({
      kind: 'log',
      level: 'error',
      message: 'function crashed',
      failure,
      ...(requestId ? { requestId } : {}),
    });
  });
  const close = (signal: NodeJS.Signals | null) => {
    clearTimeout(boot);
    clearTimeout(idle);
    isOpen = false;
    watch.setBusy(false);
    agent.destroy();
    ready.reject(new BootError('the function ended while it was loaded'));
    ended.resolve(end ?? judgeEnd(signal));
  };
  child.once('exit', (_code, signal) => close(signal));
  child.once('error', () => close(null));
  // Whoever waits for it hears of it; nobody may be waiting.
  ready.promise.catch(() => undefined);
  tell(child, start);

  return {
    agent,
    socketPath: start.socketPath,
    ready: ready.promise,
    ended: ended.promise,
    isOpen: () => isOpen,
    reacts: watch.reacts,
    calls: () => calls,
    begin() {
      calls += 1;
      settle();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        calls -= 1;
        settle();
      };
    },
    retire,
    kill,
  };
}

function judgeEnd(signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === 'SIGXCPU') return 'cpu';
  return signal !== null && OUT_OF_MEMORY.has(signal) ? 'memory' : 'crashed';
}

/** Below the server and Postgres, once somebody no longer waits for it to start. */
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
