import type { Transaction } from '../../kernel/database.ts';
import { AuthError } from './auth-error.ts';
import { findUser } from './stores/find-user.ts';
import { insertUser } from './stores/insert-user.ts';
import { issueMailedToken, type MailedToken } from './stores/issue-mailed-token.ts';
import { judgeMetadata } from './stores/merge-metadata.ts';

/** Opens an account without a password, or takes up an unconfirmed one. @throws email_exists for a confirmed one */
export async function inviteUser(
  tx: Transaction,
  { email, data }: { readonly email: string; readonly data: Record<string, unknown> },
  now: Date,
): Promise<{ readonly userId: string; readonly token: MailedToken }> {
  judgeMetadata(data);
  await insertUser(tx, { email, passwordHash: '', userMetadata: data, invited: true }, now);
  const user = await findUser(tx, { email }, { lock: true });
  if (!user) throw new AuthError('conflict');
  if (user.email_confirmed_at) throw new AuthError('email_exists');
  await tx.query({
    text: 'update auth.users set invited_at = $2, updated_at = $2 where id = $1',
    values: [user.id, now],
  });
  const claim = { userMetadata: data };
  const token = await issueMailedToken(
    tx,
    { userId: user.id, type: 'confirmation_token', email, claim },
    now,
  );
  return { userId: user.id, token };
}
