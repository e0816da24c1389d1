import { useMemo } from 'react';
import { usePlan } from '../../../features/account/api/subscription.ts';
import {
  type ReceivedFolder,
  useReceivedFolders,
} from '../../../features/categories/api/list-received-folders.ts';
import {
  orderByOpening,
  type ReceivedShare,
  useReceivedShares,
} from '../../../features/categories/api/list-received-shares.ts';

const NONE: readonly never[] = [];

/**
 * What others share with the person, and which of it their plan opens: of what is shared by category alone on the free plan the chosen
 * one, else the earliest; shared folders open on every plan.
 */
export function useReceivedAccess(): {
  /** Categories, those of shared folders among them, each once. */
  readonly shares: readonly ReceivedShare[];
  readonly folders: readonly ReceivedFolder[];
  /** All that others share is known. */
  readonly isRead: boolean;
  /** Asks again for what could not be read and is not cached either; undefined while all is well. */
  readonly retry: (() => void) | undefined;
  /** The shared folder that a category is in. */
  readonly folderOf: (categoryId: string) => ReceivedFolder | undefined;
  /** 'unknown' while it hangs on a plan, or on shared folders, that are still on their way. */
  readonly accessOf: (categoryId: string) => 'open' | 'limited' | 'unknown';
} {
  const lists = [useReceivedShares(), useReceivedFolders()] as const;
  const byCategory = lists[0].data ?? NONE;
  const folders = lists[1].data ?? NONE;
  const unread = lists.filter(({ data }) => data === undefined);
  const { plan, failed } = usePlan();
  const { shares, folderById, placeById } = useMemo(() => {
    const folderById = new Map(folders.flatMap((folder) => folder.categories.map(({ id }) => [id, folder])));
    const alone = byCategory.filter(({ id }) => !folderById.has(id));
    return {
      shares: [...alone, ...folders.flatMap(({ categories }) => categories)],
      folderById,
      placeById: new Map(orderByOpening(alone).map(({ id }, place) => [id, place])),
    };
  }, [byCategory, folders]);
  const accessOf = (categoryId: string) => {
    const place = placeById.get(categoryId) ?? 0;
    if (place === 0) return 'open';
    if (plan === null) return failed ? 'open' : 'unknown';
    if (plan.maxReceivedShares === null || place < plan.maxReceivedShares) return 'open';
    return lists[1].data ? 'limited' : 'unknown';
  };
  return {
    shares,
    folders,
    isRead: unread.length === 0,
    // While it is asked for again, too: what failed is counted until it succeeds.
    retry: unread.some(({ errorUpdateCount }) => errorUpdateCount > 0)
      ? () => {
          for (const { refetch } of unread) void refetch();
        }
      : undefined,
    folderOf: (categoryId) => folderById.get(categoryId),
    accessOf,
  };
}
