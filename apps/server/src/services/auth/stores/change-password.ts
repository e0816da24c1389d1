import type { Transaction } from '../../../kernel/database.ts';
import { closeSessions } from './close-sessions.ts';
import { forgetMailedTokens } from './forget-mailed-tokens.ts';

/**
 * Sets an account's password. Whoever was signed in elsewhere is signed out, and links mailed before stop working: a
 * person who changes the password because somebody else knows it is then alone.
 */
export async function changePassword(
  tx: Transaction,
  change: {
    readonly userId: string;
    readonly passwordHash: string;
    readonly keepSession: string | undefined;
  },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_change_password',
    text: 'update auth.users set encrypted_password = $2, updated_at = $3 where id = $1',
    values: [change.userId, change.passwordHash, now],
  });
  await closeSessions(tx, 'others', { userId: change.userId, sessionId: change.keepSession });
  await forgetMailedTokens(tx, change.userId);
}
