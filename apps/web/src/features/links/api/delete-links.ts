import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Link } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { callInParts, PartlyDone } from '../../../shared/lib/writes/call-in-parts.ts';
import { joinOptimisticWrites, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { type BeginCountLinks, beginDropLinks, beginRestoreLinks } from '../model/link-rows.ts';

/**
 * Deletes links, all or none as far as one call goes. Ids of links that are gone already count for nothing.
 * @returns how many were deleted.
 * @throws the table API's error; PT400 for an empty list; PartlyDone where more than one call was needed.
 */
function deleteLinks(database: DatabaseClient, ids: readonly string[]): Promise<number> {
  return callInParts(ids, async (part) => {
    const { data } = await database.rpc('delete_links', { link_ids: part }).throwOnError();
    return data;
  });
}

/** Deletes links; lists and counters show it before the server has answered. */
export function useDeleteLinks(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const begin = async (links: readonly Link[]) =>
    joinOptimisticWrites(await beginDropLinks(queryClient, links), await beginCountLinks(countBy(links, -1)));
  const { mutateAsync } = useMutation({
    mutationKey: ['links', 'delete'],
    mutationFn: (links: readonly Link[]) =>
      deleteLinks(
        database,
        links.map((link) => link.id),
      ),
    onMutate: begin,
    onError: async (error, links, shown) => {
      shown?.undo();
      if (error instanceof PartlyDone)
        (await begin(links.filter((link) => error.doneIds.has(link.id)))).settle();
    },
    onSettled: (_data, _error, _links, shown) => shown?.settle(),
  });
  return {
    remove: mutateAsync,
    /** Shows deleted links again, before the server has brought them back. */
    beginRestore: async (links: readonly Link[]): Promise<OptimisticWrite> =>
      joinOptimisticWrites(
        await beginRestoreLinks(queryClient, links),
        await beginCountLinks(countBy(links, 1)),
      ),
  };
}

function countBy(links: readonly Link[], each: 1 | -1): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { category_id } of links) counts.set(category_id, (counts.get(category_id) ?? 0) + each);
  return counts;
}
