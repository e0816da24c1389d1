import { describeError } from '../../../shared/lib/describe-error.ts';

/** Why the database refused a request or its answer, in its own words where it has some for people (`PT4..`). */
export function describeRefusedRequest(error: unknown, fallback: string): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string' && code.startsWith('PT4') && typeof message === 'string') return message;
  return describeError(error, fallback);
}
