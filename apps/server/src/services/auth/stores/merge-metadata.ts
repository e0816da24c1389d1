import type { Transaction } from '../../../kernel/database.ts';
import { AuthError } from '../auth-error.ts';

/**
 * Access tokens carry both kinds of metadata in a header of every request, and servers refuse headers of more than 16 KiB:
 * more than this would lock its owner out.
 */
const MAX_BYTES = 4096;

/** @throws validation_failed when data of this size would not fit an access token. */
export function judgeMetadata(data: object): void {
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_BYTES)
    throw new AuthError('validation_failed', {
      message: `User metadata cannot be longer than ${MAX_BYTES} bytes`,
    });
}

/**
 * Adds data to what an account has; a key with null is removed.
 * @throws validation_failed when the result is too large.
 */
export async function mergeMetadata(
  tx: Transaction,
  {
    userId,
    column,
    data,
  }: { userId: string; column: 'raw_user_meta_data' | 'raw_app_meta_data'; data: object },
  now: Date,
): Promise<void> {
  judgeMetadata(data);
  const removed = Object.entries(data).flatMap(([key, value]) => (value === null ? [key] : []));
  const { rows } = await tx.query<{ merged: object }>({
    text: `update auth.users
      set ${column} = (coalesce(${column}, '{}'::jsonb) || $2::jsonb) - $3::text[], updated_at = $4
      where id = $1 returning ${column} as merged`,
    values: [userId, data, removed, now],
  });
  if (rows[0]) judgeMetadata(rows[0].merged);
}
