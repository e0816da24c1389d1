import type { OwnWrites } from '../../shared/lib/own-writes.ts';
import { newestOf, type TableChange } from '../../shared/lib/realtime/table-change.ts';

/**
 * `news`: somebody else did it, here or elsewhere. `echo`: this tab did it, and has counted it already; the row may have
 * got values that only the service knows. `stale`: the screen is further on.
 */
export type Verdict = 'news' | 'echo' | 'stale';

const KINDS = { INSERT: 'add', UPDATE: 'change', DELETE: 'drop' } as const;

/** A row that is so much older than its insertion was deleted once and has come back. Milliseconds. */
const RESTORED_MS = 2_000;

/** Tells this tab's own writes, which the feed brings back, from those of others. Each is recognised once. */
export function judgeChange(own: OwnWrites, change: TableChange): Verdict {
  const { table, operation, id } = change;
  const echo = own.takeEcho(table, KINDS[operation], id);
  if (own.isDropped(table, id) || (operation === 'DELETE' && echo)) return 'stale';
  const place = table === 'links' ? newestOf(change)['category_id'] : undefined;
  if (typeof place === 'string') {
    // Links go and come back with their category, without being named.
    if (own.isDropped('categories', place)) return 'stale';
    if (operation === 'INSERT' && isRestored(change) && own.isAdded('categories', place)) return 'echo';
  }
  return echo ? 'echo' : 'news';
}

/** Whether an inserted row is one that had been deleted. */
export function isRestored({ operation, row, committedAt }: TableChange): boolean {
  const createdAt = row['created_at'];
  if (operation !== 'INSERT' || typeof createdAt !== 'string') return false;
  return Date.parse(committedAt) - Date.parse(createdAt) > RESTORED_MS;
}
