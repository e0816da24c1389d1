import { isUuid } from '@linkoteca/domain/uuid';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate, requireOpenSession } from '../authenticate.ts';
import { requireSecondLevel } from '../factors/assurance.ts';
import { notifyChange } from '../notices/notify-change.ts';
import { requireLinking } from '../providers/sign-in.ts';
import { recordAct } from '../stores/audit-log.ts';
import { deleteIdentity, listProviders } from '../stores/identities.ts';
import { closeSessions, endBegunPhoneChange, type LogoutScope } from '../stores/sessions.ts';
import { findUser } from '../stores/users.ts';

const SCOPES: readonly string[] = ['global', 'local', 'others'] satisfies LogoutScope[];

function isScope(value: string): value is LogoutScope {
  return SCOPES.includes(value);
}

/** POST /logout: ends all sessions of the account, this one, or all others. */
export const logOut: Operation = async (context, request) => {
  const { scope = 'global' } = request.query;
  if (!isScope(scope))
    throw new AuthError('validation_failed', { message: `Unsupported logout scope "${scope}"` });
  const { user, session } = await authenticate(context, request);
  const sessions = { userId: user.id, sessionId: session?.id };
  await asAuthAdmin(context.db, 'log out', async (tx) => {
    // The one that asks ends last: what fails then can be asked for again.
    await closeSessions(tx, scope === 'global' ? 'others' : scope, sessions);
    await recordAct(tx, request, { action: 'logout', actor: user.id, traits: { scope } }, context.now());
  });
  if (scope !== 'local')
    await asAuthAdmin(context.db, 'end a change that was being begun', async (tx) => {
      await endBegunPhoneChange(tx, user.id);
      if (scope === 'global' && session) await closeSessions(tx, scope, sessions);
    });
  return { status: 204 };
};

/**
 * DELETE /user/identities/:identity_id: a person gives up one of several ways to sign in.
 * @throws manual_linking_disabled, insufficient_aal, validation_failed (404), identity_not_found, single_identity_not_deletable,
 *   email_conflict_identity_not_deletable, session_not_found for one that has ended meanwhile
 */
export const unlinkIdentity: Operation = async (context, request) => {
  const signedIn = await authenticate(context, request);
  requireLinking(context);
  // GoTrue asks it of a new factor, and of a change of address: a way in given up is one as well.
  requireSecondLevel(signedIn, { message: 'AAL2 required to unlink an identity' });
  const { identity_id: id } = request.params;
  if (!isUuid(id))
    throw new AuthError('validation_failed', { status: 404, message: 'identity_id must be an UUID' });
  const { user, provider } = await asAuthAdmin(context.db, 'unlink an identity', async (tx) => {
    // Locked: of two requests at once, the second finds the last identity and is refused.
    const user = await findUser(tx, { id: signedIn.user.id }, { lock: true });
    if (!user) throw new AuthError('identity_not_found');
    await requireOpenSession(tx, signedIn.session);
    // Asked first, as GoTrue does: whoever has one way in, or none, learns no more.
    if (user.identities.length < 2) throw new AuthError('single_identity_not_deletable');
    const identity = user.identities.find((one) => one.id === id);
    if (!identity) throw new AuthError('identity_not_found');
    await deleteIdentity(tx, { user, identity, trusting: !context.settings.confirmEmail }, context.now());
    const act = {
      action: 'identity_unlinked',
      actor: user.id,
      traits: { provider: identity.provider },
    } as const;
    await recordAct(tx, request, act, context.now());
    await listProviders(tx, user.id, context.now());
    return { user, provider: identity.provider };
  });
  // To the address that the account had until now: the one that it goes on under may be another's.
  notifyChange(context, { kind: 'identity_unlinked', user, provider });
  return { body: {} };
};
