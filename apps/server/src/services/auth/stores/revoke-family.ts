import type { Transaction } from '../../../kernel/database.ts';

/** Ends every refresh token of a session: it lasts only as long as its last access token. */
export async function revokeFamily(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_revoke_family',
    text: `update auth.refresh_tokens set revoked = true, updated_at = $2
      where session_id = $1 and revoked is not true`,
    values: [sessionId, now],
  });
}
