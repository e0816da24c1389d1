import { AuthError } from './auth-error.ts';

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
/** Postgres and ECMAScript both end long before the years Go's durations could not reach anyway (about 290). */
const MAX_MS = 290 * 365 * 24 * 3_600_000;

/**
 * Reads a ban like '24h', '1h30m' or 'none' (Go's notation).
 * @returns until when; null lifts the ban; undefined when nothing was said.
 * @throws validation_failed
 */
export function readBanDuration(raw: string, now: Date): Date | null | undefined {
  if (raw === '') return undefined;
  if (raw === 'none') return null;
  const total = DURATION.test(raw)
    ? [...raw.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
        (sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0),
        0,
      )
    : Number.POSITIVE_INFINITY;
  if (total > MAX_MS)
    throw new AuthError('validation_failed', { message: `invalid format for ban duration: "${raw}"` });
  return new Date(now.getTime() + total);
}
