import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import { findIdentity } from '../stores/identities.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import type { ProviderProfile } from './provider-profile.ts';
import { linkIdentity } from './sign-in.ts';

/**
 * Adds a provider's person to the account of somebody who asked for it while signed in. The address may be another one: whoever
 * is signed in to both has shown that both are theirs.
 * @throws identity_already_exists, user_not_found, user_banned
 */
export async function linkToAccount(
  tx: Transaction,
  { userId, profile }: { readonly userId: string; readonly profile: ProviderProfile },
  now: Date,
): Promise<UserRow> {
  const known = await findIdentity(tx, profile);
  if (known)
    throw new AuthError(
      'identity_already_exists',
      known.userId === userId ? {} : { message: 'Identity is already linked to another user' },
    );
  const user = await findUser(tx, { id: userId }, { lock: true });
  if (!user) throw new AuthError('user_not_found');
  if (isBanned(user, now)) throw new AuthError('user_banned');
  await linkIdentity(tx, { userId, profile }, now);
  return (await findUser(tx, { id: userId })) ?? user;
}
