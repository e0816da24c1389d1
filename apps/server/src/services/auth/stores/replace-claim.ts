import type { Transaction } from '../../../kernel/database.ts';

/**
 * Gives an account that nobody has confirmed to the newest claim on its address: its password and data are those of the
 * request whose link is mailed last.
 *
 * The platform keeps the first claim's password. There, a stranger who signs up with your address before you do knows the
 * password of the account that you confirm later.
 */
export async function replaceClaim(
  tx: Transaction,
  claim: { readonly userId: string; readonly passwordHash: string; readonly userMetadata: object },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_replace_claim',
    text: `update auth.users set encrypted_password = $2, raw_user_meta_data = $3, updated_at = $4
      where id = $1 and email_confirmed_at is null`,
    values: [claim.userId, claim.passwordHash, claim.userMetadata, now],
  });
}
