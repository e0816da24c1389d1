import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin, type Transaction } from '../../kernel/database.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { findUser, type UserRow } from './stores/users.ts';

/** Deleted accounts that were kept on purpose are as shut as banned ones. */
export function isBanned({ banned_until, deleted_at }: UserRow, now: Date): boolean {
  return deleted_at !== null || (banned_until !== null && banned_until > now);
}

/**
 * A sign-up that nobody ever confirmed, as anybody can make one with any address or number; none to which an operator has given rights, and
 * none that an operator has shut.
 */
export function isMereClaim(user: UserRow, now: Date): boolean {
  const isProven = user.email_confirmed_at ?? user.phone_confirmed_at;
  return (
    !isProven &&
    !user.invited_at &&
    !user.last_sign_in_at &&
    !user.encrypted_password &&
    !hasGivenRights(user) &&
    !isBanned(user, now)
  );
}

function hasGivenRights({ role, raw_app_meta_data: metadata }: UserRow): boolean {
  const { provider: _, providers: __, ...given } = metadata ?? {};
  return role !== 'authenticated' || Object.keys(given).length > 0;
}

/**
 * A sign-up that nobody has confirmed, for somebody who need not. Locked.
 * @throws user_already_exists for any other account
 */
export async function findMereClaim(
  tx: Transaction,
  by: { readonly email: string } | { readonly phone: string },
  now: Date,
): Promise<string> {
  const user = await findUser(tx, by, { lock: true });
  if (!user || !isMereClaim(user, now)) throw new AuthError('user_already_exists');
  return user.id;
}

/**
 * Goes on under an address that a provider named without vouching for it, since the identity of an own one was given up: it may be anybody's.
 */
export function hasUnvouchedAddress({ email_confirmed_at, identities }: UserRow): boolean {
  return email_confirmed_at === null && !identities.some(({ provider }) => provider === 'email');
}

/** Somebody was in the account before anything had shown that its address is theirs. One opened anonymously has its first owner. */
export function isEnteredUnproven(user: UserRow): boolean {
  if (user.email_confirmed_at !== null || user.last_sign_in_at === null) return false;
  return hasUnvouchedAddress(user) || !(user.phone_confirmed_at || user.is_anonymous);
}

/** The account that an operator's path names. @throws validation_failed (404, no uuid), user_not_found */
export async function loadUser({ db }: AuthContext, { params }: AuthRequest): Promise<UserRow> {
  const { user_id: id } = params;
  if (!isUuid(id))
    throw new AuthError('validation_failed', { status: 404, message: 'user_id must be an UUID' });
  const user = await asAuthAdmin(db, 'find an account', (tx) => findUser(tx, { id }));
  if (!user) throw new AuthError('user_not_found');
  return user;
}
