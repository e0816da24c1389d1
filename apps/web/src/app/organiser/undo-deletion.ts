import { callInParts } from '../../shared/lib/call-in-parts.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';

/** What kind of thing was deleted; what was inside came along. */
export type DeletedItemType = 'folder' | 'category' | 'link';

/** The deletion can no longer be undone: the service has nothing of it (any more). */
export class NothingToRestore extends Error {
  override readonly name = 'NothingToRestore';
}

/**
 * Brings back what the person has just deleted, with everything that went with it, all or nothing as far
 * as one call goes.
 * @returns how many of the named items came back; fewer than asked when some had gone before.
 * @throws NothingToRestore; PartlyDone where more than one call was needed; the table API's error where the place is gone, the name is taken or the plan is full.
 */
export async function undoDeletion(
  database: DatabaseClient,
  itemType: DeletedItemType,
  ids: readonly string[],
): Promise<number> {
  const restored = await callInParts(ids, async (part) => {
    const { data } = await database
      .rpc('undo_deletion', { item_type: itemType, item_ids: part })
      .throwOnError();
    return readCount(data, { folder: 'folders', category: 'categories', link: 'links' }[itemType]);
  });
  if (restored === 0) throw new NothingToRestore('nothing to bring back');
  return restored;
}

function readCount(counts: unknown, name: string): number {
  const count = typeof counts === 'object' && counts !== null ? Reflect.get(counts, name) : 0;
  return typeof count === 'number' ? count : 0;
}
