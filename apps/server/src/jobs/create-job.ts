import type { JobMetrics } from './register-job-metrics.ts';

/** What is done again and again, and how often: a declaration, which `createJob` brings to life. */
export type JobDeclaration = {
  /** The label `name` of its metrics. */
  readonly name: string;
  /** From the end of one run to the next, at most; asked after each run where it depends on what was found. */
  readonly everyMs: number | (() => number);
  /** From the start to the first run; not given, it runs at once. */
  readonly firstAfterMs?: number;
  /**
   * Takes the turn, of which there is one for all copies of the server. @returns false where nothing is due or another copy is at it;
   * a function where the turn is to be given back after the run.
   */
  readonly claim?: () => Promise<boolean | (() => Promise<unknown>)>;
  readonly run: (round: JobRound) => Promise<unknown>;
  /** Logs why a claim or a run failed; the next look tries again. */
  readonly onFailure: (err: unknown, isStopping: boolean) => void;
  /** How long a stop waits for the run under way; 0 where what is left is found by a later one. */
  readonly patienceMs?: number;
};

export type JobRound = {
  /** For runs of many parts: true when the next part should be left to a later run. */
  readonly shouldStop: () => boolean;
};

export type Job = {
  start(): void;
  /** Runs now; while it runs already, once more right after. */
  wake(): void;
  /** No run begins any more; waits a moment for the one under way. */
  stop(): Promise<void>;
};

export type JobTimers = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Calls once; the process may end without waiting for it. @returns calls it off. */
  readonly setTimeout: (call: () => void, ms: number) => () => void;
};

const TIMERS: JobTimers = {
  now: Date.now,
  random: Math.random,
  setTimeout: (call, ms) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Copies that were started together drift apart by it. It only shortens: `everyMs` is a promise. */
const JITTER = 0.1;
const PATIENCE_MS = 5_000;

/** The one loop of everything that the server does by itself: one run at a time in this process, until it is stopped. */
export function createJob(
  declaration: JobDeclaration,
  { metrics, timers = TIMERS }: { readonly metrics?: JobMetrics; readonly timers?: JobTimers } = {},
): Job {
  const { name, everyMs, firstAfterMs, onFailure, patienceMs = PATIENCE_MS } = declaration;
  const round: JobRound = { shouldStop: () => isStopped };
  let callOff: () => void = () => undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isStopped = false;
  let isAskedAgain = false;
  metrics?.add(name);

  async function look(): Promise<void> {
    try {
      await runOnce(declaration, round, (run) => timeRun(run));
    } catch (err) {
      metrics?.failed(name);
      onFailure(err, isStopped);
    }
  }

  async function timeRun(run: () => Promise<unknown>): Promise<void> {
    const startedAt = timers.now();
    try {
      await run();
      metrics?.succeeded(name, timers.now());
    } finally {
      metrics?.ran(name, timers.now() - startedAt);
    }
  }

  async function work(): Promise<void> {
    do {
      isAskedAgain = false;
      await look();
    } while (isAskedAgain && !isStopped);
    running = undefined;
    schedule(typeof everyMs === 'number' ? everyMs : everyMs());
  }

  function schedule(ms: number): void {
    if (!isStopped) callOff = timers.setTimeout(wake, ms * (1 - JITTER * timers.random()));
  }

  function wake(): void {
    isAskedAgain = true;
    if (!isStarted || isStopped || running) return;
    callOff();
    running = work();
  }

  return {
    start() {
      isStarted = true;
      if (firstAfterMs === undefined) wake();
      else schedule(firstAfterMs);
    },
    wake,
    async stop() {
      isStopped = true;
      callOff();
      if (running === undefined || patienceMs === 0) return;
      const patience = Promise.withResolvers<void>();
      const endPatience = timers.setTimeout(patience.resolve, patienceMs);
      await Promise.race([running, patience.promise]);
      endPatience();
    },
  };
}

const NEVER_STOPPED: JobRound = { shouldStop: () => false };

/** Runs a job when it gets the turn. @returns whether it did. @throws what the claim or the run throws. */
export async function runOnce(
  { claim, run }: JobDeclaration,
  round: JobRound = NEVER_STOPPED,
  around: (run: () => Promise<unknown>) => Promise<unknown> = (run) => run(),
): Promise<boolean> {
  const turn = claim === undefined || (await claim());
  if (turn === false) return false;
  try {
    await around(() => run(round));
  } finally {
    if (turn !== true) await turn();
  }
  return true;
}
