import { describeError } from '../../../shared/lib/describe-error.ts';

/** Why tags could not be changed: what the database says of a limit, or of what is gone, is written for people. */
export function describeTagFailure(error: unknown, fallback: string): string {
  const { code, hint, message } = Object(error) as Readonly<Record<'code' | 'hint' | 'message', unknown>>;
  const isTold = code === 'PT404' || (code === 'P0001' && hint === 'plan_limit_tags');
  return isTold && typeof message === 'string' ? `${message}.` : describeError(error, fallback);
}
