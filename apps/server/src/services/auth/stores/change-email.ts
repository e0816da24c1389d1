import type { Transaction } from '../../../kernel/database.ts';

/**
 * Gives an account another address, in its row and in its e-mail identity.
 * @param proven whether its owner has followed a link sent there; an unproven one leaves the account as confirmed as it was.
 */
export async function changeEmail(
  tx: Transaction,
  { userId, email, proven }: { readonly userId: string; readonly email: string; readonly proven: boolean },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_change_email',
    text: `update auth.users set email = $2, email_confirmed_at = case when $4 then coalesce(email_confirmed_at, $3) else email_confirmed_at end, email_change = '',
        email_change_confirm_status = 0, updated_at = $3
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
      where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')`,
    values: [userId],
  });
}
