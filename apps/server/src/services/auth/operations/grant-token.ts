import * as v from 'valibot';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { requireOpenSession } from '../authenticate.ts';
import { flag, readBody, text } from '../body-fields.ts';
import { matchesChallenge } from '../code-challenge.ts';
import { deviceOf, rememberDevice } from '../devices.ts';
import { tellUserCreated } from '../hooks/after-user-created.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { presentSession } from '../present/present-session.ts';
import {
  askBeforeProviderSignUp,
  authenticateToLink,
  linkToAccount,
  signInByProvider,
} from '../providers/sign-in.ts';
import { recordAct } from '../stores/audit-log.ts';
import { takeFlow } from '../stores/flows.ts';
import {
  findRefreshToken,
  type RefreshTokenRow,
  revokeFamily,
  rotateRefreshToken,
} from '../stores/refresh-tokens.ts';
import {
  endSession,
  findSession,
  findSessionEnd,
  type OpenedSession,
  openSession,
  type Program,
} from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import { grantByPassword } from './grant-by-password.ts';

const GRANT_BY_ID_TOKEN_BODY = v.object({
  provider: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: flag,
});

/** In GoTrue's words: of a provider that is known here and not offered, and of one that nobody knows. */
function refuseProvider(issuer: string | undefined, name: string): AuthError {
  return issuer === undefined
    ? new AuthError('validation_failed', {
        message: `Custom OIDC provider ${JSON.stringify(name)} not allowed`,
      })
    : new AuthError('provider_disabled', {
        message: `Provider (issuer ${JSON.stringify(issuer)}) is not enabled`,
      });
}

/** POST /token?grant_type=id_token: a token that the client got from a provider by itself (One Tap, a phone's own dialog). */
const grantByIdToken: Operation = async (context, request) => {
  const body = readBody(GRANT_BY_ID_TOKEN_BODY, request.body);
  if (body.id_token === '') throw new OAuthError('invalid_request', 'id_token required');
  if (body.provider === '' && body.issuer === '')
    throw new OAuthError('invalid_request', 'provider or client_id and issuer required');
  const wanted = body.provider === '' ? { issuer: body.issuer } : { name: body.provider };
  const provider = context.providers.find(wanted);
  if (!provider) throw refuseProvider(context.providers.issuerOf(wanted), body.provider);
  const linking = body.link_identity ? await authenticateToLink(context, request) : undefined;
  const linkTo = linking?.user.id;
  const presented = { idToken: body.id_token, accessToken: body.access_token, nonce: body.nonce };
  const profile = await provider.verifyIdToken(presented);

  const mayOpen = linkTo === undefined && (await askBeforeProviderSignUp(context, request, profile));
  const now = context.now();
  let openedId: string | undefined;
  const onOpened = (id: string) => {
    openedId = id;
  };
  const signedIn = await asAuthAdmin(context.db, 'sign in by an ID token', async (tx) => {
    const user =
      linkTo === undefined
        ? await signInByProvider(tx, { ...context.settings, mayOpen, onOpened }, profile, now)
        : await linkToAccount(tx, { userId: linkTo, profile }, now);
    await requireOpenSession(tx, linking?.session);
    const opening = {
      userId: user.id,
      method: 'oauth',
      provider: provider.name,
      device: deviceOf(request),
    } as const;
    const did = { actor: user.id, traits: { provider: provider.name } };
    if (openedId === user.id) await recordAct(tx, request, { action: 'user_signedup', ...did }, now);
    if (linkTo !== undefined) await recordAct(tx, request, { action: 'identity_linked', ...did }, now);
    const opened = await openSession(tx, opening, now);
    return { user: (await findUser(tx, { id: user.id })) ?? user, opened };
  });
  const { user } = signedIn;
  if (openedId === user.id) tellUserCreated(context, request, user);
  if (linkTo !== undefined) notifyChange(context, { kind: 'identity_linked', user, provider: provider.name });
  return { body: await presentSession(context, signedIn.user, signedIn.opened) };
};

const GRANT_BY_REFRESH_TOKEN_BODY = v.object({ refresh_token: text });

type Refreshed = { readonly user: UserRow; readonly opened: OpenedSession };

/**
 * POST /token?grant_type=refresh_token: a new access token and the next refresh token (protocol note, section 1.5).
 * A token that comes back long after it was exchanged is a stolen one, or its thief's victim: the whole family ends.
 */
const grantByRefreshToken: Operation = async (context, request) => {
  const { refresh_token: token } = readBody(GRANT_BY_REFRESH_TOKEN_BODY, request.body);
  if (token === '') throw new OAuthError('invalid_request', 'refresh_token required');
  const refreshed = await refreshSession(context, { token, ip: request.ip });
  return { body: await presentSession(context, refreshed.user, refreshed.opened) };
};

type Presented = {
  readonly token: string;
  /** Who asks. */
  readonly ip: string;
  /** The program that asks; undefined: a person's own browser. Neither may renew what is the other's. */
  readonly clientId?: string;
  /** Throws where the program asks for what it was not given. */
  readonly validate?: (program: Program | undefined) => void;
};

/**
 * Exchanges a refresh token.
 * @throws refresh_token_not_found, also for somebody else's; refresh_token_already_used, session_expired, user_banned
 */
export async function refreshSession(context: AuthContext, presented: Presented): Promise<Refreshed> {
  const now = context.now();
  const outcome = await asAuthAdmin(context.db, 'refresh a session', (tx) =>
    refresh(tx, context.settings, presented, now),
  );
  // Thrown out here, so that the end of the session is committed.
  if (typeof outcome === 'string') throw refuseRefresh(outcome);
  return outcome;
}

type Refusal = 'reused' | 'timebox' | 'inactivity';

function refuseRefresh(why: Refusal): AuthError {
  if (why === 'reused') return new AuthError('refresh_token_already_used');
  return new AuthError(
    'session_expired',
    why === 'inactivity' ? { message: 'Invalid Refresh Token: Session Expired (Inactivity)' } : {},
  );
}

async function refresh(
  tx: Transaction,
  settings: AuthSettings,
  { token, ip, clientId, validate }: Presented,
  now: Date,
): Promise<Refreshed | Refusal> {
  const sessionId = (await findRefreshToken(tx, { token }))?.session_id;
  // Refreshes of one session go one after the other: of two tabs, the second sees what the first did.
  const session = sessionId ? await findSession(tx, sessionId, { lock: true }) : undefined;
  const presented = session && (await findRefreshToken(tx, { token }));
  const user = session && (await findUser(tx, { id: session.userId }));
  if (!session || !presented || !user) throw new AuthError('refresh_token_not_found');
  if (session.program?.clientId !== clientId) throw new AuthError('refresh_token_not_found');
  if (isBanned(user, now))
    throw new AuthError('user_banned', { status: 400, message: 'Invalid Refresh Token: User Banned' });
  const end = findSessionEnd(session, settings, now);
  if (end === 'timebox' || end === 'inactivity') {
    await endSession(tx, session.id, now);
    return end;
  }
  const active = await findRefreshToken(tx, { activeOf: session.id });
  const reuseSince = new Date(now.getTime() - settings.refreshReuseInterval * 1000);
  // Of a program, no more than a lost answer is forgiven: it has no tabs that share a token.
  const isForgiven =
    clientId === undefined
      ? mayReuse(presented, active, reuseSince)
      : isRecent(presented, active, reuseSince);
  if (presented.revoked && !isForgiven) {
    await revokeFamily(tx, session.id, now);
    const act = { action: 'token_revoked', actor: user.id, traits: { session_id: session.id } } as const;
    await recordAct(tx, { ip }, act, now);
    return 'reused';
  }
  if (end) throw new AuthError('session_expired');
  validate?.(session.program);
  const answered =
    presented.revoked && active?.parent === presented.token
      ? active.token
      : await rotateRefreshToken(tx, { presented: presented.token, session }, now);
  return { user, opened: { session, refreshToken: answered, method: 'token_refresh' } };
}

/** Without an active token the family was ended: nothing brings it back. */
function mayReuse(
  presented: RefreshTokenRow,
  active: RefreshTokenRow | undefined,
  reuseSince: Date,
): boolean {
  return (
    active?.parent === presented.token || (active !== undefined && isRecent(presented, active, reuseSince))
  );
}

function isRecent(
  presented: RefreshTokenRow,
  active: RefreshTokenRow | undefined,
  reuseSince: Date,
): boolean {
  return active !== undefined && presented.updated_at >= reuseSince;
}

const BODY = v.object({ auth_code: text, code_verifier: text });

/** POST /token?grant_type=pkce: the code of a followed link, with the secret of the browser that asked for it. */
const grantByCode: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  if (body.auth_code === '' || body.code_verifier === '')
    throw new AuthError('validation_failed', {
      message: 'invalid request: both auth code and code verifier should be non-empty',
    });
  const now = context.now();
  const { user, opened, flow } = await asAuthAdmin(
    context.db,
    'exchange an authorisation code',
    async (tx) => {
      const flow = await takeFlow(tx, body.auth_code);
      if (!flow) throw new AuthError('flow_state_not_found');
      if (now.getTime() >= flow.issuedAt.getTime() + context.settings.authCodeLifetime * 1000)
        throw new AuthError('flow_state_expired');
      // A refusal rolls back, so a wrong verifier does not use the code up.
      if (!matchesChallenge(flow.challenge, body.code_verifier)) throw new AuthError('bad_code_verifier');
      const { userId, method, provider } = flow;
      const opening = { userId, method, provider, device: deviceOf(request) };
      const found = await findUser(tx, { id: flow.userId });
      if (!found) throw new AuthError('flow_state_not_found');
      if (isBanned(found, now)) throw new AuthError('user_banned');
      const session = await openSession(tx, opening, now);
      return { user: (await findUser(tx, { id: flow.userId })) ?? found, opened: session, flow };
    },
  );
  const session = await presentSession(context, user, opened);
  const headers = await rememberDevice(context, request, user.email);
  return { headers, body: { ...session, ...flow.providerTokens } };
};

const GRANTS: Readonly<Record<string, Operation>> = {
  password: grantByPassword,
  refresh_token: grantByRefreshToken,
  pkce: grantByCode,
  id_token: grantByIdToken,
  web3: async () => {
    throw new AuthError('web3_provider_disabled');
  },
};

/** POST /token: every way to a session, by `grant_type`. */
export const grantToken: Operation = async (context, request) => {
  const { grant_type: type = '' } = request.query;
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!grant) throw new OAuthError('unsupported_grant_type', 'unsupported_grant_type');
  return grant(context, request);
};
