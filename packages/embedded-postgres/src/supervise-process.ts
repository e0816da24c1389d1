import { setTimeout as wait } from 'node:timers/promises';
import { explainPostgres } from './explain-postgres.ts';
import type { Postmaster } from './run-postmaster.ts';

type Supervision = {
  readonly dataFolder: string;
  /** Clears the way, then starts it, unless a stop was asked for meanwhile. */
  readonly run: (stopping: AbortSignal) => Promise<Postmaster>;
  readonly log: (level: 'debug' | 'warn', message: string) => void;
};

export type Supervised = {
  isRunning(): boolean;
  /** How often it has ended unasked. */
  restarts(): number;
  /** Milliseconds since it ended unasked; 0 while it runs. */
  downFor(): number;
  processId(): number | undefined;
  stop(): Promise<void>;
};

/**
 * What a start meets while the remains of a killed Postgres are going away: its last processes end by themselves once
 * they notice, the slowest when its statement times out.
 */
const PASSING_OBSTACLES = /pre-existing shared memory block|lock file ".*" (already exists|is empty)/;
const OBSTACLE_MILLISECONDS = 12_000;
const RETRY_MILLISECONDS = 100;
const FIRST_BACK_OFF_MILLISECONDS = 50;
const LONGEST_BACK_OFF_MILLISECONDS = 5_000;
/** Having lived this long, the next crash is news and not the same one again. */
const HEALTHY_MILLISECONDS = 30_000;
/**
 * How long each signal may take when it is to stop: a fast shutdown writes a checkpoint, and one that takes longer is stuck or
 * stopped. What is not written then is read from its log at the next start. Together well below the 30 s that programs which
 * stop others grant.
 */
const STOP_SIGNALS = [
  ['SIGINT', 6_000],
  ['SIGQUIT', 1_500],
  ['SIGKILL', 1_500],
] as const;
const STOP_MILLISECONDS = STOP_SIGNALS.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);

/**
 * Starts the database, resolves once it accepts connections, and from then on starts it again whenever it ends unasked.
 * @throws PostgresStartError when the first start fails.
 */
export async function superviseProcess(supervision: Supervision): Promise<Supervised> {
  const { log } = supervision;
  const stopping = new AbortController();
  let isRunning = true;
  let restarts = 0;
  let downSince = 0;
  let current = await startUntilReady(supervision, stopping.signal);
  const watching = watch();

  async function watch(): Promise<void> {
    let backOff = FIRST_BACK_OFF_MILLISECONDS;
    while (!stopping.signal.aborted) {
      const since = Date.now();
      await current.ended;
      if (isRunning && !stopping.signal.aborted) {
        restarts += 1;
        downSince = performance.now();
      }
      isRunning = false;
      if (stopping.signal.aborted) return;
      if (Date.now() - since > HEALTHY_MILLISECONDS) backOff = FIRST_BACK_OFF_MILLISECONDS;
      log('warn', `Postgres ended unexpectedly; starting it again in ${backOff} ms`);
      await wait(backOff);
      backOff = Math.min(backOff * 2, LONGEST_BACK_OFF_MILLISECONDS);
      if (stopping.signal.aborted) return;
      try {
        current = await startUntilReady(supervision, stopping.signal);
        isRunning = true;
        log('warn', 'Postgres accepts connections again');
      } catch (error) {
        if (!stopping.signal.aborted) log('warn', `Postgres did not start: ${String(error)}`);
      }
    }
  }

  return {
    isRunning: () => isRunning && current.isAlive(),
    restarts: () => restarts,
    downFor: () => (isRunning ? 0 : performance.now() - downSince),
    processId: () => (isRunning && current.isAlive() ? current.processId : undefined),
    async stop() {
      stopping.abort();
      // A start that is under way stops by itself what it has started.
      const [hasEnded] = await Promise.all([stopPostmaster(current), within(watching, STOP_MILLISECONDS)]);
      if (!hasEnded) log('warn', 'Postgres did not end, not even when killed');
      isRunning = false;
    },
  };
}

/** Gives up once `stopping` is aborted, when what it has started has been stopped, also one that was ready in that very moment. */
async function startUntilReady({ run, dataFolder }: Supervision, stopping: AbortSignal): Promise<Postmaster> {
  const deadline = Date.now() + OBSTACLE_MILLISECONDS;
  for (;;) {
    const postmaster = await run(stopping);
    let stopped: Promise<boolean> | undefined;
    const stop = () => {
      stopped = stopPostmaster(postmaster);
    };
    stopping.addEventListener('abort', stop);
    try {
      await postmaster.ready;
      if (stopped === undefined) return postmaster;
      await stopped;
      throw new Error('asked to stop as it became ready');
    } catch (error) {
      await postmaster.ended;
      const mayPass = PASSING_OBSTACLES.test(String(error)) && Date.now() < deadline && !stopping.aborted;
      if (!mayPass) throw explainPostgres(dataFolder, error);
      await wait(RETRY_MILLISECONDS);
    } finally {
      stopping.removeEventListener('abort', stop);
    }
  }
}

/** @returns whether it has ended: a process that waits for a disk that does not answer cannot even be killed. */
async function stopPostmaster(postmaster: Postmaster): Promise<boolean> {
  for (const [signal, milliseconds] of STOP_SIGNALS) {
    postmaster.signal(signal);
    if (await within(postmaster.ended, milliseconds)) return true;
  }
  return false;
}

/** Whether the promise settles in time. */
async function within(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const patience = new AbortController();
  const late = wait(milliseconds, false, { signal: patience.signal }).catch(() => false);
  const isInTime = await Promise.race([promise.then(() => true), late]);
  patience.abort();
  return isInTime;
}
