import type { Transaction } from '../../../kernel/database.ts';
import type { ProviderProfile } from '../providers/provider-profile.ts';
import { mergeMetadata } from './merge-metadata.ts';
import type { UserRow } from './user-row.ts';

/**
 * Takes over what a provider says of a person, but never what the person has said here: a key is written when it is missing, or
 * still as this provider left it. The platform overwrites; there, a name that was changed in the profile is gone at the next sign-in.
 * @param before what the provider said the last time; empty at the first.
 */
export async function fillMetadata(
  tx: Transaction,
  user: Pick<UserRow, 'id' | 'raw_user_meta_data'>,
  { data }: ProviderProfile,
  before: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  const own = user.raw_user_meta_data ?? {};
  const news = Object.entries(data).filter(
    ([key, value]) =>
      JSON.stringify(own[key]) !== JSON.stringify(value) &&
      (own[key] === undefined || JSON.stringify(own[key]) === JSON.stringify(before[key])),
  );
  if (news.length === 0) return;
  const column = 'raw_user_meta_data';
  await mergeMetadata(tx, { userId: user.id, column, data: Object.fromEntries(news) }, now);
}
