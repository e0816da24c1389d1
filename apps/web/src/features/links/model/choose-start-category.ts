import type { CategoryGroup } from './category-groups.ts';
import { readLastCategory } from './last-category.ts';
import { UNMADE_CATEGORY } from './new-category.ts';

export interface StartCategory {
  /** Empty while none suggests itself. */
  readonly id: string;
  /** True for the one that was used last, which the person may not have in mind now. */
  readonly suggested: boolean;
}

/**
 * The category a new link starts in: the one on the screen, else the last one used, else the only one there is.
 * @param empty there is no category at all, and that is known.
 */
export function chooseStartCategory(
  userId: string,
  shownId: string | null,
  groups: readonly CategoryGroup[],
  empty: boolean,
): StartCategory {
  const ids = groups.flatMap(({ categories }) => categories.map(({ id }) => id));
  if (empty) return { id: UNMADE_CATEGORY, suggested: false };
  if (shownId !== null) return { id: shownId, suggested: false };
  const last = readLastCategory(userId);
  if (last !== null && ids.includes(last)) return { id: last, suggested: ids.length > 1 };
  return { id: ids.length === 1 ? (ids[0] ?? '') : '', suggested: false };
}
