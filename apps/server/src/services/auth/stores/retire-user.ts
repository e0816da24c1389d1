import { createHash } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { closeSessions } from './close-sessions.ts';
import { forgetMailedTokens } from './forget-mailed-tokens.ts';
import type { UserRow } from './user-row.ts';

/** Keeps an account's row but nothing by which its owner could be known or sign in; the address is free again. */
export async function retireUser(tx: Transaction, user: UserRow, now: Date): Promise<void> {
  if (user.deleted_at) return;
  const { id: userId, email } = user;
  await tx.query({
    text: `update auth.users set email = $2, encrypted_password = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}',
        email_change = '', deleted_at = $3, updated_at = $3
      where id = $1`,
    values: [userId, obscure(userId, email ?? ''), now],
  });
  for (const identity of user.identities)
    await tx.query({
      text: `update auth.identities set provider_id = $2, identity_data = '{}', updated_at = $3 where id = $1`,
      values: [identity.id, obscure(userId, identity.provider_id), now],
    });
  await closeSessions(tx, 'global', { userId, sessionId: undefined });
  await forgetMailedTokens(tx, userId);
}

function obscure(userId: string, value: string): string {
  return createHash('sha256')
    .update(userId + value)
    .digest('base64url');
}
