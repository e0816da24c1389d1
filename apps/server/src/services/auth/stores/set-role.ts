import type { Transaction } from '../../../kernel/database.ts';

/** Sets the role an account's access tokens carry. */
export async function setRole(tx: Transaction, userId: string, role: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_set_role',
    text: 'update auth.users set role = $2, updated_at = $3 where id = $1',
    values: [userId, role, now],
  });
}
