import type { Transaction } from '../../../kernel/database.ts';
import type { ProviderProfile } from '../providers/provider-profile.ts';

/** Notes what the provider says of a person today. */
export async function renewIdentity(
  tx: Transaction,
  { provider, subject, data }: ProviderProfile,
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'auth_renew_identity',
    text: `update auth.identities set identity_data = $3, updated_at = $4 where provider = $1 and provider_id = $2`,
    values: [provider, subject, data, now],
  });
}
