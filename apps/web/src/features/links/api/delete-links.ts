import type { Link } from '@linkoteca/domain/entities';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { joinOptimisticWrites } from '../../../shared/lib/optimistic-write.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type BeginCountLinks, beginDropLinks } from '../model/link-rows.ts';

/** Ids in one request: the list travels in the address, which servers cut at 8 to 16 kB. */
const IDS_PER_REQUEST = 150;

/** A deletion that stopped on its way. */
export class PartialDeletion extends Error {
  override readonly name = 'PartialDeletion';
  readonly deletedIds: ReadonlySet<string>;

  constructor(deletedIds: ReadonlySet<string>, cause: unknown) {
    super('only some of the links were deleted', { cause });
    this.deletedIds = deletedIds;
  }
}

/**
 * Deletes links by id.
 * @throws the table API's error when none is gone, PartialDeletion when some are.
 */
export async function deleteLinks(database: DatabaseClient, ids: readonly string[]): Promise<void> {
  for (let done = 0; done < ids.length; done += IDS_PER_REQUEST) {
    const chunk = ids.slice(done, done + IDS_PER_REQUEST);
    const { error } = await database.from('links').delete().in('id', chunk);
    if (error) throw done === 0 ? error : new PartialDeletion(new Set(ids.slice(0, done)), error);
  }
}

/** Deletes links; lists and counters show it before the server has answered, and keep what really went. */
export function useDeleteLinks(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const beginDrop = async (links: readonly Link[]) =>
    joinOptimisticWrites(await beginDropLinks(queryClient, links), await beginCountLinks(countLosses(links)));
  return useMutation({
    mutationKey: ['links', 'delete'],
    mutationFn: (links: readonly Link[]) =>
      deleteLinks(
        database,
        links.map((link) => link.id),
      ),
    onMutate: beginDrop,
    onError: async (error, links, shown) => {
      shown?.undo();
      if (!(error instanceof PartialDeletion)) return;
      const gone = await beginDrop(links.filter((link) => error.deletedIds.has(link.id)));
      gone.settle();
    },
    onSettled: (_data, _error, _links, shown) => shown?.settle(),
  });
}

function countLosses(links: readonly Link[]): ReadonlyMap<string, number> {
  const losses = new Map<string, number>();
  for (const { category_id } of links) losses.set(category_id, (losses.get(category_id) ?? 0) - 1);
  return losses;
}
