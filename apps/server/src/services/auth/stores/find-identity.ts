import type { Transaction } from '../../../kernel/database.ts';
import type { ProviderProfile } from '../providers/provider-profile.ts';

export type FoundIdentity = {
  readonly userId: string;
  /** What the provider said the last time. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Finds the account of a provider's person. Whoever else asks for the same person waits until the transaction ends: of two browsers
 * that come back at once, the second sees what the first did.
 */
export async function findIdentity(
  tx: Transaction,
  { provider, subject }: Pick<ProviderProfile, 'provider' | 'subject'>,
): Promise<FoundIdentity | undefined> {
  await tx.query({
    name: 'auth_lock_identity',
    text: `select pg_advisory_xact_lock(hashtextextended('auth.identities ' || $1::text || ' ' || $2::text, 0))`,
    values: [provider, subject],
  });
  const { rows } = await tx.query<{ user_id: string; identity_data: Record<string, unknown> }>({
    name: 'auth_find_identity',
    text: 'select user_id, identity_data from auth.identities where provider = $1 and provider_id = $2',
    values: [provider, subject],
  });
  const [row] = rows;
  return row && { userId: row.user_id, data: row.identity_data };
}
