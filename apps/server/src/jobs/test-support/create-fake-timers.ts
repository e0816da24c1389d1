import type { JobTimers } from '../create-job.ts';

export type FakeTimers = JobTimers & {
  /** Lets time pass and calls what has become due. */
  advance(ms: number): void;
  /** In how many milliseconds each of what waits is called. */
  waiting(): readonly number[];
};

/** Timers that stand still until they are told otherwise. @param random the jitter, from 0 to 1. */
export function createFakeTimers(random: () => number = () => 0): FakeTimers {
  let time = 1_000_000;
  const calls = new Map<() => void, number>();
  return {
    now: () => time,
    random,
    setTimeout(call, ms) {
      const own = () => call();
      calls.set(own, time + ms);
      return () => calls.delete(own);
    },
    advance(ms) {
      time += ms;
      for (const [call, at] of calls)
        if (at <= time) {
          calls.delete(call);
          call();
        }
    },
    waiting: () => [...calls.values()].map((at) => at - time),
  };
}
