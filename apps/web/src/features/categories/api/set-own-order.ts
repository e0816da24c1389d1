import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { categoryRows } from '../model/category-rows.ts';

export interface OwnOrderScope {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly userId: string;
  readonly categoryId: string;
}

/** Gives a category an order of its own, or lays it aside: the places of its links are kept. Shown before the server has answered. */
export async function setOwnOrder(scope: OwnOrderScope, manual: boolean): Promise<void> {
  const { database, queryClient, userId, categoryId } = scope;
  await new MutationObserver(queryClient, {
    mutationKey: ['categories', 'order'],
    scope: { id: 'manual-order' },
    mutationFn: async () => {
      await database
        .rpc('place_links', { category_id: categoryId, link_ids: [], ranks: [], manual })
        .throwOnError();
    },
    onMutate: () => categoryRows(queryClient, userId).beginPatch(categoryId, { is_manual: manual }),
    onError: (_error, _manual, shown) => shown?.undo(),
    onSettled: (_data, _error, _manual, shown) => shown?.settle(),
  }).mutate();
}
