import type { Transaction } from '../../../kernel/database.ts';
import type { SecondFactorMethod } from './factors.ts';
import { createRefreshToken, findSession, type OpenedSession } from './sessions.ts';
import { INSTANCE_ID } from './users.ts';

type Raising = {
  readonly userId: string;
  readonly sessionId: string;
  readonly factorId: string;
  readonly method: SecondFactorMethod;
};

/**
 * A second factor was proven in a session: it stays the same session, of the second level from now on (`aal2`), and every session of the account
 * that is below ends, but for those of programs, whose bounds are their own, as does the wait for a reset of its factors. Its refresh tokens so far
 * are good for nothing: whoever has copied one does not come to the second level with it.
 * @returns undefined when the session has ended meanwhile
 */
export async function raiseSession(
  tx: Transaction,
  { userId, sessionId, factorId, method }: Raising,
  now: Date,
): Promise<OpenedSession | undefined> {
  // Refreshes of the session wait until it is raised.
  const standing = await findSession(tx, sessionId, { lock: true });
  if (standing?.userId !== userId || standing.isOver) return undefined;
  const refreshToken = createRefreshToken();
  await tx.query({
    name: 'auth_raise_session',
    text: `with raised as (
        update auth.sessions set aal = 'aal2', factor_id = $3, refreshed_at = $5::timestamptz at time zone 'utc', updated_at = $5
        where id = $2
      ), amr as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        values (gen_random_uuid(), $2, $5, $5, $4)
        on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at
      ), used as (
        delete from auth.refresh_tokens where session_id = $2
      ), objected as (
        -- Whoever has a factor at hand wants none of them taken away.
        delete from auth.factor_resets where user_id = $1
      ), ended as (
        delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') < 'aal2'
          and oauth_client_id is null and scopes is null
      )
      insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, session_id)
      values ($6, $7, $1::uuid::text, false, $5, $5, $2)`,
    values: [userId, sessionId, factorId, method, now, INSTANCE_ID, refreshToken],
  });
  const session = await findSession(tx, sessionId);
  return session && { session, refreshToken, method };
}
