import type { Transaction } from '../../kernel/database.ts';
import type { AuthContext } from './auth-context.ts';
import { isMereClaim } from './is-mere-claim.ts';
import { mailAddressTaken, mailToken } from './mail-token.ts';
import { findUser } from './stores/find-user.ts';
import { issueMailedToken, type MailedToken } from './stores/issue-mailed-token.ts';
import type { UserRow } from './stores/user-row.ts';
import type { GiveBack } from './with-mail-allowance.ts';

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
  },
  now: Date,
): Promise<EmailChange> {
  const { user, newEmail, flowId } = change;
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
  const token = { userId: user.id, flowId };
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
  const isTaken = owner !== undefined && owner.id !== user.id && !isMereClaim(owner);
  return { user, newEmail, toNew, toCurrent, isTaken };
}

/** Mails the links of a change to the addresses that have to agree. What the person sees is the same for an address that is taken. */
export async function mailEmailChange(
  context: AuthContext,
  { user, newEmail, toNew, toCurrent, isTaken }: EmailChange,
  { redirectTo, giveBack }: { readonly redirectTo: string; readonly giveBack: GiveBack },
): Promise<void> {
  const email = user.email ?? '';
  const mail = { link: 'email_change', redirectTo, newEmail, giveBack } as const;
  if (toCurrent)
    await mailToken(context, { ...mail, letter: 'email_change_current', to: email, token: toCurrent });
  if (isTaken) await mailAddressTaken(context, { to: newEmail, giveBack });
  else await mailToken(context, { ...mail, letter: 'email_change_new', to: newEmail, token: toNew });
}
