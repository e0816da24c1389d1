import { isUuid } from '@linkoteca/domain/uuid';
import type { Transaction } from '../../kernel/database.ts';
import type { Claims } from '../../kernel/keyring.ts';
import type { AuthContext, AuthRequest } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import {
  type FoundSession,
  findAccountAndSession,
  findSession,
  findSessionEnd,
  type Program,
} from './stores/sessions.ts';
import type { UserRow } from './stores/users.ts';
import { isBanned } from './user-state.ts';

export type SignedIn = {
  readonly user: UserRow;
  /** Undefined for a token that an operator signed without one. */
  readonly session: FoundSession | undefined;
};

const BEARER = /^bearer (\S+)$/i;
const OPERATOR_ROLES: readonly unknown[] = ['service_role', 'supabase_admin'];

/**
 * Tells whose request this is. A program that acts for somebody is nobody here: what it may be told, `authenticateProgram` tells it.
 * The account and the session are looked up each time: the token of a session that is over, by a
 * sign-out or by its time, is refused here at once, though it has not expired.
 * @throws no_authorization, bad_jwt, user_not_found, session_not_found, user_banned, insufficient_scope
 */
export async function authenticate(context: AuthContext, request: AuthRequest): Promise<SignedIn> {
  const signedIn = await identify(context, request);
  if (signedIn.session?.program) throw new AuthError('insufficient_scope');
  return signedIn;
}

/**
 * For whom a program asks, and as which program.
 * @throws as `authenticate`; bad_jwt for a token that is no program's, or not for asking
 */
export async function authenticateProgram(
  context: AuthContext,
  request: AuthRequest,
): Promise<{ readonly user: UserRow; readonly session: FoundSession; readonly program: Program }> {
  const { client_id: clientId } = readClaims(context, request);
  const { user, session } = await identify(context, request);
  // An ID token tells a program who somebody is. It is signed with the same key, and has no such claim.
  if (!session?.program || clientId !== session.program.clientId) throw new AuthError('bad_jwt');
  return { user, session, program: session.program };
}

async function identify(context: AuthContext, request: AuthRequest): Promise<SignedIn> {
  const { sub, session_id: sessionId } = readClaims(context, request);
  if (typeof sub !== 'string' || sub === '')
    throw new AuthError('bad_jwt', { message: 'invalid claim: missing sub claim' });
  if (!isUuid(sub))
    throw new AuthError('bad_jwt', { status: 400, message: 'invalid claim: sub claim must be a UUID' });
  const hasSession = sessionId !== undefined && sessionId !== '';
  if (hasSession && !isUuid(sessionId))
    throw new AuthError('bad_jwt', { message: 'invalid claim: session_id claim must be a UUID' });

  const { user, session } = await findAccountAndSession(context.db, {
    userId: sub,
    sessionId: hasSession ? sessionId : undefined,
  });
  if (!user)
    throw new AuthError('user_not_found', {
      status: 403,
      message: 'User from sub claim in JWT does not exist',
    });
  if (hasSession && (session?.userId !== user.id || findSessionEnd(session, context.settings, context.now())))
    throw new AuthError('session_not_found');
  if (isBanned(user, context.now())) throw new AuthError('user_banned');
  return { user, session };
}

/** @throws no_authorization, bad_jwt, not_admin */
export function requireOperator(context: AuthContext, request: AuthRequest): void {
  if (!OPERATOR_ROLES.includes(readClaims(context, request)['role'])) throw new AuthError('not_admin');
}

/** Operators are trusted: rate limits are not for them. */
export function isOperator(context: AuthContext, { headers }: Pick<AuthRequest, 'headers'>): boolean {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  const verified = token === undefined ? undefined : context.keyring.verify(token, context.now());
  return verified?.ok === true && !verified.isForeign && OPERATOR_ROLES.includes(verified.claims['role']);
}

function readClaims({ keyring, now }: AuthContext, { headers }: AuthRequest): Claims {
  const [, token] = BEARER.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw new AuthError('no_authorization');
  const verified = keyring.verify(token, now());
  if (verified.ok && !verified.isForeign) return verified.claims;
  // A third party's person has no account here.
  const reason = verified.ok ? 'bad_signature' : verified.reason;
  const why =
    reason === 'expired' ? 'token has invalid claims: token is expired' : reason.replaceAll('_', ' ');
  throw new AuthError('bad_jwt', {
    message: `invalid JWT: unable to parse or verify signature, ${why}`,
  });
}

/**
 * For what is under way: whoever was signed out since they were let in, as by a change of password, changes nothing any more. Behind the
 * account's lock.
 * @throws AuthError session_not_found
 */
export async function requireOpenSession(tx: Transaction, session: FoundSession | undefined): Promise<void> {
  const found = session && (await findSession(tx, session.id));
  if (session && found?.isOver !== false) throw new AuthError('session_not_found');
}
