/** Seconds to wait after each of the first failures. */
const FIRST_DELAYS = [1, 5, 30, 120, 600] as const;
const HOUR_SECONDS = 3600;
const HOURLY_ATTEMPTS = 72;

/** How long to wait after so many failed attempts, in seconds; null: three days are over, no more. */
export function findRetryDelay(attempts: number): number | null {
  const first = FIRST_DELAYS[attempts - 1];
  if (first !== undefined) return first;
  return attempts <= FIRST_DELAYS.length + HOURLY_ATTEMPTS ? HOUR_SECONDS : null;
}
