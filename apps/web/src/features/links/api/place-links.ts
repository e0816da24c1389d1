import { ranksAt } from '@linkoteca/domain/link-ranks';
import { MutationObserver, type QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { beginOptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import type { LinkPages, LinkRanks } from '../model/link-pages.ts';
import { arrangedListKey } from '../model/link-rows.ts';
import type { LinkPlacing } from '../model/ordering/own-order.ts';
import { listStandings, pickRanks, placeInPages } from '../model/ordering/place-in-pages.ts';

export interface OrderScope {
  readonly database: DatabaseClient;
  readonly queryClient: QueryClient;
  readonly categoryId: string;
}

/** Links that go somewhere else in the order of their category, and the way back. */
export interface PlannedPlacing {
  readonly run: () => Promise<void>;
  readonly undo: () => Promise<void>;
}

/**
 * Finds ranks for links that shall stand elsewhere: one each, and for nobody else.
 * @returns null where the list is not there, or has no others.
 */
export function planPlacing(scope: OrderScope, { ids, beforeId }: LinkPlacing): PlannedPlacing | null {
  const pages = scope.queryClient.getQueryData<LinkPages>(arrangedListKey(scope.categoryId));
  const standings = pages && listStandings(pages);
  if (!pages || !standings) return null;
  const moved = new Set(ids);
  const others = standings.filter(({ id }) => !moved.has(id));
  const above = others.findIndex(({ id }) => id === beforeId);
  const ranks = ranksAt(others, above === -1 ? others.length : above, ids, pages.pages.at(-1)?.next === null);
  if (ranks.size === 0) return null;
  const before = pickRanks(pages, ranks.keys());
  return {
    run: () => writeRanks(scope, Object.fromEntries(ranks)),
    undo: () => writeRanks(scope, before),
  };
}

/** Shown before the server has answered; writes reach it one after the other: the last one holds. */
async function writeRanks(scope: OrderScope, ranks: LinkRanks): Promise<void> {
  const { database, queryClient, categoryId } = scope;
  const queryKey = arrangedListKey(categoryId);
  const show = (next: LinkRanks) =>
    queryClient.setQueryData<LinkPages>(queryKey, (pages) => pages && placeInPages(pages, next));
  const link_ids = Object.keys(ranks);
  await new MutationObserver(queryClient, {
    mutationKey: ['links', 'place'],
    scope: { id: 'manual-order' },
    mutationFn: async () => {
      await database
        .rpc('place_links', { category_id: categoryId, link_ids, ranks: Object.values(ranks) })
        .throwOnError();
    },
    onMutate: () =>
      beginOptimisticWrite(
        queryClient,
        [queryKey],
        () => {
          const pages = queryClient.getQueryData<LinkPages>(queryKey);
          const was = pages && pickRanks(pages, link_ids);
          show(ranks);
          return () => {
            if (was) show(was);
          };
        },
        { table: 'manual_order', kind: 'change', ids: link_ids },
      ),
    onError: (_error, _ranks, shown) => {
      shown?.undo();
      void queryClient.invalidateQueries({ queryKey });
    },
    onSettled: (_data, _error, _ranks, shown) => shown?.settle(),
  }).mutate();
}
