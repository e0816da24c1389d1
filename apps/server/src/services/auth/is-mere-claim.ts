import type { UserRow } from './stores/user-row.ts';

/** A sign-up that nobody ever confirmed: anybody can make one with any address. */
export function isMereClaim(user: UserRow): boolean {
  return !user.email_confirmed_at && !user.invited_at && !user.last_sign_in_at && !user.encrypted_password;
}
