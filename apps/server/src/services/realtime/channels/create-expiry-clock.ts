import type { Channel } from './channel.ts';
import type { Topics } from './create-topics.ts';

/** Ends channels when their token does: one timer for all of them, set for the next one. */
export type ExpiryClock = {
  /** A channel has joined or got a new token. */
  watch(channel: Channel): void;
  stop(): void;
};

/** Timers of Node hold 2^31 ms at most; a look around every hour costs nothing. */
const LONGEST_WAIT_MS = 3_600_000;

export function createExpiryClock(topics: Topics, now: () => Date): ExpiryClock {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;

  const setFor = (at: number) => {
    if (at >= wakesAt) return;
    clearTimeout(timer);
    const wait = Math.min(Math.max(at - now().getTime(), 0), LONGEST_WAIT_MS);
    wakesAt = Math.min(at, now().getTime() + wait);
    timer = setTimeout(wake, wait).unref();
  };
  const wake = () => {
    wakesAt = Number.POSITIVE_INFINITY;
    const at = now().getTime();
    let next = Number.POSITIVE_INFINITY;
    for (const channel of [...topics.channels()]) {
      const { expiresAt } = channel.token;
      if (expiresAt <= at) channel.shutDown('Token has expired');
      else next = Math.min(next, expiresAt);
    }
    if (next !== Number.POSITIVE_INFINITY) setFor(next);
  };
  return {
    watch: ({ token }) => setFor(token.expiresAt),
    stop: () => clearTimeout(timer),
  };
}
