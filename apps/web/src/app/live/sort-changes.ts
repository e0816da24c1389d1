import type { ReceivedShare } from '../../features/categories/api/list-received-shares.ts';
import { receivedSharesKey } from '../../features/categories/api/list-received-shares.ts';
import { newestOf, type TableChange } from '../../shared/lib/realtime/table-change.ts';
import type { LiveScope } from './live-scope.ts';

/** Changes by what they concern. */
export interface SortedChanges {
  readonly folders: readonly TableChange[];
  /** One's own. */
  readonly categories: readonly TableChange[];
  /** One's own and, of a category that one received, its owner's. */
  readonly links: readonly TableChange[];
  readonly ownLinks: readonly TableChange[];
  /** Of what others share: the categories, and that they share them. */
  readonly received: readonly TableChange[];
  /** Whom the person invites to their own categories. */
  readonly invitations: readonly TableChange[];
  readonly subscriptions: readonly TableChange[];
}

/** Sorts changes by what they concern; each part keeps their order. */
export function sortChanges(scope: LiveScope, changes: readonly TableChange[]): SortedChanges {
  const { queryClient, userId, email } = scope;
  const known = queryClient.getQueryData<readonly ReceivedShare[]>(receivedSharesKey(email)) ?? [];
  const receivedIds = new Set(known.map(({ id }) => id));
  const of = (table: string) => changes.filter((change) => change.table === table);
  // A deletion may tell no more than the key.
  const isReceived = (change: TableChange) => {
    const owner = newestOf(change)['user_id'];
    return typeof owner === 'string' ? owner !== userId : receivedIds.has(change.id);
  };
  // Where a deletion tells the key alone, it may be of either kind: both are asked for again.
  const mayBe = (change: TableChange, kind: 'invitation' | 'received') => {
    const invited = newestOf(change)['email'];
    return typeof invited !== 'string' || (invited === email) === (kind === 'received');
  };
  const shares = of('shared_with');
  const links = of('links');
  return {
    folders: of('folders'),
    categories: of('categories').filter((change) => !isReceived(change)),
    links,
    ownLinks: links.filter((change) => (newestOf(change)['user_id'] ?? userId) === userId),
    received: [
      ...of('categories').filter(isReceived),
      ...shares.filter((change) => mayBe(change, 'received')),
    ],
    invitations: shares.filter((change) => mayBe(change, 'invitation')),
    subscriptions: of('subscribers'),
  };
}
