import {
  type ReceivedFolder,
  receivedFoldersKey,
} from '../../features/categories/api/list-received-folders.ts';
import type { ReceivedShare } from '../../features/categories/api/list-received-shares.ts';
import { receivedSharesKey } from '../../features/categories/api/list-received-shares.ts';
import { categoryListKey, type ListedCategory } from '../../features/categories/model/category-rows.ts';
import { arrangedListKey, linkListKey } from '../../features/links/model/link-rows.ts';
import type { RealtimeSource } from '../../shared/lib/realtime/realtime-source.ts';
import type { InvalidationBus } from './invalidation-bus.ts';
import type { KeptSubscriptions } from './keep-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';

/** A filter takes no more values. */
const MOST_IDS = 100;

interface FollowOptions {
  readonly scope: LiveScope;
  readonly source: Pick<RealtimeSource, 'listen'>;
  readonly subscriptions: KeptSubscriptions;
  readonly bus: InvalidationBus;
}

/**
 * Subscribes to other people's categories as long as they are shared, and to the links of the one on the screen; where that
 * is one's own, to whom it is shared with.
 * @returns how to tell which category is on the screen (null: none), and how to end it.
 */
export function followReceived({ scope, source, subscriptions, bus }: FollowOptions) {
  const { queryClient, email } = scope;
  const queryKey = receivedSharesKey(email);
  let openId: string | null = null;
  let listening: { readonly id: string; readonly stop: () => void } | null = null;

  const ownKey = categoryListKey(scope.userId);
  const followed: ReadonlySet<unknown> = new Set([queryKey[0], ownKey[0]]);
  const isOwn = (id: string) =>
    queryClient.getQueryData<readonly ListedCategory[]>(ownKey)?.some((category) => category.id === id) ===
    true;
  /** Of the categories of a shared folder its members' rows tell; of the links in the one on the screen their own table. */
  const isInFolder = (id: string) =>
    queryClient
      .getQueryData<readonly ReceivedFolder[]>(receivedFoldersKey(email))
      ?.some(({ categories }) => categories.some((category) => category.id === id)) === true;
  /** Its order and its tags are its owner's: whoever reads it hears that something has changed, and looks. */
  const listenToOrder = (id: string) => {
    const look = () => bus.add([queryKey, arrangedListKey(id), ['shared-tags', id]]);
    return source.listen(`shared:${id}`, 'changed', { onEvent: look, onLive: look });
  };
  const renew = () => {
    const shares = queryClient.getQueryData<readonly ReceivedShare[]>(queryKey) ?? [];
    const ids = shares.slice(0, MOST_IDS).map(({ id }) => id);
    if (ids.length === 0) subscriptions.leave('received_categories');
    else
      subscriptions.want(
        {
          name: 'received_categories',
          table: 'categories',
          event: '*',
          filter: `id=in.(${ids.toSorted().join(',')})`,
        },
        // However short before it was read: what happened in between was told nobody.
        () => bus.add([queryKey]),
      );
    if (openId === null || !isOwn(openId)) subscriptions.leave('invitations');
    else
      subscriptions.want(
        { name: 'invitations', table: 'shared_with', event: '*', filter: `category_id=eq.${openId}` },
        // The list is read when the dialog opens, perhaps before this was told; all else is as fresh as it was.
        () => bus.add([['sharing']]),
      );
    const receivedId =
      openId !== null && (shares.some(({ id }) => id === openId) || isInFolder(openId)) ? openId : null;
    if (listening?.id !== receivedId) {
      listening?.stop();
      listening = receivedId === null ? null : { id: receivedId, stop: listenToOrder(receivedId) };
    }
    if (receivedId === null) subscriptions.leave('received_links');
    else {
      const linksKey = linkListKey(receivedId);
      subscriptions.want(
        { name: 'received_links', table: 'links', event: '*', filter: `category_id=eq.${receivedId}` },
        () => bus.add([linksKey]),
      );
    }
  };
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && followed.has(query.queryKey[0])) renew();
  });
  renew();
  return {
    setOpen: (id: string | null) => {
      openId = id;
      renew();
    },
    stop: () => {
      unsubscribe();
      listening?.stop();
    },
  };
}
