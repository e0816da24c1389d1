import { applyRowChanges } from '../../../shared/lib/realtime/apply-row-changes.ts';
import type { ChangedRow, TableChange } from '../../../shared/lib/realtime/table-change.ts';
import type { ListedCategory } from './category-rows.ts';
import type { LinkCountChange } from './count-links.ts';

/** What was heard that concerns one's own categories. */
interface CategoryNews {
  readonly changes: readonly TableChange[];
  /** A folder takes its categories along, whether or not they are named. */
  readonly goneFolderIds: ReadonlySet<string>;
  readonly linkCounts: LinkCountChange;
}

/** Puts what was heard of categories, and how many links they gained, into the list of them. */
export function applyCategoryNews(
  categories: readonly ListedCategory[],
  { changes, goneFolderIds, linkCounts }: CategoryNews,
): readonly ListedCategory[] {
  const changed = applyRowChanges(categories, changes, readCategory);
  const kept = changed.some((row) => goneFolderIds.has(row.folder_id))
    ? changed.filter((row) => !goneFolderIds.has(row.folder_id))
    : changed;
  return kept.some((row) => linkCounts.get(row.id)) ? kept.map((row) => countIn(row, linkCounts)) : kept;
}

function countIn(row: ListedCategory, linkCounts: LinkCountChange): ListedCategory {
  const gained = linkCounts.get(row.id);
  return gained ? { ...row, link_count: Math.max(0, row.link_count + gained) } : row;
}

function readCategory(row: ChangedRow, known: ListedCategory | undefined): ListedCategory | null {
  const { id, name, description, folder_id, user_id, is_public, created_at, updated_at } = {
    ...known,
    ...row,
  };
  const texts = [id, name, folder_id, user_id, created_at, updated_at];
  if (!texts.every((value) => typeof value === 'string')) return null;
  return {
    id,
    name,
    description: description ?? null,
    folder_id,
    user_id,
    is_public: is_public === true,
    created_at,
    updated_at,
    link_count: known?.link_count ?? 0,
    // The list is no column of the row; publishing empties it.
    is_restricted: is_public !== true && known?.is_restricted === true,
  } as ListedCategory;
}
