import { asAuthAdmin } from '../../kernel/database.ts';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import type { SignedIn } from './authenticate.ts';
import { takeMailedToken } from './stores/one-time-tokens.ts';

/** bcrypt reads no further than 72 bytes: longer ones could not be carried to a hosted project. */
const MAX_LENGTH = 72;

/**
 * Accepts a new password, or says why not. Length is counted in characters, as a person counts them.
 * @throws validation_failed (too long), weak_password (too short)
 */
export function validatePassword(password: string, minLength: number): void {
  const length = [...password].length;
  if (length > MAX_LENGTH)
    throw new AuthError('validation_failed', {
      message: `Password cannot be longer than ${MAX_LENGTH} characters`,
    });
  if (length < minLength)
    throw new AuthError('weak_password', {
      message: `Password should be at least ${minLength} characters.`,
      reasons: ['length'],
    });
}

type NewPassword = {
  readonly password: string;
  /** The old password, when the client asked for it. Empty when it did not. */
  readonly current: string;
  /** The mailed code, when the client asked for it. */
  readonly nonce: string;
};

/**
 * Accepts a change of password by a signed-in person, or says why not. An access token alone is not enough: the session was opened
 * a moment ago (as after a reset link), or the person knows the current password, or has the code that was mailed.
 * @throws weak_password, validation_failed, current_password_invalid, same_password, reauthentication_needed,
 *   reauthentication_not_valid, over_request_rate_limit
 */
export async function validateNewPassword(
  context: AuthContext,
  { user, session }: SignedIn,
  { password, current, nonce }: NewPassword,
): Promise<void> {
  const { settings, passwords, limits, now } = context;
  validatePassword(password, settings.passwordMinLength);
  if (current !== '') {
    // Counted for this session alone: whoever guesses here does not lock the sign-in.
    await limits.countPasswordAttempt(user.id, session?.id);
    const check = await passwords.check(current, user.encrypted_password);
    if (!check.matches) throw new AuthError('current_password_invalid');
    await limits.forgetPasswordAttempts(user.id, session?.id);
  } else if (!isFresh(session, settings, now())) await takeNonce(context, user, nonce);
  if (user.encrypted_password && (await passwords.check(password, user.encrypted_password)).matches)
    throw new AuthError('same_password');
}

function isFresh(
  session: SignedIn['session'],
  { passwordChangeFreshness }: AuthContext['settings'],
  now: Date,
): boolean {
  return (
    session !== undefined && now.getTime() < session.createdAt.getTime() + passwordChangeFreshness * 1000
  );
}

async function takeNonce(
  { db, settings, now }: AuthContext,
  user: SignedIn['user'],
  nonce: string,
): Promise<void> {
  if (nonce === '') throw new AuthError('reauthentication_needed');
  const proof = { code: nonce, email: user.email ?? '' };
  const wanted = { proof, types: ['reauthentication_token'] } as const;
  const taken = await asAuthAdmin(db, 'check a reauthentication code', (tx) =>
    takeMailedToken(tx, wanted, settings.mailedTokenLifetime, now()),
  );
  if (taken?.userId !== user.id) throw new AuthError('reauthentication_not_valid');
}
