import type { ReceivedShare } from '../../features/categories/api/list-received-shares.ts';
import { receivedSharesKey } from '../../features/categories/api/list-received-shares.ts';
import type { KeptSubscriptions } from './keep-subscriptions.ts';
import type { LiveScope } from './live-scope.ts';

/** A filter takes no more values. */
const MOST_IDS = 100;

/**
 * Hears of other people's categories as long as they are shared, and of the links of the one on the screen.
 * @returns how to tell which category is on the screen (null: none), and how to end it.
 */
export function followReceived(scope: LiveScope, subscriptions: KeptSubscriptions) {
  const { queryClient, email } = scope;
  const queryKey = receivedSharesKey(email);
  let openId: string | null = null;

  const renew = () => {
    const shares = queryClient.getQueryData<readonly ReceivedShare[]>(queryKey) ?? [];
    const ids = shares.slice(0, MOST_IDS).map(({ id }) => id);
    if (ids.length === 0) subscriptions.leave('received_categories');
    else
      subscriptions.want({
        name: 'received_categories',
        table: 'categories',
        event: '*',
        filter: `id=in.(${ids.toSorted().join(',')})`,
      });
    if (openId === null || !ids.includes(openId)) subscriptions.leave('received_links');
    else
      subscriptions.want({
        name: 'received_links',
        table: 'links',
        event: '*',
        filter: `category_id=eq.${openId}`,
      });
  };
  const unsubscribe = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.queryKey[0] === queryKey[0]) renew();
  });
  renew();
  return {
    setOpen: (id: string | null) => {
      openId = id;
      renew();
    },
    stop: unsubscribe,
  };
}
