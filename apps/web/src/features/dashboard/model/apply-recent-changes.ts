import { insertNewestFirst } from '../../../shared/lib/newest-first.ts';
import type { TableChange } from '../../../shared/lib/realtime/table-change.ts';
import { RECENT_LINKS, type RecentLink } from '../api/list-recent-links.ts';

/**
 * Puts what was heard of one's own links into the list of the newest. One that goes leaves its place empty: who comes
 * after the last one has to be asked for.
 */
export function applyRecentChanges(
  links: readonly RecentLink[],
  changes: readonly TableChange[],
): readonly RecentLink[] {
  return changes.reduce<readonly RecentLink[]>((list, { operation, id, row }) => {
    const known = list.find((link) => link.id === id);
    if (operation === 'DELETE') return known ? list.filter((link) => link !== known) : list;
    const next = readRecentLink({ ...known, ...row });
    if (next === null || (known && isSame(known, next))) return list;
    return insertNewestFirst(list, next).slice(0, RECENT_LINKS);
  }, links);
}

function readRecentLink({ id, title, url, category_id, created_at }: Readonly<Record<string, unknown>>) {
  const whole = [id, title, url, category_id, created_at].every((value) => typeof value === 'string');
  return whole ? ({ id, title, url, category_id, created_at } as RecentLink) : null;
}

function isSame(one: RecentLink, other: RecentLink): boolean {
  return one.title === other.title && one.url === other.url && one.category_id === other.category_id;
}
