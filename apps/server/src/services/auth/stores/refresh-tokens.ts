import type { Transaction } from '../../../kernel/database.ts';
import { createRefreshToken, type FoundSession } from './sessions.ts';
import { INSTANCE_ID } from './users.ts';

export type RefreshTokenRow = {
  token: string;
  session_id: string | null;
  parent: string | null;
  revoked: boolean;
  /** When it was exchanged, once it has been. */
  updated_at: Date;
};

/** Finds a token by its text, or the newest token of a session that still stands. */
export async function findRefreshToken(
  tx: Transaction,
  by: { readonly token: string } | { readonly activeOf: string },
): Promise<RefreshTokenRow | undefined> {
  const [condition, value] =
    'token' in by ? ['token = $1', by.token] : ['session_id = $1::uuid and not revoked', by.activeOf];
  const { rows } = await tx.query<RefreshTokenRow>({
    text: `select token, session_id, parent, coalesce(revoked, false) as revoked, updated_at
      from auth.refresh_tokens where ${condition} order by id desc limit 1`,
    values: [value],
  });
  return rows[0];
}

/** Exchanges a refresh token for its successor. The caller holds the session's lock. */
export async function rotateRefreshToken(
  tx: Transaction,
  { presented, session }: { readonly presented: string; readonly session: FoundSession },
  now: Date,
): Promise<string> {
  const successor = createRefreshToken();
  await tx.query({
    name: 'auth_rotate_refresh_token',
    text: `with exchanged as (
        update auth.refresh_tokens set revoked = true, updated_at = $5 where token = $4 and revoked is not true
      ), refreshed as (
        update auth.sessions set refreshed_at = $5::timestamptz at time zone 'utc', updated_at = $5 where id = $6
      )
      insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
      values ($1, $2, $3, false, $5, $5, $4, $6)`,
    values: [INSTANCE_ID, successor, session.userId, presented, now, session.id],
  });
  return successor;
}

/** Ends a session with every refresh token of its, which stay there: whoever comes with one is still told that it was used. */
export async function revokeFamily(tx: Transaction, sessionId: string, now: Date): Promise<void> {
  await tx.query({
    name: 'auth_revoke_family',
    // Policies go by the database's clock.
    text: `with ended as (
        update auth.sessions set not_after = least($2, now()) where id = $1
      )
      update auth.refresh_tokens set revoked = true, updated_at = $2
      where session_id = $1 and revoked is not true`,
    values: [sessionId, now],
  });
}
