import pg from 'pg';
import type { Statement, Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';
import { setPhoneIdentity } from './identities.ts';
import { type Claim, forgetMailedTokens } from './one-time-tokens.ts';

/** What the typed code stands for; everybody else's claim on the number ends. */
type Confirmation = { readonly claim?: Claim | undefined };

/** Notes that the account's number has been proven, and makes the password and data of that proof the account's. */
export async function confirmPhone(
  tx: Transaction,
  { userId, phone }: { readonly userId: string; readonly phone: string },
  now: Date,
  { claim = {} }: Confirmation = {},
): Promise<void> {
  await tx.query({
    name: 'auth_confirm_phone',
    text: `update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, $2), is_anonymous = false, updated_at = $2,
        encrypted_password = coalesce($3, encrypted_password),
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}'::jsonb) || coalesce($4::jsonb, '{}'::jsonb)
      where id = $1`,
    values: [userId, now, claim.passwordHash ?? null, claim.userMetadata ?? null],
  });
  await setPhoneIdentity(tx, { userId, phone, proven: true }, now);
  await forgetMailedTokens(tx, userId);
}

/**
 * Gives an account another number, in its row and in its phone identity. One that was opened anonymously is an account like any other
 * once the number is proven.
 * @param proven whether its owner has typed a code sent there; an unproven one leaves the account as confirmed as it was.
 * @throws phone_exists when somebody has it
 */
export async function changePhone(
  tx: Transaction,
  { userId, phone, proven }: { readonly userId: string; readonly phone: string; readonly proven: boolean },
  now: Date,
): Promise<void> {
  await writePhone(tx, {
    name: 'auth_change_phone',
    text: `update auth.users set phone = $2, phone_confirmed_at = case when $4 then coalesce(phone_confirmed_at, $3) else phone_confirmed_at end,
        phone_change = '', is_anonymous = is_anonymous and not $4, updated_at = $3
      where id = $1`,
    values: [userId, phone, now, proven],
  });
  await setPhoneIdentity(tx, { userId, phone, proven }, now);
  await tx.query({
    name: 'auth_forget_phone_codes',
    // What went to the old number opens nothing any more.
    text: `delete from auth.mailed_tokens where user_id = $1 and position('@' in email) = 0`,
    values: [userId],
  });
}

/** Notes which number an account is to have, once it is proven. */
export async function startPhoneChange(
  tx: Transaction,
  { userId, phone }: { readonly userId: string; readonly phone: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_start_phone_change',
    text: 'update auth.users set phone_change = $2, updated_at = $3 where id = $1',
    values: [userId, phone, now],
  });
}

async function writePhone(tx: Transaction, statement: Statement): Promise<void> {
  try {
    await tx.query(statement);
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.constraint === 'users_phone_key')
      throw new AuthError('phone_exists', { cause });
    throw cause;
  }
}
