import type { Transaction } from '../../../kernel/database.ts';
import { forgetMailedTokens } from './forget-mailed-tokens.ts';
import type { Claim } from './issue-mailed-token.ts';

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
    text: `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, $2), updated_at = $2,
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
