import type { Transaction } from '../../../kernel/database.ts';

export type OAuthFlow = {
  readonly redirectTo: string;
  /** Whether the client holds a verifier, and so wants a code. */
  readonly challenged: boolean;
  readonly linkTo: string | undefined;
  readonly startedAt: Date;
  /** Undefined when somebody came back with this state before: it serves once. */
  readonly verifier: string | undefined;
};

/** Finds the flow of a state and uses the state up. */
export async function takeOAuthFlow(tx: Transaction, state: string): Promise<OAuthFlow | undefined> {
  const { rows } = await tx.query<{
    referrer: string | null;
    code_challenge: string | null;
    linking_target_id: string | null;
    created_at: Date;
    code_verifier: string | null;
  }>({
    name: 'auth_take_oauth_flow',
    text: `with own as (
        delete from auth.oauth_client_states s using auth.flow_state f
        where f.id = $1::uuid and s.id = f.oauth_client_state_id returning s.code_verifier
      )
      select referrer, code_challenge, linking_target_id, created_at, (select code_verifier from own)
      from auth.flow_state where id = $1::uuid and authentication_method = 'oauth'`,
    values: [state],
  });
  const [row] = rows;
  if (!row || row.referrer === null) return undefined;
  return {
    redirectTo: row.referrer,
    challenged: row.code_challenge !== null,
    linkTo: row.linking_target_id ?? undefined,
    startedAt: row.created_at,
    verifier: row.code_verifier ?? undefined,
  };
}
