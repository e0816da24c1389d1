import type { Database } from '@linkoteca/database-types/database';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { beginOptimisticWrite, joinOptimisticWrites } from '../../../shared/lib/writes/optimistic-write.ts';
import type { RepeatedGroup } from '../model/repeated-groups.ts';
import { repeatedLinksQuery } from './list-repeated-links.ts';

/** A group, and the link of it that stays. */
export interface Join {
  readonly group: RepeatedGroup;
  readonly keptId: string;
}

/** A join as the service has done it: what it takes to undo it. */
export type Joined = Database['public']['Functions']['join_repeated_links']['Returns'][number];

/**
 * Joins the links of each group into one, in one call; the groups leave the list at once. Resolves to the joins that were done: what changed
 * since it was shown stays as it is, and is listed again.
 */
export function useJoinRepeatedLinks() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { queryKey } = repeatedLinksQuery(database, useUserId());
  return useMutation({
    mutationKey: ['links', 'join'],
    mutationFn: async (joins: readonly Join[]): Promise<readonly Joined[]> => {
      const asked = joins.map(({ group, keptId }) => ({
        kept: keptId,
        links: group.links.map(({ id, updated_at }) => ({ id, updated_at })),
      }));
      const { data } = await database.rpc('join_repeated_links', { joins: asked }).throwOnError();
      return data;
    },
    onMutate: async (joins) => {
      const addresses = new Set(joins.map(({ group }) => group.address));
      // The oldest keeps its row, the others go.
      const rows = joins.map(({ group }) => group.links.map(({ id }) => id));
      const hide = () => {
        const before = queryClient.getQueryData(queryKey);
        queryClient.setQueryData(
          queryKey,
          (shown) =>
            shown && {
              ...shown,
              pages: shown.pages.map((page) => ({
                groups: page.groups.filter(({ address }) => !addresses.has(address)),
                total: page.total - addresses.size,
              })),
            },
        );
        return () => void queryClient.setQueryData(queryKey, before);
      };
      return joinOptimisticWrites(
        await beginOptimisticWrite(queryClient, [queryKey], hide, {
          table: 'links',
          kind: 'drop',
          ids: rows.flatMap((ids) => ids.slice(1)),
        }),
        await beginOptimisticWrite(queryClient, [], () => () => undefined, {
          table: 'links',
          kind: 'change',
          ids: rows.flatMap((ids) => ids.slice(0, 1)),
        }),
      );
    },
    onError: (_error, _joins, shown) => shown?.undo(),
    onSettled: (_joined, _error, _joins, shown) => {
      shown?.settle();
      // Not waited for: titles, places and counts may be others everywhere.
      void queryClient.invalidateQueries();
    },
  });
}

/** Takes joins back. Resolves to how many links came back. */
export function useUndoJoin() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['links', 'undo-join'],
    mutationFn: async (joined: readonly Joined[]): Promise<number> => {
      const { data } = await database.rpc('undo_join', { joins: [...joined] }).throwOnError();
      return data;
    },
    onSettled: () => void queryClient.invalidateQueries(),
  });
}
