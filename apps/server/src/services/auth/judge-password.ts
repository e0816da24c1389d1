import { AuthError } from './auth-error.ts';

/** bcrypt reads no further than 72 bytes: longer ones could not be carried to a hosted project. */
const MAX_LENGTH = 72;

/**
 * Accepts a new password, or says why not. Length is counted in characters, as a person counts them.
 * @throws validation_failed (too long), weak_password (too short)
 */
export function judgePassword(password: string, minLength: number): void {
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
