import type { Transaction } from '../../../kernel/database.ts';

/** Deletes an account; foreign keys take its sessions, identities and belongings along. */
export async function deleteUser(tx: Transaction, userId: string): Promise<void> {
  await tx.query({ text: 'delete from auth.flow_state where user_id = $1', values: [userId] });
  await tx.query({ text: 'delete from auth.users where id = $1', values: [userId] });
}
