import type { Transaction } from '../../../kernel/database.ts';

/**
 * Hands out the code of a flow, now that its own link has been followed.
 * @returns undefined when the flow is gone.
 */
export async function releaseAuthCode(
  tx: Transaction,
  { userId, flowId }: { readonly userId: string; readonly flowId: string },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ auth_code: string }>({
    name: 'auth_release_auth_code',
    text: `update auth.flow_state set auth_code_issued_at = $3, updated_at = $3
      where id = $1 and user_id = $2 returning auth_code`,
    values: [flowId, userId, now],
  });
  return rows[0]?.auth_code;
}
