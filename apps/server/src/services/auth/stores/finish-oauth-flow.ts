import type { Transaction } from '../../../kernel/database.ts';
import type { Redeemed } from '../providers/google-code.ts';

/** Hands out the code of a flow whose person came back, with what the provider gave for the session to come. */
export async function finishOAuthFlow(
  tx: Transaction,
  flow: { readonly state: string; readonly userId: string } & Pick<Redeemed, 'accessToken' | 'refreshToken'>,
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
