import type { Link } from '@linkoteca/domain/entities';
import type { LinkForm } from '@linkoteca/domain/link-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { joinOptimisticWrites } from '../../../shared/lib/optimistic-write.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { type BeginCountLinks, beginChangeLink, storeLink } from '../model/link-rows.ts';
import { LINK_COLUMNS } from './list-links.ts';

export interface LinkChange {
  readonly before: Link;
  readonly change: LinkForm;
}

/**
 * Changes a link; another category_id moves it.
 * @throws the table API's error; PGRST116 when the link is gone.
 */
async function updateLink(database: DatabaseClient, id: string, change: LinkForm): Promise<Link> {
  const { url, title, description, category_id } = change;
  const { data } = await database
    .from('links')
    .update({ url, title, description, category_id })
    .eq('id', id)
    .select(LINK_COLUMNS)
    .single()
    .throwOnError();
  return data;
}

/** Changes a link; lists and counters show it before the server has answered. */
export function useUpdateLink(beginCountLinks: BeginCountLinks) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['links', 'update'],
    mutationFn: ({ before, change }: LinkChange) => updateLink(database, before.id, change),
    onMutate: async ({ before, change }) => {
      const shown = await beginChangeLink(queryClient, before, { ...before, ...change });
      if (before.category_id === change.category_id) return shown;
      const moved = new Map([
        [before.category_id, -1],
        [change.category_id, 1],
      ]);
      return joinOptimisticWrites(shown, await beginCountLinks(moved));
    },
    onSuccess: (stored) => storeLink(queryClient, stored),
    onError: (_error, _change, shown) => shown?.undo(),
    onSettled: (_data, _error, _change, shown) => shown?.settle(),
  });
}
