import type { Transaction } from '../../../kernel/database.ts';

/** Ends a session with every refresh token of its, which stay there: whoever comes with one is still told that it was used. */
export async function revokeFamily(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_revoke_family',
    // Policies go by the database's clock.
    text: `with ended as (
        update auth.sessions set not_after = least($2, now()) where id = $1
      )
      update auth.refresh_tokens set revoked = true, updated_at = $2
      where session_id = $1 and revoked is not true`,
    values: [sessionId, now],
  });
}
