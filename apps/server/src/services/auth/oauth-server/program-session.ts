import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Transaction } from '../../../kernel/database.ts';
import { createRefreshToken, type Device, type OpenedSession, type Program } from '../stores/sessions.ts';
import { INSTANCE_ID } from '../stores/users.ts';

type Opening = {
  readonly userId: string;
  readonly program: Program & { readonly clientId: string };
  readonly device: Device;
};

const MAX_USER_AGENT_LENGTH = 512;
const METHOD = 'oauth_provider/authorization_code';

/** Lets a program in: a session with its bounds, and its first refresh token. The person has not signed in by that. */
export async function openProgramSession(
  tx: Transaction,
  { userId, program, device }: Opening,
  now: Date,
): Promise<OpenedSession> {
  const id = randomUUID();
  const refreshToken = createRefreshToken();
  const ip = isIP(device.ip) === 0 ? null : device.ip;
  const userAgent = device.userAgent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed() ?? null;
  await tx.query({
    name: 'oauth_open_session',
    text: `with session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, oauth_client_id, scopes)
        values ($1, $2::uuid, $3, $3, 'aal1', $4, $5, $6, $7)
      ), amr as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values ($8, $1, $3, $3, $9)
      ), resource as (
        insert into auth.oauth_session_resources (session_id, resource) select $1::uuid, $12::text where $12::text is not null
      )
      insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
      values ($10, $11, $2::uuid::text, false, $3, $3, $1)`,
    values: [
      id,
      userId,
      now,
      userAgent,
      ip,
      program.clientId,
      program.scope,
      randomUUID(),
      METHOD,
      INSTANCE_ID,
      refreshToken,
      program.resource ?? null,
    ],
  });
  const amr = [{ method: METHOD, timestamp: Math.floor(now.getTime() / 1000) }];
  return { session: { id, aal: 'aal1', amr, program }, refreshToken, method: METHOD };
}
