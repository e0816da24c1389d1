import { describeError } from '../../../shared/lib/describe-error.ts';

/** Why nothing was done: the database's own words where it refused with a code of ours, and no advice to try again. */
export function describeWebhookFailure(error: unknown, fallback: string): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  return /^PT4\d\d$/.test(String(code)) && typeof message === 'string'
    ? message
    : describeError(error, fallback);
}
