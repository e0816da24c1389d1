import { PASSWORD_MAXIMUM } from '@linkoteca/domain/limits';
import { asAuthAdmin } from '../../kernel/database.ts';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import type { AuthSettings } from './auth-settings.ts';
import type { SignedIn } from './authenticate.ts';
import { type Receiver, takeMailedToken } from './stores/one-time-tokens.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
/** As GoTrue has them, its escaped colon resolved. */
const CHARACTERS = {
  letters: LOWER + LOWER.toUpperCase(),
  lower: LOWER,
  upper: LOWER.toUpperCase(),
  digits: '0123456789',
  symbols: `!@#$%^&*()_+-=[]{};'\\:"|<>?,./\`~`,
} as const satisfies Record<AuthSettings['passwordCharacters'][number], string>;

export type PasswordRules = Pick<AuthSettings, 'passwordMinLength' | 'passwordCharacters'>;

/**
 * Accepts a new password, or says why not. Length is counted in characters, as a person counts them.
 * @throws validation_failed (too long), weak_password (too short, or without a character of a set that is asked for)
 */
export function validatePassword(
  password: string,
  { passwordMinLength, passwordCharacters }: PasswordRules,
): void {
  const length = [...password].length;
  if (length > PASSWORD_MAXIMUM)
    throw new AuthError('validation_failed', {
      message: `Password cannot be longer than ${PASSWORD_MAXIMUM} characters`,
    });
  const sets = passwordCharacters.map((name) => CHARACTERS[name]);
  const isShort = length < passwordMinLength;
  const isPlain = sets.some((set) => ![...set].some((character) => password.includes(character)));
  if (!isShort && !isPlain) return;
  const faults = [
    ...(isShort
      ? [
          {
            reason: 'length',
            message: `Password should be at least ${passwordMinLength} characters.`,
          } as const,
        ]
      : []),
    ...(isPlain
      ? [
          {
            reason: 'characters',
            message: `Password should contain at least one character of each: ${sets.join(', ')}.`,
          } as const,
        ]
      : []),
  ];
  throw new AuthError('weak_password', {
    message: faults.map(({ message }) => message).join(' '),
    reasons: faults.map(({ reason }) => reason),
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
 * a moment ago (as after a reset link), or the person knows the current password, or has the code that was sent.
 * @throws weak_password, validation_failed, current_password_invalid, same_password, reauthentication_needed,
 *   reauthentication_not_valid, over_request_rate_limit
 */
export async function validateNewPassword(
  context: AuthContext,
  { user, session }: SignedIn,
  { password, current, nonce }: NewPassword,
): Promise<void> {
  const { settings, passwords, limits, now } = context;
  validatePassword(password, settings);
  if (current !== '') {
    // Counted for this session alone: whoever guesses here does not lock the sign-in.
    await limits.countPasswordAttempt(user.id, session?.id);
    const check = await passwords.check(current, user.encrypted_password);
    if (!check.matches) throw new AuthError('current_password_invalid');
    await limits.forgetPasswordAttempts(user.id, session?.id);
  } else if (!isFreshSession(session, settings, now())) await takeNonce(context, user, nonce);
  if (user.encrypted_password && (await passwords.check(password, user.encrypted_password)).matches)
    throw new AuthError('same_password');
}

/** Whether a session was opened a moment ago: then an access token stands for the person who has just signed in. */
export function isFreshSession(
  session: SignedIn['session'],
  { passwordChangeFreshness }: AuthContext['settings'],
  now: Date,
): boolean {
  return (
    session !== undefined && now.getTime() < session.createdAt.getTime() + passwordChangeFreshness * 1000
  );
}

/** Where the code goes that a change of password may ask for: to the address; to the number of an account that has none. */
export function reauthenticationReceiver({ email, phone }: SignedIn['user']): Receiver {
  return email === null && phone !== null ? { phone } : { email: email ?? '' };
}

async function takeNonce(
  { db, settings, now }: AuthContext,
  user: SignedIn['user'],
  nonce: string,
): Promise<void> {
  if (nonce === '') throw new AuthError('reauthentication_needed');
  const proof = { code: nonce, ...reauthenticationReceiver(user) };
  const byPhone = 'phone' in proof;
  const wanted = { proof, types: ['reauthentication_token'] } as const;
  const taken = await asAuthAdmin(db, 'check a reauthentication code', (tx) =>
    takeMailedToken(tx, wanted, byPhone ? settings.smsCodeLifetime : settings.mailedTokenLifetime, now()),
  );
  if (taken?.userId !== user.id) throw new AuthError('reauthentication_not_valid');
}
