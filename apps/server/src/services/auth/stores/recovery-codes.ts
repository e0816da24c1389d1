import type { Transaction } from '../../../kernel/database.ts';

/** How many codes a set has, and how many of them are left. */
export async function countRecoveryCodes(
  tx: Transaction,
  factorId: string,
): Promise<{ readonly total: number; readonly remaining: number }> {
  const { rows } = await tx.query<{ total: number; remaining: number }>({
    name: 'auth_count_recovery_codes',
    text: `select count(*)::int as total, count(*) filter (where used_at is null)::int as remaining
      from auth.mfa_recovery_codes where factor_id = $1`,
    values: [factorId],
  });
  return rows[0] ?? { total: 0, remaining: 0 };
}

/** Puts a set in place of whatever the factor had. */
export async function replaceRecoveryCodes(
  tx: Transaction,
  { factorId, hashes }: { readonly factorId: string; readonly hashes: readonly string[] },
): Promise<void> {
  await tx.query({
    name: 'auth_forget_recovery_codes',
    text: 'delete from auth.mfa_recovery_codes where factor_id = $1',
    values: [factorId],
  });
  await tx.query({
    name: 'auth_insert_recovery_codes',
    text: 'insert into auth.mfa_recovery_codes (factor_id, code_hash) select $1, unnest($2::text[])',
    values: [factorId, hashes],
  });
}

/** Uses a code up. @returns false when there is none like it, or it was used before */
export async function takeRecoveryCode(
  tx: Transaction,
  { factorId, hash }: { readonly factorId: string; readonly hash: string },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_take_recovery_code',
    text: `update auth.mfa_recovery_codes set used_at = $3
      where factor_id = $1 and code_hash = $2 and used_at is null`,
    values: [factorId, hash, now],
  });
  return rowCount === 1;
}

/** Whether a code, used or not, is one of its set's: the codes of a set that was replaced are none. */
export async function hasRecoveryCode(
  tx: Transaction,
  { factorId, hash }: { readonly factorId: string; readonly hash: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'auth_has_recovery_code',
    text: 'select from auth.mfa_recovery_codes where factor_id = $1 and code_hash = $2',
    values: [factorId, hash],
  });
  return rowCount === 1;
}
