import type { Transaction } from '../../../kernel/database.ts';

/** Shuts an account until a time; null opens it again. */
export async function banUser(tx: Transaction, userId: string, until: Date | null, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_ban_user',
    text: 'update auth.users set banned_until = $2, updated_at = $3 where id = $1',
    values: [userId, until, now],
  });
}
