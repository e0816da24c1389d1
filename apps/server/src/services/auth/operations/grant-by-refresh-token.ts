import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { readBody, text } from '../body-fields.ts';
import { isBanned } from '../is-banned.ts';
import { presentSession } from '../present/present-session.ts';
import { findRefreshToken, type RefreshTokenRow } from '../stores/find-refresh-token.ts';
import { findSession } from '../stores/find-session.ts';
import { findUser } from '../stores/find-user.ts';
import type { OpenedSession } from '../stores/open-session.ts';
import { revokeFamily } from '../stores/revoke-family.ts';
import { rotateRefreshToken } from '../stores/rotate-refresh-token.ts';
import type { UserRow } from '../stores/user-row.ts';

const BODY = v.object({ refresh_token: text });

type Refreshed = { readonly user: UserRow; readonly opened: OpenedSession };

/**
 * POST /token?grant_type=refresh_token: a new access token and the next refresh token (protocol note, section 1.5).
 * A token that comes back long after it was exchanged is a stolen one, or its thief's victim: the whole family ends.
 */
export const grantByRefreshToken: Operation = async (context, request) => {
  const { refresh_token: token } = readBody(BODY, request.body);
  if (token === '') throw new OAuthError('invalid_request', 'refresh_token required');
  const now = context.now();
  const reuseSince = new Date(now.getTime() - context.settings.refreshReuseInterval * 1000);
  const outcome = await asAuthAdmin(context.db, 'refresh a session', (tx) =>
    refresh(tx, token, reuseSince, now),
  );
  // Thrown out here, so that the revocation is committed.
  if (outcome === 'reused') throw new AuthError('refresh_token_already_used');
  return { body: await presentSession(context, outcome.user, outcome.opened) };
};

async function refresh(
  tx: Transaction,
  token: string,
  reuseSince: Date,
  now: Date,
): Promise<Refreshed | 'reused'> {
  const sessionId = (await findRefreshToken(tx, { token }))?.session_id;
  // Refreshes of one session go one after the other: of two tabs, the second sees what the first did.
  const session = sessionId ? await findSession(tx, sessionId, { lock: true }) : undefined;
  const presented = session && (await findRefreshToken(tx, { token }));
  const user = session && (await findUser(tx, { id: session.userId }));
  if (!session || !presented || !user) throw new AuthError('refresh_token_not_found');
  if (isBanned(user, now))
    throw new AuthError('user_banned', { status: 400, message: 'Invalid Refresh Token: User Banned' });
  const active = await findRefreshToken(tx, { activeOf: session.id });
  if (presented.revoked && !mayReuse(presented, active, reuseSince)) {
    await revokeFamily(tx, session.id, now);
    return 'reused';
  }
  if (session.notAfter && session.notAfter <= now) throw new AuthError('session_expired');
  const answered =
    presented.revoked && active?.parent === presented.token
      ? active.token
      : await rotateRefreshToken(tx, { presented: presented.token, session }, now);
  return { user, opened: { session, refreshToken: answered } };
}

/** Without an active token the family was ended: nothing brings it back. */
function mayReuse(
  presented: RefreshTokenRow,
  active: RefreshTokenRow | undefined,
  reuseSince: Date,
): boolean {
  if (!active) return false;
  return active.parent === presented.token || presented.updated_at >= reuseSince;
}
