import { createHash } from 'node:crypto';
import { asAuthAdmin, type Transaction } from '../../../kernel/database.ts';
import type { AuthContext, AuthRequest, Operation } from '../auth-context.ts';
import { AuthError, type AuthErrorCode, OAuthError } from '../auth-error.ts';
import { matchesChallenge } from '../code-challenge.ts';
import { deviceOf } from '../devices.ts';
import { refreshSession } from '../operations/grant-token.ts';
import { presentSession } from '../present/present-session.ts';
import { recordAct } from '../stores/audit-log.ts';
import { revokeFamily } from '../stores/refresh-tokens.ts';
import type { OpenedSession, Program } from '../stores/sessions.ts';
import { findUser, type UserRow } from '../stores/users.ts';
import { isBanned } from '../user-state.ts';
import { type Authorization, findByCode, useUpCode } from './authorization-store.ts';
import { authenticateClient, type Form, readForm } from './client-authentication.ts';
import type { OAuthClient } from './client-store.ts';
import { endSurplusSessions } from './grant-store.ts';
import { signIdToken } from './id-token.ts';
import { openProgramSession } from './program-session.ts';
import { covers } from './scopes.ts';

/**
 * POST /oauth/token: a program comes for its tokens (OAuth 2.1, section 3.2).
 * @throws invalid_request, invalid_client, invalid_grant, invalid_scope, unauthorized_client, unsupported_grant_type, access_denied
 */
export const grantToProgram: Operation = async (context, request) => {
  const form = readForm(request.body);
  const { grant_type: type = '' } = form;
  if (type === '') throw new OAuthError('invalid_request', 'grant_type is required');
  const client = await authenticateClient(context, request, form);
  if (type !== 'authorization_code' && type !== 'refresh_token')
    throw new OAuthError('unsupported_grant_type', `Unsupported grant type: ${type.slice(0, 100)}`);
  if (!client.grantTypes.includes(type))
    throw new OAuthError('unauthorized_client', `Client is not allowed to use grant type: ${type}`);
  const granted =
    type === 'authorization_code'
      ? await exchangeCode(context, request, { client, form })
      : await renew(context, request, { client, form });
  return { headers: { pragma: 'no-cache' }, body: await present(context, client, granted) };
};

type Granted = {
  readonly user: UserRow;
  readonly opened: OpenedSession;
  readonly nonce: string | undefined;
};
type Call = { readonly client: OAuthClient; readonly form: Form };

const INVALID_CODE = 'Invalid authorization code';

async function exchangeCode(context: AuthContext, request: AuthRequest, call: Call): Promise<Granted> {
  const { code = '' } = call.form;
  if (code === '') throw new OAuthError('invalid_request', 'code is required');
  const now = context.now();
  const granted = await asAuthAdmin(context.db, 'exchange a code of a program', async (tx) => {
    const asked = await findByCode(tx, code);
    if (!asked || asked.clientId !== call.client.id) throw new OAuthError('invalid_grant', INVALID_CODE);
    if (asked.sessionId !== undefined) {
      await revokeFamily(tx, asked.sessionId, now);
      const traits = { session_id: asked.sessionId };
      if (asked.userId !== undefined)
        await recordAct(tx, request, { action: 'token_revoked', actor: asked.userId, traits }, now);
      return 'replayed';
    }
    validateExchange(asked, call.form, now);
    const user = await findOwner(tx, asked, now);
    const program = { clientId: call.client.id, scope: asked.scope, resource: asked.resource };
    const opened = await openProgramSession(tx, { userId: user.id, program, device: deviceOf(request) }, now);
    await useUpCode(tx, { id: asked.id, sessionId: opened.session.id });
    await endSurplusSessions(tx, { userId: user.id, clientId: call.client.id });
    return { user, opened, nonce: asked.nonce };
  });
  // Thrown out here, so that the end of what the code has become is committed: one of the two who had it is a thief.
  if (granted === 'replayed') throw new OAuthError('invalid_grant', INVALID_CODE);
  return granted;
}

/** Nothing is used up by an exchange that fails: whoever has seen a code cannot spoil it for its program. */
function validateExchange(asked: Authorization, form: Form, now: Date): void {
  if (asked.expiresAt <= now) throw new OAuthError('invalid_grant', 'Authorization code has expired');
  // OAuth 2.1 leaves it out, OAuth 2.0 asks for it: where it comes, it is the one that was asked with.
  if (form['redirect_uri'] !== undefined && form['redirect_uri'] !== asked.redirectUri)
    throw new OAuthError('invalid_grant', 'Invalid redirect_uri');
  if (!matchesChallenge({ challenge: asked.challenge, method: 's256' }, form['code_verifier'] ?? ''))
    throw new OAuthError('invalid_grant', 'PKCE verification failed');
  if (form['resource'] !== undefined && form['resource'] !== asked.resource)
    throw new OAuthError('invalid_target', 'resource is not the one that was asked for');
}

async function findOwner(tx: Transaction, { userId }: Authorization, now: Date): Promise<UserRow> {
  const user = userId === undefined ? undefined : await findUser(tx, { id: userId });
  if (!user) throw new OAuthError('invalid_grant', INVALID_CODE);
  if (isBanned(user, now)) throw new OAuthError('access_denied', 'User is banned');
  return user;
}

const INVALID_TOKEN = 'Refresh token is invalid or expired.';
const ENDED: ReadonlySet<AuthErrorCode> = new Set<AuthErrorCode>([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_not_found',
  'session_expired',
]);

async function renew(context: AuthContext, request: AuthRequest, { client, form }: Call): Promise<Granted> {
  const { refresh_token: token = '', scope, resource } = form;
  if (token === '') throw new OAuthError('invalid_request', 'refresh_token is required');
  const { user, opened } = await refreshSession(context, {
    token,
    ip: request.ip,
    clientId: client.id,
    // Before anything is exchanged: a program that asks for too much keeps what it has.
    validate: (program) => validateRenewal(program, { scope, resource }),
  }).catch((error: unknown) => {
    if (!(error instanceof AuthError)) throw error;
    if (ENDED.has(error.code)) throw new OAuthError('invalid_grant', INVALID_TOKEN);
    if (error.code === 'user_banned') throw new OAuthError('access_denied', 'User is banned');
    throw error;
  });
  return { user, opened, nonce: undefined };
}

/** RFC 6749, section 6: no more than was given. What was given stays one thing: less is asked for with a new consent. */
function validateRenewal(
  program: Program | undefined,
  { scope, resource }: { readonly scope: string | undefined; readonly resource: string | undefined },
): void {
  const words = scope?.split(' ').filter((word) => word !== '') ?? [];
  if (words.length > 0 && !covers(program?.scope ?? '', words.join(' ')))
    throw new OAuthError('invalid_scope', 'scope exceeds what was granted');
  if (resource !== undefined && resource !== program?.resource)
    throw new OAuthError('invalid_target', 'resource is not the one that was asked for');
}

/** RFC 6749, section 5.1: the tokens, and no word about the person beyond them. */
async function present(
  context: AuthContext,
  client: OAuthClient,
  { user, opened, nonce }: Granted,
): Promise<Readonly<Record<string, unknown>>> {
  const scope = opened.session.program?.scope ?? '';
  const tokens = await presentSession(context, user, opened);
  const { access_token, token_type, expires_in, refresh_token } = tokens;
  const accessTokenHash = createHash('sha256').update(access_token).digest().subarray(0, 16);
  return {
    access_token,
    token_type,
    expires_in,
    ...(client.grantTypes.includes('refresh_token') ? { refresh_token } : {}),
    scope,
    ...(covers(scope, 'openid')
      ? {
          id_token: await signIdToken(context, {
            client,
            user,
            session: opened.session,
            nonce,
            accessTokenHash,
          }),
        }
      : {}),
  };
}
