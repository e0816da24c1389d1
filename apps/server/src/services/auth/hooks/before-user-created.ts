import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { presentUser } from '../present/present-user.ts';
import type { UserRow } from '../stores/users.ts';
import { callHook } from './call-hook.ts';

/**
 * Asks the operator's hook whether an account may be opened, where there is one. Call it before the transaction that opens it.
 * @param user as it would be
 * @throws what the hook refuses with, in its words; as `callHook`
 */
export async function askBeforeUserCreated(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  { ip }: Pick<AuthRequest, 'ip'>,
  user: UserRow,
): Promise<void> {
  const hook = context.settings.hooks.before_user_created;
  if (hook) await callHook(context, 'before_user_created', hook, { input: { user: presentUser(user) }, ip });
}

/**
 * Whether an account may be opened for somebody who asks for a code or a link. Asked for every address and number, and the refusal is told to
 * nobody: the answer is the same for whoever has an account, and signs in.
 * @param user as it would be
 */
export async function isWelcome(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  request: Pick<AuthRequest, 'ip'>,
  user: UserRow,
): Promise<boolean> {
  if (!context.settings.signUpEnabled) return false;
  try {
    await askBeforeUserCreated(context, request, user);
    return true;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    if (error.status >= 500) context.logger.error({ err: error.cause ?? error }, 'auth: a hook failed');
    return false;
  }
}
