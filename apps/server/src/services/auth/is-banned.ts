import type { UserRow } from './stores/user-row.ts';

/** Deleted accounts that were kept on purpose are as shut as banned ones. */
export function isBanned({ banned_until, deleted_at }: UserRow, now: Date): boolean {
  return deleted_at !== null || (banned_until !== null && banned_until > now);
}
