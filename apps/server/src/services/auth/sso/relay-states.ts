import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { CodeChallenge } from '../code-challenge.ts';

/** Somebody on the way to an identity provider. */
type NewRelayState = {
  readonly id: string;
  readonly providerId: string;
  readonly requestId: string;
  readonly redirectTo: string;
  /** Undefined: the client wants its session in the fragment. */
  readonly challenge: CodeChallenge | undefined;
};

/** Keeps what is needed when the person comes back. */
export async function insertRelayState(tx: Transaction, state: NewRelayState, now: Date): Promise<void> {
  const { challenge } = state;
  const flowId = challenge ? randomUUID() : null;
  if (challenge)
    await tx.query({
      name: 'auth_start_saml_flow',
      text: `insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at)
        values ($1, $2, $3, $4, $5, 'sso/saml', $6, $6)`,
      values: [flowId, randomUUID(), challenge.method, challenge.challenge, `sso:${state.providerId}`, now],
    });
  await tx.query({
    name: 'auth_insert_relay_state',
    text: `insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, $6)`,
    values: [state.id, state.providerId, state.requestId, state.redirectTo, flowId, now],
  });
}

export type RelayState = {
  readonly providerId: string;
  readonly requestId: string;
  readonly redirectTo: string | null;
  /** Of the client's code challenge, where it has sent one. */
  readonly flowId: string | null;
  readonly createdAt: Date;
};

/** Uses a state up in the statement that finds it: it serves once. */
export async function takeRelayState(tx: Transaction, id: string): Promise<RelayState | undefined> {
  const { rows } = await tx.query<{
    sso_provider_id: string;
    request_id: string;
    redirect_to: string | null;
    flow_state_id: string | null;
    created_at: Date;
  }>({
    name: 'auth_take_relay_state',
    text: `delete from auth.saml_relay_states where id = $1
      returning sso_provider_id, request_id, redirect_to, flow_state_id, created_at`,
    values: [id],
  });
  const [row] = rows;
  return (
    row && {
      providerId: row.sso_provider_id,
      requestId: row.request_id,
      redirectTo: row.redirect_to,
      flowId: row.flow_state_id,
      createdAt: row.created_at,
    }
  );
}
