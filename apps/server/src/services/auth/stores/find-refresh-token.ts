import type { Transaction } from '../../../kernel/database.ts';

export type RefreshTokenRow = {
  token: string;
  session_id: string | null;
  parent: string | null;
  revoked: boolean;
  /** When it was exchanged, once it has been. */
  updated_at: Date;
};

/** Finds a token by its text, or the newest token of a session that still stands. */
export async function findRefreshToken(
  tx: Transaction,
  by: { readonly token: string } | { readonly activeOf: string },
): Promise<RefreshTokenRow | undefined> {
  const [condition, value] =
    'token' in by ? ['token = $1', by.token] : ['session_id = $1::uuid and not revoked', by.activeOf];
  const { rows } = await tx.query<RefreshTokenRow>({
    text: `select token, session_id, parent, coalesce(revoked, false) as revoked, updated_at
      from auth.refresh_tokens where ${condition} order by id desc limit 1`,
    values: [value],
  });
  return rows[0];
}
