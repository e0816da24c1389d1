import type { Transaction } from '../../../kernel/database.ts';
import type { AuthenticationMethod } from './open-session.ts';

/** Tells whether some client still holds the verifier of a flow: its links must then keep leading to a code. */
export async function hasFlow(
  tx: Transaction,
  { userId, method }: { userId: string; method: AuthenticationMethod },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_has_flow',
    text: 'select from auth.flow_state where user_id = $1 and authentication_method = $2 limit 1',
    values: [userId, method],
  });
  return rowCount > 0;
}
