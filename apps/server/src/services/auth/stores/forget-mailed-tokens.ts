import type { Transaction } from '../../../kernel/database.ts';

/** Makes every link and code that was mailed to an account useless, and drops what waited for them. */
export async function forgetMailedTokens(tx: Transaction, userId: string): Promise<void> {
  await tx.query({
    name: 'auth_forget_mailed_tokens',
    text: 'delete from auth.mailed_tokens where user_id = $1',
    values: [userId],
  });
}
