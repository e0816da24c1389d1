import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { CodeChallenge } from '../read-challenge.ts';

/** A person about to leave for another provider. */
export type NewOAuthFlow = {
  readonly state: string;
  /** Ours towards the provider. */
  readonly verifier: string;
  /** The client's towards us; undefined: it wants its session in the fragment. */
  readonly challenge: CodeChallenge | undefined;
  readonly redirectTo: string;
  /** The account that asks for a further identity. */
  readonly linkTo: string | undefined;
};

/** Keeps what is needed when the person comes back. */
export async function startOAuthFlow(tx: Transaction, flow: NewOAuthFlow, now: Date): Promise<void> {
  const { state, verifier, challenge, redirectTo, linkTo } = flow;
  await tx.query({
    name: 'auth_start_oauth_flow',
    text: `with own as (
        insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
        values ($1, 'google', $2, $3)
      )
      insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type,
        authentication_method, referrer, linking_target_id, oauth_client_state_id, created_at, updated_at)
      values ($4, $5, $6, $7, 'google', 'oauth', $8, $9, $1, $3, $3)`,
    values: [
      randomUUID(),
      verifier,
      now,
      state,
      randomUUID(),
      challenge?.method ?? null,
      challenge?.challenge ?? null,
      redirectTo,
      linkTo ?? null,
    ],
  });
}
