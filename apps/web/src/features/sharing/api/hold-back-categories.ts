import { collectPages } from '@linkoteca/domain/collect-pages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** A category of a shared folder, and whether its members see it. */
export interface HeldCategory {
  readonly id: string;
  readonly name: string;
  readonly is_held_back: boolean;
}

const keyOf = (folderId: string) => ['held-categories', folderId] as const;

/** The categories of one's own folder; read anew for each opening. @param folderId null reads nothing. */
export function useHeldCategories(folderId: string | null) {
  const database = useDatabase();
  return useQuery({
    queryKey: keyOf(folderId ?? ''),
    queryFn: ({ signal }) =>
      collectPages<HeldCategory>(async (from, to) => {
        const { data } = await database
          .from('categories')
          .select('id,name,is_held_back')
          .eq('folder_id', folderId ?? '')
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .range(from, to)
          .abortSignal(signal)
          .throwOnError();
        return data;
      }),
    enabled: folderId !== null,
    staleTime: 0,
    gcTime: 0,
  });
}

/**
 * Keeps a category from the folder's members, or shows it to them again. Presses reach the service one after the other: the last one
 * holds. @throws the table API's error.
 */
export function useHoldBack(folderId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = keyOf(folderId);
  const mutationKey = [...queryKey, 'write'];
  const show = (id: string, isHeld: boolean) =>
    queryClient.setQueryData<readonly HeldCategory[]>(queryKey, (rows) =>
      rows?.map((row) => (row.id === id ? { ...row, is_held_back: isHeld } : row)),
    );
  return useMutation({
    mutationKey,
    scope: { id: 'held-categories' },
    mutationFn: async ({ id, is_held_back }: Pick<HeldCategory, 'id' | 'is_held_back'>) =>
      void (await database.from('categories').update({ is_held_back }).eq('id', id).throwOnError()),
    onMutate: async ({ id, is_held_back }) => {
      await queryClient.cancelQueries({ queryKey });
      show(id, is_held_back);
    },
    onError: (_error, { id, is_held_back }) => void show(id, !is_held_back),
    // What failed may have been stored, its answer lost. The last of several reads: an earlier answer would be from before.
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
