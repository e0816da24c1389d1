import type { AuthContext, AuthRequest } from '../auth-context.ts';
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
