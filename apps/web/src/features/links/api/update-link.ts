import type { LinkForm } from '@linkoteca/domain/library-schemas';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { columnsOf, type Link } from '../../../shared/lib/rows.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { EditConflict, RowGone } from '../../../shared/lib/writes/edit-conflict.ts';
import { joinOptimisticWrites } from '../../../shared/lib/writes/optimistic-write.ts';
import { writeAgainstVersion } from '../../../shared/lib/writes/write-against-version.ts';
import {
  type BeginCountLinks,
  beginChangeLink,
  linkListKey,
  replaceLink,
  storeLink,
} from '../model/link-rows.ts';

export interface LinkChange {
  /** The link as it was when the edit began. */
  readonly before: Link;
  readonly change: Partial<LinkForm>;
}

/**
 * Changes a link, unless it changed elsewhere; another category_id moves it.
 * @throws the table API's error, EditConflict, RowGone, RowUnread.
 */
function updateLink(database: DatabaseClient, { before, change: wanted }: LinkChange): Promise<Link> {
  return writeAgainstVersion<Link>({
    base: before,
    wanted,
    write: async (updatedAt) => {
      const { data } = await database
        .from('links')
        .update(wanted)
        .eq('id', before.id)
        .eq('updated_at', updatedAt)
        .select<string, Link>(columnsOf('links'))
        .maybeSingle()
        .throwOnError();
      return data;
    },
    read: async () => {
      const { data } = await database
        .from('links')
        .select<string, Link>(columnsOf('links'))
        .eq('id', before.id)
        .maybeSingle()
        .throwOnError();
      return data;
    },
  });
}

/** Changes a link; lists and counters show it before the server has answered. */
export function useUpdateLink(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['links', 'update'],
    mutationFn: (change: LinkChange) => updateLink(database, change),
    onMutate: async ({ before, change }) => {
      const shown = await beginChangeLink(queryClient, before, { ...before, ...change });
      const { category_id: target = before.category_id } = change;
      if (before.category_id === target) return shown;
      const moved = new Map([
        [before.category_id, -1],
        [target, 1],
      ]);
      return joinOptimisticWrites(shown, await beginCountLinks(moved));
    },
    onSuccess: (stored) => storeLink(queryClient, stored),
    onError: (error, { before }, shown) => {
      shown?.undo();
      if (error instanceof EditConflict) replaceLink(queryClient, before, error.current);
      if (error instanceof RowGone)
        void queryClient.invalidateQueries({ queryKey: linkListKey(before.category_id) });
    },
    onSettled: (_data, _error, _change, shown) => shown?.settle(),
  });
}
