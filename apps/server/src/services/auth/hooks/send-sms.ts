import type { AuthContext } from '../auth-context.ts';
import { presentUser } from '../present/present-user.ts';
import type { UserRow } from '../stores/users.ts';
import { callHook } from './call-hook.ts';

export type HookedText = {
  readonly user: UserRow;
  /** Where the code goes: of a change, the new number. */
  readonly phone: string;
  readonly code: string;
  /** What the code is for, in the platform's words; `verification` unless said otherwise. */
  readonly smsType?: 'verification' | 'mfa';
};

/**
 * Has the operator's hook send a code. Call it instead of sending a text message.
 * @throws as `callHook`
 */
export async function textByHook(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  { user, phone, code, smsType = 'verification' }: HookedText,
): Promise<void> {
  const hook = context.settings.hooks.send_sms;
  if (!hook) throw new Error('there is no hook that sends text messages');
  const input = { user: presentUser(user), sms: { otp: code, sms_type: smsType, phone } };
  await callHook(context, 'send_sms', hook, { input });
}
