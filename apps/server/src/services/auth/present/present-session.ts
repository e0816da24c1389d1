import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthContext } from '../auth-context.ts';
import { customizeClaims } from '../hooks/custom-access-token.ts';
import { closeSessions, type OpenedSession, type SessionRow } from '../stores/sessions.ts';
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

/**
 * Signs an access token and wraps it up with its refresh token (protocol note, section 1.2). A hook of the operator's may have a say in
 * what it says: where it refuses, a session that was opened just now is closed again.
 * @throws what the hook refuses with
 */
export async function presentSession(
  context: Pick<AuthContext, 'db' | 'keyring' | 'settings' | 'now' | 'logger'>,
  user: UserRow,
  { session, refreshToken, method }: OpenedSession,
): Promise<PresentedSession> {
  const { settings, now } = context;
  const lifetime = settings.accessTokenLifetime;
  const expiresAt = Math.floor(now().getTime() / 1000) + lifetime;
  const accessToken = await signSessionToken(context, user, { session, method, lifetime }).catch(
    async (error: unknown) => {
      if (method !== 'token_refresh') await closeUnused(context, user, session);
      throw error;
    },
  );
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: lifetime,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: presentUser(user),
  };
}

type Signing = Pick<OpenedSession, 'session' | 'method'> & {
  /** In seconds. */
  readonly lifetime: number;
};

/** An access token of a session. @throws what the operator's hook refuses with */
export async function signSessionToken(
  context: Pick<AuthContext, 'db' | 'keyring' | 'settings' | 'now' | 'logger'>,
  user: UserRow,
  { session, method, lifetime }: Signing,
): Promise<string> {
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const claims = {
    iss: `${context.settings.siteUrl}/auth/v1`,
    iat: issuedAt,
    exp: issuedAt + lifetime,
    ...listClaims(user, session),
  };
  return context.keyring.signAccessToken(await customizeClaims(context, claims, method));
}

function closeUnused(
  { db }: Pick<AuthContext, 'db'>,
  { id: userId }: UserRow,
  { id: sessionId }: SessionRow,
): Promise<void> {
  return asAuthAdmin(db, 'close a session that was refused its token', (tx) =>
    closeSessions(tx, 'local', { userId, sessionId }),
  );
}

function listClaims(user: UserRow, session: SessionRow) {
  return {
    sub: user.id,
    aud: listAudience(user, session),
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? AUDIENCE,
    aal: session.aal,
    amr: listMethods(user, session),
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    // A token that a person made stands for itself.
    ...(session.program
      ? { client_id: session.program.clientId ?? session.id, scope: session.program.scope }
      : {}),
  };
}

/**
 * By which organisation somebody came in, which policies ask for. It is told of the first proof alone, and where no other identity could
 * have been meant. (Source: GoTrue, `Session.CalculateAALAndAMR`.)
 */
function listMethods({ identities }: UserRow, { amr }: SessionRow) {
  const [identity] = identities;
  const oldest = amr.at(-1);
  if (oldest?.method !== 'sso/saml' || identities.length !== 1 || !identity?.provider.startsWith('sso:'))
    return amr;
  return [...amr.slice(0, -1), { ...oldest, provider: identity.provider.slice('sso:'.length) }];
}

/** A program says for which server it wants a token (RFC 8707): that one is named beside this one. */
function listAudience(user: UserRow, { program }: SessionRow): string | string[] {
  const own = user.aud ?? AUDIENCE;
  return program?.resource === undefined ? own : [own, program.resource];
}
