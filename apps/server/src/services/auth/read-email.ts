import * as v from 'valibot';
import { AuthError } from './auth-error.ts';

/** RFC 5321, section 4.5.3.1: a path is at most 256 octets, its angle brackets included. */
const MAX_LENGTH = 254;
/** The form browsers accept in an e-mail field, the same one the platform checks. */
const EMAIL = v.pipe(v.string(), v.maxLength(MAX_LENGTH), v.rfcEmail());

/** The one spelling of an address that is stored and compared: trimmed, lower case. No judgement. */
export function normalizeEmail(raw: string): string {
  return raw.trim().toLowerCase();
}

/**
 * Normalises an address and requires it to look like one.
 * @throws validation_failed
 */
export function readEmail(raw: string): string {
  const email = normalizeEmail(raw);
  if (email.length > MAX_LENGTH)
    throw new AuthError('validation_failed', { message: 'An email address is too long' });
  if (!v.safeParse(EMAIL, email).success)
    throw new AuthError('validation_failed', { message: 'Unable to validate email address: invalid format' });
  return email;
}
