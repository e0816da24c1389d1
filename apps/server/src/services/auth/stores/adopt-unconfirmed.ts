import type { Transaction } from '../../../kernel/database.ts';
import { closeSessions } from './close-sessions.ts';
import { forgetMailedTokens } from './forget-mailed-tokens.ts';
import type { UserRow } from './user-row.ts';

/**
 * Gives an account that nobody has confirmed to the person whose address it is. Whoever opened it may be a stranger who waits for
 * its owner: password, data, links in mails and the e-mail identity go. What an operator said with an invitation stays.
 */
export async function adoptUnconfirmed(tx: Transaction, user: UserRow, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_adopt_unconfirmed',
    text: `update auth.users set email_confirmed_at = $2, encrypted_password = '', email_change = '',
        raw_user_meta_data = case when invited_at is null then '{}'::jsonb else raw_user_meta_data end, updated_at = $2
      where id = $1`,
    values: [user.id, now],
  });
  await tx.query({
    name: 'auth_drop_identities',
    text: 'delete from auth.identities where user_id = $1',
    values: [user.id],
  });
  await closeSessions(tx, 'global', { userId: user.id, sessionId: undefined });
  await forgetMailedTokens(tx, user.id);
}
