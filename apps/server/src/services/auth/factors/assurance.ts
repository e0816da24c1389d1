import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError, type AuthErrorDetails } from '../auth-error.ts';
import { authenticate, type SignedIn } from '../authenticate.ts';
import type { UserRow } from '../stores/users.ts';

/** Whether an account asks for a second factor: one that its owner has proven to have. */
export function hasSecondFactor({ factors }: Pick<UserRow, 'factors'>): boolean {
  return factors.some(({ status }) => status === 'verified');
}

/** Whether one of an account's factors is something its owner has; recovery codes only stand in for that, and never alone. */
export function hasProvenDevice({ factors }: Pick<UserRow, 'factors'>, except?: string): boolean {
  return factors.some(
    ({ id, status, factor_type: type }) => id !== except && status === 'verified' && type !== 'recovery_code',
  );
}

/** Whether a second factor was proven in this session. Asked of the session's row: a token says what was so when it was signed. */
export function isSecondLevel({ session }: Pick<SignedIn, 'session'>): boolean {
  return session !== undefined && session.aal !== 'aal1';
}

/**
 * Refuses what somebody who knows only the password must not do: of an account with a second factor, the session has to have proven one.
 * @throws insufficient_aal
 */
export function requireSecondLevel(signedIn: SignedIn, details: AuthErrorDetails): void {
  if (hasSecondFactor(signedIn.user) && !isSecondLevel(signedIn))
    throw new AuthError('insufficient_aal', details);
}

/**
 * Tells whose request this is, as `authenticate`, for what outlives the session: the tokens of programs and scripts ask for no factor.
 * @throws as `authenticate`; insufficient_aal
 */
export async function authenticateAtSecondLevel(
  context: AuthContext,
  request: AuthRequest,
): Promise<SignedIn> {
  const signedIn = await authenticate(context, request);
  requireSecondLevel(signedIn, { status: 401, message: 'AAL2 session is required when MFA is enabled.' });
  return signedIn;
}
