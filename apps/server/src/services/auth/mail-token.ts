import type { AuthContext } from './auth-context.ts';
import { renderMail } from './mails/render-mail.ts';
import { type LetterKind, writeLetter } from './mails/write-letter.ts';
import type { MailedToken } from './stores/issue-mailed-token.ts';
import type { GiveBack } from './with-mail-allowance.ts';

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
  { settings, postOffice }: Pick<AuthContext, 'settings' | 'postOffice'>,
  mail: {
    readonly letter: LetterKind;
    readonly to: string;
    readonly token: MailedToken;
    readonly link: LinkType;
    readonly redirectTo: string;
    readonly newEmail?: string;
    readonly giveBack: GiveBack;
  },
): Promise<void> {
  const { token, redirectTo, giveBack } = mail;
  const facts = {
    link: buildMailLink(settings.siteUrl, { tokenHash: token.tokenHash, type: mail.link, redirectTo }),
    code: token.code,
    lifetime: settings.mailedTokenLifetime,
    ...(mail.newEmail === undefined ? {} : { newEmail: mail.newEmail }),
  };
  await postOffice.deliver(renderMail(writeLetter(mail.letter, facts), mail.to), giveBack);
}

/**
 * Tells the owner of an account that somebody wanted another with the same address. Whoever wanted it is not told: the answer is
 * that of a free address, and the mail is as much work as the one that a free address gets.
 * @throws email_send_failed
 */
export async function mailAddressTaken(
  { settings, postOffice }: Pick<AuthContext, 'settings' | 'postOffice'>,
  { to, giveBack }: { readonly to: string; readonly giveBack: GiveBack },
): Promise<void> {
  const facts = { link: `${settings.siteUrl}/login`, code: '', lifetime: settings.mailedTokenLifetime };
  await postOffice.deliver(renderMail(writeLetter('address_taken', facts), to), giveBack);
}
