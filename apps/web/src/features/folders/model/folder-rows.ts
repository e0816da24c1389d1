import type { QueryClient } from '@tanstack/react-query';
import type { Folder } from '../../../shared/lib/rows.ts';
import { optimisticRowList } from '../../../shared/lib/writes/optimistic-row-list.ts';

/** Cache key of a user's folders. */
export function folderListKey(userId: string) {
  return ['folders', userId] as const;
}

/** The cached folders of a user, to be changed ahead of the server. */
export function folderRows(queryClient: QueryClient, userId: string) {
  return optimisticRowList<Folder>(queryClient, folderListKey(userId));
}
