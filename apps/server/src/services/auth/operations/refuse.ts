import type { Operation } from '../auth-context.ts';
import { AuthError, type AuthErrorCode, type AuthErrorDetails } from '../auth-error.ts';
import { authenticate, requireOperator } from '../authenticate.ts';

export type RefusalOptions = {
  /** Who must be asking to be told even this much: the platform checks that first. */
  readonly of?: 'anyone' | 'person' | 'operator';
} & AuthErrorDetails;

/** An endpoint of the platform that is switched off here: it answers the platform's own refusal. */
export function refuse(code: AuthErrorCode, { of = 'anyone', ...details }: RefusalOptions = {}): Operation {
  return async (context, request) => {
    if (of === 'person') await authenticate(context, request);
    if (of === 'operator') requireOperator(context, request);
    throw new AuthError(code, details);
  };
}
