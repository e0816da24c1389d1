import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import * as v from 'valibot';
import {
  type StartMessage,
  WORKER_MESSAGE_SCHEMA,
  type WorkerLogMessage,
  type WorkerMessage,
} from '../worker/worker-messages.ts';
import { createWorkerLife, type WorkerLife } from './create-worker-life.ts';
import type { WorkerLimits, WorkerProcess } from './worker-process.ts';

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
  // A connection for each call, and none kept: what a call or its answer leaves unread has no next one to reach.
  const agent = new Agent({ keepAlive: false });
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
    ended.resolve(reason ?? classifyEnd(signal));
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

type Listeners = {
  readonly [K in WorkerMessage['kind']]: (message: Extract<WorkerMessage, { kind: K }>) => void;
};

/** What is no message of ours comes from the function itself, and is nothing to us. */
function hear(process: WorkerProcess, listeners: Listeners): void {
  process.onMessage((raw) => {
    const { success, output } = v.safeParse(WORKER_MESSAGE_SCHEMA, raw);
    if (success) (listeners[output.kind] as (message: WorkerMessage) => void)(output);
  });
}

/** A process that does not know what it ran into was ended by the runtime when its heap was full, or by the kernel. */
const OUT_OF_MEMORY = new Set<NodeJS.Signals>(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGKILL']);

function classifyEnd(signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === 'SIGXCPU') return 'cpu';
  return signal !== null && OUT_OF_MEMORY.has(signal) ? 'memory' : 'crashed';
}

type WatchedWorker = {
  pid(): number;
  ping(): void;
  /** It uses more than it may: memory, or the processor without a pause. */
  exhausted(what: 'memory' | 'cpu'): void;
  /** It has done enough: a new one shall take over. */
  worn(): void;
};

type WorkerWatch = {
  /** While it works it is looked at; at rest nothing wakes the machine. */
  setBusy(isBusy: boolean): void;
  pong(): void;
  /** Whether it answers pings, as far as anybody knows. */
  reacts(): boolean;
};

const LOOK_MS = 250;
/** Missed answers after which calls go to another worker. */
const SLOW_MS = 1_000;

/** Watches one worker from outside: a loop without an end cannot report itself. */
function watchWorker(worker: WatchedWorker, limits: WorkerLimits): WorkerWatch {
  let timer: NodeJS.Timeout | undefined;
  let pingedAt: number | undefined;
  let cpuAtPing: number | undefined;

  async function look(): Promise<void> {
    const usage = await readUsage(worker.pid());
    if (timer === undefined) return;
    if (usage && usage.memoryMiB > limits.memoryMiB) return worker.exhausted('memory');
    if (pingedAt !== undefined && isBlocked(performance.now() - pingedAt, usage))
      return worker.exhausted('cpu');
    if (usage && usage.cpuMs > limits.lifetimeCpuMs) worker.worn();
    if (pingedAt === undefined) {
      pingedAt = performance.now();
      cpuAtPing = usage?.cpuMs;
      worker.ping();
    }
  }

  /** Time alone proves little on a busy machine; where processor time is unknown it has to do. */
  function isBlocked(silentMs: number, usage: ProcessUsage | undefined): boolean {
    if (silentMs > limits.blockedMs) return true;
    if (usage === undefined || cpuAtPing === undefined) return silentMs > limits.blockedCpuMs * 2;
    return usage.cpuMs - cpuAtPing > limits.blockedCpuMs;
  }

  return {
    setBusy(isBusy) {
      if (isBusy === (timer !== undefined)) return;
      clearInterval(timer);
      timer = isBusy ? setInterval(() => void look(), LOOK_MS) : undefined;
      pingedAt = undefined;
    },
    pong() {
      pingedAt = undefined;
    },
    reacts: () => pingedAt === undefined || performance.now() - pingedAt < SLOW_MS,
  };
}

type ProcessUsage = {
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
async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
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
