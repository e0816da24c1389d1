import type { QueryClient } from '@tanstack/react-query';
import type { Category } from '../../../shared/lib/rows.ts';
import { optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';
import type { OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';

/** A category as the organiser lists it. */
export interface ListedCategory extends Category {
  readonly link_count: number;
  /** Whether anybody is invited to it. */
  readonly is_restricted: boolean;
  /** Whether it is shown in an order of its own. */
  readonly is_manual: boolean;
  /** Whether links that are saved without a choice go here. */
  readonly is_inbox: boolean;
}

/** Cache key of a user's own categories. */
export function categoryListKey(userId: string) {
  return ['categories', userId] as const;
}

/** The cached categories of a user, to be changed ahead of the server. */
export function categoryRows(queryClient: QueryClient, userId: string) {
  return optimisticRowList<ListedCategory>(queryClient, categoryListKey(userId));
}

/** Hides the categories of a folder that is being deleted. */
export function beginDropFolderContent(
  queryClient: QueryClient,
  userId: string,
  folderId: string,
): Promise<OptimisticWrite> {
  return categoryRows(queryClient, userId).beginDrop((row) => row.folder_id === folderId);
}
