import type { Transaction } from '../../../kernel/database.ts';

export type LogoutScope = 'global' | 'local' | 'others';

/** Ends sessions of an account: all, the given one, or all but the given one. Their refresh tokens go with them. */
export async function closeSessions(
  tx: Transaction,
  scope: LogoutScope,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | undefined },
): Promise<void> {
  await tx.query({
    name: 'auth_close_sessions',
    text: `delete from auth.sessions where user_id = $1 and case $2
        when 'global' then true
        when 'local' then id = $3::uuid
        else id is distinct from $3::uuid
      end`,
    values: [userId, scope, sessionId ?? null],
  });
}
