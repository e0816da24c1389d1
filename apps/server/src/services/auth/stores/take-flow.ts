import type { Transaction } from '../../../kernel/database.ts';
import type { CodeChallenge } from '../read-challenge.ts';
import type { AuthenticationMethod, IdentityProvider } from './open-session.ts';

export type TakenFlow = {
  readonly userId: string;
  readonly method: AuthenticationMethod;
  readonly challenge: CodeChallenge;
  readonly issuedAt: Date;
  readonly provider: IdentityProvider;
  /** What another provider gave to whoever signed in there, for the session alone. */
  readonly providerTokens: Readonly<Record<string, string>>;
};

/** Uses an authorisation code up, provided that its link has been followed. */
export async function takeFlow(tx: Transaction, authCode: string): Promise<TakenFlow | undefined> {
  const { rows } = await tx.query<{
    user_id: string;
    authentication_method: AuthenticationMethod;
    code_challenge: string;
    code_challenge_method: CodeChallenge['method'];
    auth_code_issued_at: Date;
    provider_type: IdentityProvider;
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
