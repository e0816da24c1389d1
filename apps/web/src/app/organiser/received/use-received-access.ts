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
 * What others share with the person, and which of it their plan opens: of what is shared by category on the free plan the chosen one
 * alone, else the earliest; shared folders open on every plan.
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
  /** 'unknown' while it hangs on a plan that is still on its way. */
  readonly accessOf: (categoryId: string) => 'open' | 'limited' | 'unknown';
} {
  const lists = [useReceivedShares(), useReceivedFolders()] as const;
  const byCategory = lists[0].data ?? NONE;
  const folders = lists[1].data ?? NONE;
  const unread = lists.filter(({ data }) => data === undefined);
  const { plan, failed } = usePlan();
  const folderOf = (categoryId: string) =>
    folders.find(({ categories }) => categories.some(({ id }) => id === categoryId));
  const shares = useMemo(() => {
    const inFolders = folders.flatMap(({ categories }) => categories);
    const known = new Set(inFolders.map(({ id }) => id));
    return known.size === 0 ? byCategory : [...byCategory.filter(({ id }) => !known.has(id)), ...inFolders];
  }, [byCategory, folders]);
  const accessOf = (categoryId: string) => {
    if (folderOf(categoryId)) return 'open';
    const place = orderByOpening(byCategory).findIndex((share) => share.id === categoryId);
    if (place <= 0) return 'open';
    if (plan === null) return failed ? 'open' : 'unknown';
    return plan.maxReceivedShares === null || place < plan.maxReceivedShares ? 'open' : 'limited';
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
    folderOf,
    accessOf,
  };
}
