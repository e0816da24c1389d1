import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import { findUser } from './find-user.ts';
import type { IdentityRow, UserRow } from './user-row.ts';

/**
 * Takes one of several identities away. The account goes on under an address that a remaining identity has; without an e-mail
 * identity it has no password either.
 * @throws email_conflict_identity_not_deletable when that address is somebody else's
 */
export async function deleteIdentity(
  tx: Transaction,
  user: UserRow,
  identity: IdentityRow,
  now: Date,
): Promise<void> {
  const left = user.identities.filter((one) => one.id !== identity.id);
  const keepsAddress = left.some((one) => one.email === user.email);
  const email = keepsAddress ? user.email : (left.find((one) => one.email !== null)?.email ?? user.email);
  if (email !== null && email !== user.email && (await findUser(tx, { email })))
    throw new AuthError('email_conflict_identity_not_deletable');
  await tx.query({
    name: 'auth_delete_identity',
    text: 'delete from auth.identities where id = $1 and user_id = $2',
    values: [identity.id, user.id],
  });
  await tx.query({
    name: 'auth_go_on_without_identity',
    text: `update auth.users set email = $2, encrypted_password = case when $3 then '' else encrypted_password end, updated_at = $4
      where id = $1`,
    values: [user.id, email, identity.provider === 'email', now],
  });
}
