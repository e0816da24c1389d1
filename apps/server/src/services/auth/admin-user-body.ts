import * as v from 'valibot';
import { AuthError } from './auth-error.ts';
import { flag, metadata, text } from './body-fields.ts';
import { isReadableHash, type PasswordHasher } from './password-hasher.ts';
import { type PasswordRules, validatePassword } from './validate-password.ts';

/** What an operator may say of an account, when it is made and when it is changed. */
export const ADMIN_USER_BODY = v.object({
  id: text,
  email: text,
  phone: text,
  password: v.nullish(v.string()),
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: text,
  ban_duration: text,
});
export type AdminUserBody = v.InferOutput<typeof ADMIN_USER_BODY>;

/**
 * The hash to store, from a password or from another system's hash. Undefined when neither was given.
 * @throws validation_failed, weak_password
 */
export async function readPasswordHash(
  { password, password_hash: hash }: AdminUserBody,
  passwords: PasswordHasher,
  rules: PasswordRules,
): Promise<string | undefined> {
  if (password && hash !== '')
    throw new AuthError('validation_failed', {
      message: 'Only a password or a password hash should be provided',
    });
  if (hash !== '' && !isReadableHash(hash))
    throw new AuthError('validation_failed', {
      message: 'password_hash is of a kind that cannot be checked',
    });
  if (!password) return hash === '' ? undefined : hash;
  validatePassword(password, rules);
  return passwords.hash(password);
}
