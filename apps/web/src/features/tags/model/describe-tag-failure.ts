import { describeError, readError } from '../../../shared/lib/describe-error.ts';

/** Why tags could not be changed: what the database says of a limit, or of what is gone, is written for people. */
export function describeTagFailure(error: unknown, fallback: string): string {
  const { code, hint, message } = readError(error);
  const isTold = code === 'PT404' || (code === 'P0001' && hint === 'plan_limit_tags');
  return isTold && message !== '' ? `${message}.` : describeError(error, fallback);
}
