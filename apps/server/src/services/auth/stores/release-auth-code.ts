import type { Transaction } from '../../../kernel/database.ts';
import type { AuthenticationMethod } from './open-session.ts';

/**
 * Hands out the code of an account's newest flow, now that its link has been followed.
 * @returns undefined when no flow of that method was started.
 */
export async function releaseAuthCode(
  tx: Transaction,
  { userId, method }: { userId: string; method: AuthenticationMethod },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ auth_code: string }>({
    name: 'auth_release_auth_code',
    text: `update auth.flow_state set auth_code_issued_at = $3, updated_at = $3
      where id = (select id from auth.flow_state where user_id = $1 and authentication_method = $2
        order by created_at desc limit 1)
      returning auth_code`,
    values: [userId, method, now],
  });
  return rows[0]?.auth_code;
}
