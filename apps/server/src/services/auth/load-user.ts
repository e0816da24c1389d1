import { asAuthAdmin } from '../../kernel/database.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import { isUuid } from './is-uuid.ts';
import { findUser } from './stores/find-user.ts';
import type { UserRow } from './stores/user-row.ts';

/** The account that an operator's path names. @throws validation_failed (404, no uuid), user_not_found */
export async function loadUser({ db }: AuthContext, { params }: AuthRequest): Promise<UserRow> {
  const { user_id: id } = params;
  if (!isUuid(id))
    throw new AuthError('validation_failed', { status: 404, message: 'user_id must be an UUID' });
  const user = await asAuthAdmin(db, 'find an account', (tx) => findUser(tx, { id }));
  if (!user) throw new AuthError('user_not_found');
  return user;
}
