import type { Transaction } from '../../../kernel/database.ts';
import type { MailedTokenType } from './issue-mailed-token.ts';

export type TakenToken = { readonly userId: string; readonly type: MailedTokenType };

/**
 * Uses a one-time token up. Of two that come with the same one, the first to arrive gets it.
 * @param hashes any of which may be stored
 * @param lifetime seconds
 * @returns undefined when there is no such token, or it is too old.
 */
export async function takeMailedToken(
  tx: Transaction,
  wanted: { readonly hashes: readonly string[]; readonly types: readonly MailedTokenType[] },
  lifetime: number,
  now: Date,
): Promise<TakenToken | undefined> {
  const { rows } = await tx.query<{ user_id: string; token_type: MailedTokenType; issued_at: Date }>({
    name: 'auth_take_mailed_token',
    text: `delete from auth.one_time_tokens
      where token_hash = any($1::text[]) and token_type = any($2::auth.one_time_token_type[])
      returning user_id, token_type, created_at at time zone 'utc' as issued_at`,
    values: [wanted.hashes, wanted.types],
  });
  const [taken] = rows;
  if (!taken || now.getTime() >= taken.issued_at.getTime() + lifetime * 1000) return undefined;
  await tx.query({
    text: `update auth.users set ${taken.token_type} = '' where id = $1`,
    values: [taken.user_id],
  });
  return { userId: taken.user_id, type: taken.token_type };
}
