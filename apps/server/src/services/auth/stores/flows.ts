import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { CodeChallenge } from '../code-challenge.ts';
import type { ProviderTokens } from '../providers/provider.ts';
import type { AuthenticationMethod } from './sessions.ts';

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

type TakenFlow = {
  readonly userId: string;
  readonly method: AuthenticationMethod;
  readonly challenge: CodeChallenge;
  readonly issuedAt: Date;
  readonly provider: string;
  /** What another provider gave to whoever signed in there, for the session alone. */
  readonly providerTokens: Readonly<Record<string, string>>;
};

/** Uses an authorisation code up, provided that its link has been followed. The flow's account stays locked. */
export async function takeFlow(tx: Transaction, authCode: string): Promise<TakenFlow | undefined> {
  // The account first, as everybody else who changes it: two who meet wait for each other in one order.
  const owner = await tx.query({
    name: 'auth_lock_owner_of_flow',
    text: `select from auth.flow_state f join auth.users u on u.id = f.user_id
      where f.auth_code = $1 and f.auth_code_issued_at is not null for update of u`,
    values: [authCode],
  });
  if (owner.rowCount === 0) return undefined;
  const { rows } = await tx.query<{
    user_id: string;
    authentication_method: AuthenticationMethod;
    code_challenge: string;
    code_challenge_method: CodeChallenge['method'];
    auth_code_issued_at: Date;
    provider_type: string;
    provider_access_token: string | null;
    provider_refresh_token: string | null;
  }>({
    name: 'auth_take_flow',
    text: `delete from auth.flow_state
      where auth_code = $1 and auth_code_issued_at is not null and user_id is not null
      returning user_id, authentication_method, code_challenge, code_challenge_method, auth_code_issued_at,
        provider_type, provider_access_token, provider_refresh_token`,
    values: [authCode],
  });
  const [row] = rows;
  return (
    row && {
      userId: row.user_id,
      method: row.authentication_method,
      challenge: { challenge: row.code_challenge, method: row.code_challenge_method },
      issuedAt: row.auth_code_issued_at,
      provider: row.provider_type,
      providerTokens: {
        ...(row.provider_access_token ? { provider_token: row.provider_access_token } : {}),
        ...(row.provider_refresh_token ? { provider_refresh_token: row.provider_refresh_token } : {}),
      },
    }
  );
}

/** Makes every authorisation code of an account useless, whether it was handed out already or waits for its link. */
export async function forgetFlows(
  tx: Transaction,
  userId: string,
  { except }: { readonly except?: string | undefined } = {},
): Promise<void> {
  await tx.query({
    name: 'auth_forget_flows',
    text: 'delete from auth.flow_state where user_id = $1 and id is distinct from $2::uuid',
    values: [userId, except ?? null],
  });
}

/** A person about to leave for another provider. */
type NewOAuthFlow = {
  readonly provider: string;
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
  const { provider, state, verifier, challenge, redirectTo, linkTo } = flow;
  await tx.query({
    name: 'auth_start_oauth_flow',
    text: `with own as (
        insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
        values ($1, $10, $2, $3)
      )
      insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type,
        authentication_method, referrer, linking_target_id, oauth_client_state_id, created_at, updated_at)
      values ($4, $5, $6, $7, $10, 'oauth', $8, $9, $1, $3, $3)`,
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
      provider,
    ],
  });
}

/** Hands out the code of a flow whose person came back, with what the provider gave for the session to come. */
export async function finishOAuthFlow(
  tx: Transaction,
  flow: { readonly state: string; readonly userId: string } & ProviderTokens,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ auth_code: string }>({
    name: 'auth_finish_oauth_flow',
    text: `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4,
        auth_code_issued_at = $5, updated_at = $5
      where id = $1::uuid and auth_code_issued_at is null returning auth_code`,
    values: [flow.state, flow.userId, flow.accessToken, flow.refreshToken ?? null, now],
  });
  return rows[0]?.auth_code;
}

/** False once the account that it would link to has been rid of whoever else was in it. */
export async function isFlowKept(tx: Transaction, state: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_is_flow_kept',
    text: 'select from auth.flow_state where id = $1::uuid',
    values: [state],
  });
  return rowCount > 0;
}

export type OAuthFlow = {
  readonly provider: string;
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
    provider_type: string;
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
      select provider_type, referrer, code_challenge, linking_target_id, created_at, (select code_verifier from own)
      from auth.flow_state where id = $1::uuid and authentication_method = 'oauth'`,
    values: [state],
  });
  const [row] = rows;
  if (!row || row.referrer === null) return undefined;
  return {
    provider: row.provider_type,
    redirectTo: row.referrer,
    challenged: row.code_challenge !== null,
    linkTo: row.linking_target_id ?? undefined,
    startedAt: row.created_at,
    verifier: row.code_verifier ?? undefined,
  };
}

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
