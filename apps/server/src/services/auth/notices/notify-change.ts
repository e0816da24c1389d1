import type { NoticeKind } from '../../../kernel/settings.ts';
import type { AuthContext } from '../auth-context.ts';
import { notifyByHook } from '../hooks/send-email.ts';
import type { UserRow } from '../stores/users.ts';
import { composeNotice, type NoticeFacts } from './notice-mails.ts';

export type Notice = NoticeFacts & {
  readonly kind: NoticeKind;
  /** As it is now. */
  readonly user: UserRow;
};

/**
 * Mails the owner of an account about a change that has happened, where the operator wants that. Call it after the transaction has ended.
 * Nobody waits for it, and a mail that cannot be sent undoes nothing. Only a proven address is written to: of a changed one, the old one.
 */
export function notifyChange(context: AuthContext, { kind, user, ...facts }: Notice): void {
  const { settings, mailer, templates, limits, background } = context;
  const to = facts.oldEmail ?? user.email;
  if (!settings.notices.includes(kind) || !to || !user.email_confirmed_at) return;
  background.run(`a mail about ${kind}`, async () => {
    // Whoever is in somebody's account must not fill its mailbox.
    if (!(await limits.takeNotice(kind, to))) return;
    if (settings.hooks.send_email) await notifyByHook(context, { kind, user, ...facts });
    else {
      const name = `${kind}_notification`;
      const override = await templates.load(name, settings.mailOverrides[name] ?? {});
      await mailer.send(composeNotice(settings, kind, override, { to, email: user.email ?? '', ...facts }));
    }
  });
}
