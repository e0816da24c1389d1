/** How long each part of a stop may take, in milliseconds. */
export type StopPlan = {
  /** Everything is still answered, and load balancers learn that they should go elsewhere. */
  readonly drainMs: number;
  /** Requests under way finish. */
  readonly finishMs: number;
  /** Services let go of what they have opened. */
  readonly releaseMs: number;
  /** So long after the drain the process ends, whatever hangs. */
  readonly stopMs: number;
};

/** Less than the thirty seconds that orchestrators and systemd's users give a process by custom. */
const WHOLE_MS = 28_000;
const MOST_TO_FINISH_MS = 10_000;
const LEAST_TO_FINISH_MS = 1_000;
const RELEASE_MS = 2_000;
/** What `OpenDatabase.close` may take. */
const CLOSE_DATABASE_MS = 12_000;

/** A stop takes less than 30 s, for a drain of up to 13 s at least; a longer one lengthens it. */
export function planStop(drainSeconds: number): StopPlan {
  const drainMs = drainSeconds * 1000;
  const left = WHOLE_MS - drainMs - RELEASE_MS - CLOSE_DATABASE_MS;
  const finishMs = Math.min(MOST_TO_FINISH_MS, Math.max(LEAST_TO_FINISH_MS, left));
  return {
    drainMs,
    finishMs,
    releaseMs: RELEASE_MS,
    stopMs: finishMs + RELEASE_MS + CLOSE_DATABASE_MS,
  };
}
