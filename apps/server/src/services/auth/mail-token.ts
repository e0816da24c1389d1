import type { AuthContext } from './auth-context.ts';
import { renderMail } from './mails/render-mail.ts';
import { type LetterKind, writeLetter } from './mails/write-letter.ts';
import type { MailedToken } from './stores/issue-mailed-token.ts';
import type { MailAllowance } from './with-mail-allowance.ts';

/** The word in a link's `type`, as clients and the platform spell it. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change';

/** The address a mail's button leads to: our own check first, then on to the application. */
export function buildMailLink(
  siteUrl: string,
  link: { readonly tokenHash: string; readonly type: LinkType; readonly redirectTo: string },
): string {
  const url = new URL(`${siteUrl}/auth/v1/verify`);
  url.searchParams.set('token', link.tokenHash);
  url.searchParams.set('type', link.type);
  url.searchParams.set('redirect_to', link.redirectTo);
  return url.href;
}

/**
 * Mails a one-time token. Call it after the transaction that issued the token has ended.
 * @throws email_send_failed
 */
export async function mailToken(
  { settings, postOffice, limits }: Pick<AuthContext, 'settings' | 'postOffice' | 'limits'>,
  mail: {
    readonly letter: LetterKind;
    readonly to: string;
    readonly token: MailedToken;
    readonly link: LinkType;
    readonly redirectTo: string;
    readonly newEmail?: string;
    /** Which allowance to give back when the mail does not leave. */
    readonly allowance: MailAllowance;
  },
): Promise<void> {
  const { token, redirectTo, allowance } = mail;
  const facts = {
    link: buildMailLink(settings.siteUrl, { tokenHash: token.tokenHash, type: mail.link, redirectTo }),
    code: token.code,
    lifetime: settings.mailedTokenLifetime,
    ...(mail.newEmail === undefined ? {} : { newEmail: mail.newEmail }),
  };
  await postOffice.deliver(renderMail(writeLetter(mail.letter, facts), mail.to), () =>
    limits.giveMailBack(allowance.kind, allowance.email),
  );
}
