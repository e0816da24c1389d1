import type { Transaction } from '../../kernel/database.ts';
import type { Mail } from '../../kernel/mail.ts';
import type { AuthContext } from './auth-context.ts';
import { AuthError } from './auth-error.ts';
import type { AuthSettings } from './auth-settings.ts';
import { type HookedEmail, sendByHook } from './hooks/send-email.ts';
import type { HostedMail } from './hosted-mail-templates.ts';
import type { GiveBack } from './mail-allowance.ts';
import { applyMailOverride } from './mail-overrides.ts';
import { composeMail, type MailTemplate, type NoticeTemplate } from './mail-templates.ts';
import { insertUser } from './stores/identities.ts';
import { issueMailedToken, type MailedToken } from './stores/one-time-tokens.ts';
import { findUser, type UserRow, validateMetadata } from './stores/users.ts';
import { isMereClaim } from './user-state.ts';

/** The word in a link's `type`, as clients and the platform spell it. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change';

/** The address a mail's button leads to: our own check first, then on to the application. */
export function buildMailLink(
  siteUrl: string,
  link: { readonly tokenHash: string; readonly type: LinkType; readonly redirectTo: string },
): string {
  const query = new URLSearchParams({ token: link.tokenHash, type: link.type });
  return `${siteUrl}/auth/v1/verify?${query}&redirect_to=${writeRedirect(link.redirectTo)}`;
}

/** As GoTrue writes it, which clients look for in a link: plain, unless something in it would end it there. */
function writeRedirect(address: string): string {
  const encoded = encodeURIComponent(address);
  return /[&=#]/.test(address) ? encoded : encoded.replaceAll('%3A', ':').replaceAll('%2F', '/');
}

/** The product's own page, where it spends the token itself, as its form is sent. */
const NEW_PASSWORD_PATH = '/change-password?by=token';

/**
 * Where a mail's button leads. A reset that the product's own page asked for goes there at once, and so does an invitation that names no
 * page: its receiver has no password yet. It works in any browser, and programs that open every link of a mail spend nothing.
 */
function buildButtonLink(siteUrl: string, link: Parameters<typeof buildMailLink>[1]): string {
  const page = `${siteUrl}${NEW_PASSWORD_PATH}`;
  const isOurs =
    link.type === 'recovery'
      ? link.redirectTo === page
      : link.type === 'invite' && [siteUrl, `${siteUrl}/`].includes(link.redirectTo);
  if (!isOurs) return buildMailLink(siteUrl, link);
  return `${page}&${new URLSearchParams({ token_hash: link.tokenHash, type: link.type })}`;
}

/** A mail with a one-time token in it. */
export type TokenMail = {
  readonly template: Exclude<MailTemplate, NoticeTemplate>;
  readonly to: string;
  readonly token: MailedToken;
  readonly link: LinkType;
  readonly redirectTo: string;
  readonly newEmail?: string;
  /** Whose token it is. Of a sign-up that waits for it, with what that says of the person. */
  readonly user: UserRow;
};

type MailContext = Pick<
  AuthContext,
  'db' | 'settings' | 'mailSender' | 'mailer' | 'templates' | 'now' | 'logger'
>;

/**
 * Mails a one-time token. Call it after the transaction that issued the token has ended.
 * @throws email_send_failed
 */
export async function mailToken(
  context: MailContext,
  { giveBack, ...mail }: TokenMail & { readonly giveBack: GiveBack },
): Promise<void> {
  const { settings } = context;
  if (!settings.hooks.send_email) return sendTokenMail(context, mail, giveBack);
  const { user, token, redirectTo } = mail;
  const action = mail.template === 'reauthenticate' ? 'reauthentication' : mail.link;
  await handToHook(context, { user, action, token, redirectTo }, giveBack);
}

async function sendTokenMail(
  { settings, mailSender, mailer, templates }: MailContext,
  mail: TokenMail,
  giveBack: GiveBack,
): Promise<void> {
  const name = HOSTED_NAMES[mail.template];
  const override = settings.mailOverrides[name];
  if (override?.contentAddress === undefined)
    return mailSender.send(composeTokenMail(settings, mail), giveBack);
  // Read while the mail is on its way: how long that takes must not tell who gets one.
  const over = async () => {
    const mailOverrides = { ...settings.mailOverrides, [name]: await templates.load(name, override) };
    await mailer.send(composeTokenMail({ ...settings, mailOverrides }, mail));
  };
  await mailSender.hand(name, over, giveBack);
}

/** A hook that fails is a mail server that fails: its words would tell who has an account. @throws email_send_failed */
function handToHook(context: MailContext, email: HookedEmail, giveBack: GiveBack): Promise<void> {
  return context.mailSender.hand(`hook: ${email.action}`, () => sendByHook(context, email), giveBack);
}

/** The mail in our words, or in the operator's. */
export function composeTokenMail(
  { siteUrl, mailedTokenLifetime, mailOverrides }: AuthSettings,
  mail: TokenMail,
): Mail {
  const { token, redirectTo } = mail;
  const facts = {
    link: buildButtonLink(siteUrl, { tokenHash: token.tokenHash, type: mail.link, redirectTo }),
    code: token.code,
    lifetime: mailedTokenLifetime,
    ...(mail.newEmail === undefined ? {} : { newEmail: mail.newEmail }),
  };
  const own = composeMail(mail.template, facts, mail.to);
  const override = mailOverrides[HOSTED_NAMES[mail.template]];
  if (!override) return own;
  const values = {
    ConfirmationURL: buildMailLink(siteUrl, { tokenHash: token.tokenHash, type: mail.link, redirectTo }),
    Token: token.code,
    TokenHash: token.tokenHash,
    SiteURL: siteUrl,
    Email: mail.user.email ?? '',
    NewEmail: mail.newEmail ?? '',
    SendingTo: mail.to,
    RedirectTo: redirectTo,
    Data: mail.user.raw_user_meta_data ?? {},
  };
  return { ...own, ...applyMailOverride(own, override, values) };
}

/** What the platform calls our mails with a link or a code. */
const HOSTED_NAMES: Readonly<Record<Exclude<MailTemplate, NoticeTemplate>, HostedMail>> = {
  confirm_sign_up: 'confirmation',
  magic_link: 'magic_link',
  reset_password: 'recovery',
  invite: 'invite',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
  reauthenticate: 'reauthentication',
};

/**
 * Tells the owner of an account that somebody wanted another with the same address. Whoever wanted it is not told: the answer is
 * that of a free address, and the mail is as much work as the one that a free address gets.
 * @throws email_send_failed
 */
export async function mailAddressTaken(
  { settings, mailSender }: Pick<AuthContext, 'settings' | 'mailSender'>,
  { to, giveBack }: { readonly to: string; readonly giveBack: GiveBack },
): Promise<void> {
  // The hook knows no such mail.
  if (settings.hooks.send_email) return mailSender.pretend();
  await mailSender.send(composeAddressTaken(settings, to), giveBack);
}

export function composeAddressTaken(
  { siteUrl, mailedTokenLifetime: lifetime }: AuthSettings,
  to: string,
): Mail {
  return composeMail('address_taken', { link: `${siteUrl}/login`, code: '', lifetime }, to);
}

/** Opens an account without a password, or takes up an unconfirmed one. @throws email_exists for a confirmed one */
export async function inviteUser(
  tx: Transaction,
  {
    email,
    data,
    codeLength,
  }: { readonly email: string; readonly data: Record<string, unknown>; readonly codeLength: number },
  now: Date,
): Promise<{ readonly userId: string; readonly token: MailedToken; readonly isNew: boolean }> {
  validateMetadata(data);
  const opened = await insertUser(tx, { email, passwordHash: '', userMetadata: data, invited: true }, now);
  const user = await findUser(tx, { email }, { lock: true });
  if (!user) throw new AuthError('conflict');
  if (user.email_confirmed_at) throw new AuthError('email_exists');
  await tx.query({
    text: 'update auth.users set invited_at = $2, updated_at = $2 where id = $1',
    values: [user.id, now],
  });
  const claim = { userMetadata: data };
  const token = await issueMailedToken(
    tx,
    { userId: user.id, type: 'confirmation_token', email, claim, codeLength },
    now,
  );
  return { userId: user.id, token, isNew: opened !== undefined };
}

export type EmailChange = {
  readonly user: UserRow;
  readonly newEmail: string;
  readonly toNew: MailedToken;
  /** Undefined when the new address alone decides. */
  readonly toCurrent: MailedToken | undefined;
  /** Somebody else has the new address: its mailbox is told so instead of being asked. */
  readonly isTaken: boolean;
};

/** Starts (again) to change an account's address: earlier agreements and links are void. */
export async function issueEmailChange(
  tx: Transaction,
  change: {
    readonly user: UserRow;
    readonly newEmail: string;
    readonly flowId: string | undefined;
    /** Ask the current address too. */
    readonly askCurrent: boolean;
    readonly codeLength: number;
  },
  now: Date,
): Promise<EmailChange> {
  const { user, newEmail, flowId, codeLength } = change;
  await tx.query({
    name: 'auth_start_email_change',
    text: `update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = $3
      where id = $1`,
    values: [user.id, newEmail, now],
  });
  await tx.query({
    name: 'auth_void_email_change',
    text: `delete from auth.mailed_tokens
      where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')`,
    values: [user.id],
  });
  const token = { userId: user.id, flowId, codeLength };
  const toNew = await issueMailedToken(
    tx,
    { ...token, type: 'email_change_token_new', email: newEmail },
    now,
  );
  const toCurrent =
    change.askCurrent && user.email
      ? await issueMailedToken(tx, { ...token, type: 'email_change_token_current', email: user.email }, now)
      : undefined;
  const owner = await findUser(tx, { email: newEmail });
  const isTaken = owner !== undefined && owner.id !== user.id && !isMereClaim(owner, now);
  return { user, newEmail, toNew, toCurrent, isTaken };
}

/** Mails the links of a change to the addresses that have to agree. What the person sees is the same for an address that is taken. */
export async function mailEmailChange(
  context: AuthContext,
  { user, newEmail, toNew, toCurrent, isTaken }: EmailChange,
  { redirectTo, giveBack }: { readonly redirectTo: string; readonly giveBack: GiveBack },
): Promise<void> {
  if (context.settings.hooks.send_email) {
    // One call for both. An address that is somebody's cannot be changed to, whatever its owner follows.
    const asked = { ...user, email_change: newEmail };
    const email = { user: asked, action: 'email_change', token: toNew, toCurrent, redirectTo } as const;
    return handToHook(context, email, giveBack);
  }
  const email = user.email ?? '';
  const mail = { link: 'email_change', redirectTo, newEmail, user, giveBack } as const;
  if (toCurrent)
    await mailToken(context, { ...mail, template: 'email_change_current', to: email, token: toCurrent });
  if (isTaken) await mailAddressTaken(context, { to: newEmail, giveBack });
  else await mailToken(context, { ...mail, template: 'email_change_new', to: newEmail, token: toNew });
}
