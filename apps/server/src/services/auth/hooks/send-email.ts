import type { NoticeKind } from '../../../kernel/settings.ts';
import type { AuthContext } from '../auth-context.ts';
import { presentUser } from '../present/present-user.ts';
import type { MailedToken } from '../stores/one-time-tokens.ts';
import type { UserRow } from '../stores/users.ts';
import { callHook } from './call-hook.ts';

/** What would be mailed, as the platform names it. */
export type EmailAction =
  | 'signup'
  | 'invite'
  | 'magiclink'
  | 'recovery'
  | 'email_change'
  | 'reauthentication';

export type HookedEmail = {
  readonly user: UserRow;
  readonly action: EmailAction;
  readonly token: MailedToken;
  /** Of the account's current address, where a change asks both; `token` is then the new one's. */
  readonly toCurrent?: MailedToken | undefined;
  readonly redirectTo: string;
};

/**
 * Has the operator's hook mail a token. Call it instead of writing a mail.
 * @throws as `callHook`
 */
export async function sendByHook(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  email: HookedEmail,
): Promise<void> {
  const hook = context.settings.hooks.send_email;
  if (!hook) throw new Error('there is no hook that sends mails');
  const input = { user: presentUser(email.user), email_data: describe(context.settings.siteUrl, email) };
  await callHook(context, 'send_email', hook, { input });
}

/** The names of a change's hashes are crossed, on the platform as well: `token_hash_new` goes with `token`, to the current address. */
function describe(siteUrl: string, { action, token, toCurrent, redirectTo }: HookedEmail) {
  return {
    token: toCurrent?.code ?? token.code,
    token_hash: token.tokenHash,
    redirect_to: redirectTo,
    email_action_type: action,
    site_url: `${siteUrl}/auth/v1`,
    token_new: toCurrent ? token.code : '',
    token_hash_new: toCurrent?.tokenHash ?? '',
    old_email: '',
    old_phone: '',
    provider: '',
    factor_type: '',
  };
}

export type HookedNotice = {
  readonly user: UserRow;
  readonly kind: NoticeKind;
  readonly oldEmail?: string;
  readonly oldPhone?: string;
  readonly provider?: string;
  readonly factorType?: string;
};

/**
 * Has the operator's hook mail about a change that has happened.
 * @throws as `callHook`
 */
export async function notifyByHook(
  context: Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>,
  { user, kind, oldEmail = '', oldPhone = '', provider = '', factorType = '' }: HookedNotice,
): Promise<void> {
  const { hooks, siteUrl } = context.settings;
  if (!hooks.send_email) throw new Error('there is no hook that sends mails');
  const data = {
    token: '',
    token_hash: '',
    redirect_to: siteUrl,
    email_action_type: `${kind}_notification`,
    site_url: `${siteUrl}/auth/v1`,
    token_new: '',
    token_hash_new: '',
    old_email: oldEmail,
    old_phone: oldPhone,
    provider,
    factor_type: factorType,
  };
  const input = { user: presentUser(user), email_data: data };
  await callHook(context, 'send_email', hooks.send_email, { input });
}
