import type { Transaction } from '../../../kernel/database.ts';

/** Makes every link and code that was mailed to an account useless. */
export async function forgetMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_mailed_tokens',
    text: 'delete from auth.one_time_tokens where user_id = $1',
    values: [userId],
  });
  await tx.query({
    name: 'auth_forget_token_columns',
    text: `update auth.users set confirmation_token = '', recovery_token = '', email_change_token_new = '',
        email_change_token_current = '', reauthentication_token = ''
      where id = $1`,
    values: [userId],
  });
}
