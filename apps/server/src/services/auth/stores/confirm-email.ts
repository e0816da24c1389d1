import type { Transaction } from '../../../kernel/database.ts';

/**
 * Notes that the account's address has been proven.
 * @param dropPassword forget a password that was set by somebody who had not proven the address.
 */
export async function confirmEmail(
  tx: Transaction,
  userId: string,
  now: Date,
  { dropPassword = false }: { dropPassword?: boolean } = {},
): Promise<void> {
  await tx.query({
    name: 'auth_confirm_email',
    text: `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, $2), confirmation_token = '',
        encrypted_password = case when $3 then '' else encrypted_password end, updated_at = $2
      where id = $1`,
    values: [userId, now, dropPassword],
  });
  await tx.query({
    name: 'auth_confirm_identity',
    text: `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = $2
      where user_id = $1 and provider = 'email'`,
    values: [userId, now],
  });
}
