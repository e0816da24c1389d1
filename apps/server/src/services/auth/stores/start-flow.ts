import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { CodeChallenge } from '../read-challenge.ts';
import type { AuthenticationMethod } from './open-session.ts';

/** Keeps a client's challenge until the person has followed the mailed link. @returns the flow's id */
export async function startFlow(
  tx: Transaction,
  flow: {
    readonly userId: string;
    readonly method: AuthenticationMethod;
    readonly challenge: CodeChallenge;
  },
  now: Date,
): Promise<string> {
  const { userId, method, challenge } = flow;
  const id = randomUUID();
  await tx.query({
    name: 'auth_start_flow',
    text: `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
        authentication_method, created_at, updated_at)
      values ($1, $2, $3, $4, $5, 'email', $6, $7, $7)`,
    values: [id, userId, randomUUID(), challenge.method, challenge.challenge, method, now],
  });
  return id;
}
