import type { Transaction } from '../../../kernel/database.ts';
import type { FoundSession } from './find-session.ts';
import { createRefreshToken } from './open-session.ts';
import { INSTANCE_ID } from './user-row.ts';

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
