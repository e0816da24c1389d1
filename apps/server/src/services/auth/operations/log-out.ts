import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import { closeSessions, type LogoutScope } from '../stores/close-sessions.ts';

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
  await asAuthAdmin(context.db, 'log out', (tx) =>
    closeSessions(tx, scope, { userId: user.id, sessionId: session?.id }),
  );
  return { status: 204 };
};
