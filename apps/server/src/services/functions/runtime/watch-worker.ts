import { type ProcessUsage, readUsage } from './read-usage.ts';
import type { WorkerLimits } from './worker-limits.ts';

export type WatchedWorker = {
  pid(): number;
  ping(): void;
  /** It uses more than it may: memory, or the processor without a pause. */
  exhausted(what: 'memory' | 'cpu'): void;
  /** It has done enough: a new one shall take over. */
  worn(): void;
};

export type WorkerWatch = {
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
export function watchWorker(worker: WatchedWorker, limits: WorkerLimits): WorkerWatch {
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
