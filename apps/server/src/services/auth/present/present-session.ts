import type { AuthContext } from '../auth-context.ts';
import type { OpenedSession, SessionRow } from '../stores/sessions.ts';
import { AUDIENCE, type UserRow } from '../stores/users.ts';
import { presentUser } from './present-user.ts';

export type PresentedSession = {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly expires_at: number;
  readonly refresh_token: string;
  readonly user: Record<string, unknown>;
};

/** Signs an access token and wraps it up with its refresh token (protocol note, section 1.2). */
export async function presentSession(
  { keyring, settings, now }: Pick<AuthContext, 'keyring' | 'settings' | 'now'>,
  user: UserRow,
  { session, refreshToken }: OpenedSession,
): Promise<PresentedSession> {
  const issuedAt = Math.floor(now().getTime() / 1000);
  const expiresAt = issuedAt + settings.accessTokenLifetime;
  return {
    access_token: await keyring.signAccessToken({
      iss: `${settings.siteUrl}/auth/v1`,
      iat: issuedAt,
      exp: expiresAt,
      ...listClaims(user, session),
    }),
    token_type: 'bearer',
    expires_in: settings.accessTokenLifetime,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: presentUser(user),
  };
}

function listClaims(user: UserRow, session: SessionRow): Record<string, unknown> {
  return {
    sub: user.id,
    aud: user.aud ?? AUDIENCE,
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? AUDIENCE,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  };
}
