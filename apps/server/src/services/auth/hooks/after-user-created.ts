import type { AuthContext, AuthRequest } from '../auth-context.ts';
import { presentUser } from '../present/present-user.ts';
import type { UserRow } from '../stores/users.ts';
import { callHook } from './call-hook.ts';

/**
 * Tells the operator's hook that an account was opened, where there is one. Call it after the transaction that opened it. Nobody waits for
 * it, and what it answers changes nothing: how long a sign-up takes, and how it ends, must not tell whether it opened an account.
 */
export function tellUserCreated(context: AuthContext, { ip }: Pick<AuthRequest, 'ip'>, user: UserRow): void {
  const hook = context.settings.hooks.after_user_created;
  if (!hook) return;
  context.background.run('the hook after_user_created', async () => {
    await callHook(context, 'after_user_created', hook, { input: { user: presentUser(user) }, ip });
  });
}
