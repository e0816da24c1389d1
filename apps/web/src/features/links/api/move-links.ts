import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { callInParts, PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import { joinOptimisticWrites } from '../../../shared/lib/writes/optimistic-write.ts';
import { type BeginCountLinks, beginMoveLinks, linkListKey } from '../model/link-rows.ts';

export interface LinkMove {
  /** As they are now; their own category_id tells where they go back to. */
  readonly links: readonly Link[];
  readonly targetId: string;
}

/**
 * Moves links to another category, all or none as far as one call goes.
 * @returns how many moved; fewer than asked when some are gone.
 * @throws the table API's error, PT404 when the category is gone; PartlyDone where more than one call was needed.
 */
function moveLinks(database: DatabaseClient, { links, targetId }: LinkMove): Promise<number> {
  return callInParts(
    links.map((link) => link.id),
    async (part) => {
      const { data } = await database
        .rpc('move_links', { link_ids: part, target_category_id: targetId })
        .throwOnError();
      return data;
    },
  );
}

/** Moves links; both lists and the counters show it before the server has answered. */
export function useMoveLinks(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const begin = async ({ links, targetId }: LinkMove) =>
    joinOptimisticWrites(
      await beginMoveLinks(queryClient, links, targetId),
      await beginCountLinks(countChanges(links, targetId)),
    );
  return useMutation({
    mutationKey: ['links', 'move'],
    mutationFn: (move: LinkMove) => moveLinks(database, move),
    onMutate: begin,
    onError: async (error, { links, targetId }, shown) => {
      shown?.undo();
      if (!(error instanceof PartlyDone)) return;
      (await begin({ links: links.filter((link) => error.doneIds.has(link.id)), targetId })).settle();
      void queryClient.invalidateQueries({ queryKey: linkListKey(targetId) });
    },
    onSettled: (_data, _error, _move, shown) => shown?.settle(),
    // The rows have a new date of change, which the answer does not tell; if some were gone, nothing cached is sure.
    onSuccess: (moved, { links, targetId }) =>
      void queryClient.invalidateQueries(
        moved === links.length ? { queryKey: linkListKey(targetId) } : undefined,
      ),
  });
}

function countChanges(links: readonly Link[], targetId: string): ReadonlyMap<string, number> {
  const changes = new Map([[targetId, links.length]]);
  for (const { category_id } of links) changes.set(category_id, (changes.get(category_id) ?? 0) - 1);
  return changes;
}
