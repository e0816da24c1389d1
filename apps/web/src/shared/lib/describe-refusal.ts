import { describeError, readError } from './describe-error.ts';

/**
 * Why nothing was done: the database's own words where it refused with a code of ours (they are written for people, and no advice to try
 * again), else as `describeError` has it.
 */
export function describeRefusal(error: unknown, fallback: string): string {
  const { code, message } = readError(error);
  return /^PT4\d\d$/.test(code) && message !== '' ? message : describeError(error, fallback);
}
