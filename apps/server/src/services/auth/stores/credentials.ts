import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Statement, Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import { forgetGrants } from '../oauth-server/grant-store.ts';
import { hasUnvouchedAddress } from '../user-state.ts';
import { forgetFactors } from './factors.ts';
import { forgetFlows } from './flows.ts';
import { addEmailIdentity } from './identities.ts';
import { type Claim, forgetMailedTokens } from './one-time-tokens.ts';
import { forgetPasskeys } from './passkeys.ts';
import { closeSessions } from './sessions.ts';
import { findUser, type UserRow } from './users.ts';

/**
 * Sets an account's password. Whoever was signed in elsewhere is signed out, links mailed before stop working, followed or not, and so
 * does a change of address or number that waits for its code: a person who changes the password because somebody else knows it is then
 * alone.
 */
export async function changePassword(
  tx: Transaction,
  change: {
    readonly userId: string;
    readonly passwordHash: string;
    readonly keepSession: string | undefined;
  },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_change_password',
    // Whoever knows the account's address could have a change of it sent again.
    text: `update auth.users set encrypted_password = $2, email_change = '', email_change_confirm_status = 0, updated_at = $3
      where id = $1`,
    values: [change.userId, change.passwordHash, now],
  });
  await closeSessions(tx, 'others', { userId: change.userId, sessionId: change.keepSession });
  await forgetMailedTokens(tx, change.userId);
  await forgetFlows(tx, change.userId);
}

/**
 * Gives an account another address, in its row and in its e-mail identity, which it gets if it has none. One that was opened anonymously
 * is an account like any other once the address is proven. What was mailed to the address from before opens it no longer; a sign-up
 * that waits for its link stays, since an operator who corrects its address may confirm it, too.
 * @param proven whether its owner has followed a link sent there; an unproven one leaves the account as confirmed as it was.
 * @throws email_exists when somebody gets it at this very moment
 */
export async function changeEmail(
  tx: Transaction,
  { userId, email, proven }: { readonly userId: string; readonly email: string; readonly proven: boolean },
  now: Date,
): Promise<void> {
  await addEmailIdentity(tx, { userId, email, proven }, now);
  await writeEmail(tx, {
    name: 'auth_change_email',
    text: `update auth.users set email = $2, email_confirmed_at = case when $4 then coalesce(email_confirmed_at, $3) else email_confirmed_at end, email_change = '',
        email_change_confirm_status = 0, is_anonymous = is_anonymous and not $4, updated_at = $3
      where id = $1`,
    values: [userId, email, now, proven],
  });
  await tx.query({
    name: 'auth_change_identity_email',
    text: `update auth.identities
      set identity_data = identity_data || jsonb_build_object('email', $2::text, 'email_verified', $4::boolean), updated_at = $3
      where user_id = $1 and provider = 'email'`,
    values: [userId, email, now, proven],
  });
  await tx.query({
    name: 'auth_forget_email_change',
    text: `delete from auth.mailed_tokens
      where user_id = $1 and (token_type in ('email_change_token_new', 'email_change_token_current')
        or (token_type <> 'confirmation_token' and position('@' in email) > 0 and email <> $2))`,
    values: [userId, email],
  });
}

/** Gives an account that has no address the one that another provider vouches for: it is an account like any other from then on. */
export async function setVouchedEmail(
  tx: Transaction,
  { userId, email }: { readonly userId: string; readonly email: string },
  now: Date,
): Promise<void> {
  await writeEmail(tx, {
    name: 'auth_set_vouched_email',
    text: `update auth.users set email = $2, email_confirmed_at = $3, email_change = '', email_change_confirm_status = 0,
        is_anonymous = false, updated_at = $3
      where id = $1`,
    values: [userId, email, now],
  });
  await forgetMailedTokens(tx, userId);
}

async function writeEmail(tx: Transaction, statement: Statement): Promise<void> {
  try {
    await tx.query(statement);
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.constraint === 'users_email_partial_key')
      throw new AuthError('email_exists', { cause });
    throw cause;
  }
}

type Confirmation = {
  /** What the followed link stands for; everybody else's claim on the address ends. */
  readonly claim?: Claim | undefined;
  /** Forget a password that was set before anybody had proven the address. */
  readonly dropPassword?: boolean;
};

/** Notes that the account's address has been proven, and makes the password and data of that proof the account's. */
export async function confirmEmail(
  tx: Transaction,
  userId: string,
  now: Date,
  { claim = {}, dropPassword = false }: Confirmation = {},
): Promise<void> {
  await tx.query({
    name: 'auth_confirm_email',
    text: `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, $2), is_anonymous = false, updated_at = $2,
        encrypted_password = coalesce($3, case when $4 then '' else encrypted_password end),
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}'::jsonb) || coalesce($5::jsonb, '{}'::jsonb)
      where id = $1`,
    values: [userId, now, claim.passwordHash ?? null, dropPassword, claim.userMetadata ?? null],
  });
  await tx.query({
    name: 'auth_confirm_identity',
    text: `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = $2
      where user_id = $1 and provider = 'email'`,
    values: [userId, now],
  });
  await forgetMailedTokens(tx, userId);
}

/**
 * Leaves an account that nobody has confirmed with nothing of whoever was in it: that may be a stranger who waits for the owner of its
 * address. Every way in goes, links in mails, programs that were let in, data, and a number that nobody has proven or that came with
 * somebody else's address. What an operator said with an invitation stays, as nobody else has written there yet.
 * @param keepFlow of the link that was followed just now
 */
export async function forgetUnprovenOwner(
  tx: Transaction,
  user: UserRow,
  { keepFlow }: { readonly keepFlow?: string | undefined },
  now: Date,
): Promise<void> {
  const keepsPhone = user.phone_confirmed_at !== null && !hasUnvouchedAddress(user);
  const keepsData = user.invited_at !== null && user.last_sign_in_at === null;
  await tx.query({
    name: 'auth_forget_unproven_owner',
    text: `update auth.users set encrypted_password = '', email_change = '', email_change_confirm_status = 0,
        phone = case when $3 then phone end, phone_confirmed_at = case when $3 then phone_confirmed_at end,
        raw_user_meta_data = case when $4 then raw_user_meta_data else '{}'::jsonb end, updated_at = $2
      where id = $1`,
    values: [user.id, now, keepsPhone, keepsData],
  });
  await tx.query({
    name: 'auth_drop_identities',
    text: `delete from auth.identities where user_id = $1 and not (provider = 'phone' and $2)`,
    values: [user.id, keepsPhone],
  });
  await forgetFactors(tx, user.id);
  await forgetPasskeys(tx, user.id);
  await closeSessions(tx, 'global', { userId: user.id, sessionId: undefined });
  await forgetGrants(tx, user.id);
  await forgetMailedTokens(tx, user.id);
  await forgetFlows(tx, user.id, { except: keepFlow });
}

/** Gives an account that nobody has confirmed to the person whose address it is, as a provider says; only that one leads to it then. */
export async function adoptUnconfirmed(tx: Transaction, user: UserRow, now: Date): Promise<void> {
  await forgetUnprovenOwner(tx, user, {}, now);
  await confirmEmail(tx, user.id, now);
}

/** Keeps an account's row but nothing by which its owner could be known or sign in; the address and the number are free again. */
export async function retireUser(tx: Transaction, userId: string, now: Date): Promise<void> {
  // Locked: what is linked to it at this moment is obscured as well.
  const user = await findUser(tx, { id: userId }, { lock: true });
  if (!user || user.deleted_at) return;
  await tx.query({
    text: `update auth.users set email = $2, encrypted_password = '', raw_user_meta_data = '{}', raw_app_meta_data = '{}',
        email_change = '', phone = null, phone_confirmed_at = null, deleted_at = $3, updated_at = $3
      where id = $1`,
    values: [userId, obscure(userId, user.email ?? ''), now],
  });
  for (const identity of user.identities)
    await tx.query({
      text: `update auth.identities set provider_id = $2, identity_data = '{}', updated_at = $3 where id = $1`,
      values: [identity.id, obscure(userId, identity.provider_id), now],
    });
  await forgetFactors(tx, userId);
  await forgetPasskeys(tx, userId);
  await closeSessions(tx, 'global', { userId, sessionId: undefined });
  await forgetMailedTokens(tx, userId);
}

function obscure(userId: string, value: string): string {
  return createHash('sha256')
    .update(userId + value)
    .digest('base64url');
}
