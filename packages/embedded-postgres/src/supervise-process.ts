import { setTimeout as wait } from 'node:timers/promises';
import { PostgresStartError } from './postgres-start-error.ts';
import type { Postmaster } from './run-postmaster.ts';

type Supervision = {
  /** Clears the way before each start. */
  readonly prepare: () => Promise<void>;
  readonly run: () => Postmaster;
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
/** A fast shutdown writes a checkpoint; one that takes longer than this is stuck. */
const FAST_SHUTDOWN_MILLISECONDS = 20_000;
const IMMEDIATE_SHUTDOWN_MILLISECONDS = 5_000;

/**
 * Starts the database, resolves once it accepts connections, and from then on starts it again whenever it ends unasked.
 * @throws PostgresStartError when the first start fails.
 */
export async function superviseProcess(supervision: Supervision): Promise<Supervised> {
  const { log } = supervision;
  let isStopping = false;
  let isRunning = true;
  let restarts = 0;
  let downSince = 0;
  let current = await startUntilReady(supervision);
  const watching = watch();

  async function watch(): Promise<void> {
    let backOff = FIRST_BACK_OFF_MILLISECONDS;
    while (!isStopping) {
      const since = Date.now();
      await current.ended;
      if (isRunning && !isStopping) {
        restarts += 1;
        downSince = performance.now();
      }
      isRunning = false;
      if (isStopping) return;
      if (Date.now() - since > HEALTHY_MILLISECONDS) backOff = FIRST_BACK_OFF_MILLISECONDS;
      log('warn', `Postgres ended unexpectedly; starting it again in ${backOff} ms`);
      await wait(backOff);
      backOff = Math.min(backOff * 2, LONGEST_BACK_OFF_MILLISECONDS);
      if (isStopping) return;
      try {
        current = await startUntilReady(supervision, () => isStopping);
        isRunning = true;
        log('warn', 'Postgres accepts connections again');
      } catch (error) {
        log('warn', `Postgres did not start: ${String(error)}`);
      }
    }
  }

  return {
    isRunning: () => isRunning && current.isAlive(),
    restarts: () => restarts,
    downFor: () => (isRunning ? 0 : performance.now() - downSince),
    processId: () => (isRunning && current.isAlive() ? current.processId : undefined),
    async stop() {
      isStopping = true;
      // A restart that is under way finishes first, so that what it started is stopped and not forgotten.
      if (!isRunning) await watching;
      await stopPostmaster(current);
      await watching;
      isRunning = false;
    },
  };
}

async function startUntilReady(
  { prepare, run }: Supervision,
  isStopping: () => boolean = () => false,
): Promise<Postmaster> {
  const deadline = Date.now() + OBSTACLE_MILLISECONDS;
  for (;;) {
    await prepare();
    const postmaster = run();
    try {
      await postmaster.ready;
      return postmaster;
    } catch (error) {
      await postmaster.ended;
      const mayPass = PASSING_OBSTACLES.test(String(error)) && Date.now() < deadline && !isStopping();
      if (!mayPass) throw explain(error);
      await wait(RETRY_MILLISECONDS);
    }
  }
}

function explain(cause: unknown): PostgresStartError {
  if (cause instanceof PostgresStartError) return cause;
  const lines = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
  const reason = lines.find((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? '';
  const advice = /incompatible with server/.test(reason)
    ? 'os dados são de outra versão do Postgres; use a versão anterior da Linkoteca para exportá-los'
    : reason.replace(/^(FATAL|PANIC):\s*/, '');
  return new PostgresStartError(`O banco de dados não iniciou: ${advice}`, { cause });
}

async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MILLISECONDS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MILLISECONDS],
  ] as const;
  for (const [signal, milliseconds] of steps) {
    postmaster.signal(signal);
    const patience = new AbortController();
    const outcome = await Promise.race([
      postmaster.ended.then(() => 'ended' as const),
      wait(milliseconds, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const),
    ]);
    patience.abort();
    if (outcome === 'ended') return;
  }
  postmaster.signal('SIGKILL');
  await postmaster.ended;
}
