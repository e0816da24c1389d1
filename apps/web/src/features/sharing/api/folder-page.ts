import { collectPages } from '@linkoteca/domain/collect-pages';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Whether one's own folder has a page, how many of its categories are public, and of how many of those the page opens to everybody. */
export interface FolderPage {
  readonly isPublic: boolean;
  readonly publicCount: number;
  readonly openCount: number;
}

const keyOf = (folderId: string) => ['folder-page', folderId] as const;

/** Read anew for each opening. */
export function useFolderPage(folderId: string) {
  const database = useDatabase();
  return useQuery({
    queryKey: keyOf(folderId),
    queryFn: async ({ signal }): Promise<FolderPage> => {
      const [folder, categories, limits] = await Promise.all([
        database
          .from('folders')
          .select('is_public')
          .eq('id', folderId)
          .abortSignal(signal)
          .maybeSingle()
          .throwOnError(),
        collectPages(async (from, to) => {
          const { data } = await database
            .from('categories')
            .select('id,is_public')
            .eq('folder_id', folderId)
            .order('id')
            .range(from, to)
            .abortSignal(signal)
            .throwOnError();
          return data;
        }),
        collectPages(async (from, to) => {
          const { data } = await database
            .rpc('page_limits')
            .range(from, to)
            .abortSignal(signal)
            .throwOnError();
          return data;
        }),
      ]);
      const now = Date.now();
      const closed = new Set(
        limits
          .filter(
            ({ ends_at: end, has_password }) => has_password || (end !== null && Date.parse(end) <= now),
          )
          .map(({ id }) => id),
      );
      const published = categories.filter((row) => row.is_public);
      return {
        isPublic: folder.data?.is_public === true,
        publicCount: published.length,
        openCount: published.filter(({ id }) => !closed.has(id)).length,
      };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** Publishes the folder's page, or takes it down. @throws the table API's error, also where the plan does not share. */
export function useFolderPublishing(folderId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = keyOf(folderId);
  const mutationKey = [...queryKey, 'write'];
  const show = (isPublic: boolean) =>
    queryClient.setQueryData<FolderPage>(queryKey, (page) => page && { ...page, isPublic });
  return useMutation({
    mutationKey,
    mutationFn: async (isPublic: boolean) =>
      void (await database.from('folders').update({ is_public: isPublic }).eq('id', folderId).throwOnError()),
    onMutate: async (isPublic) => {
      await queryClient.cancelQueries({ queryKey });
      show(isPublic);
    },
    onError: (_error, isPublic) => void show(!isPublic),
    // What failed may have been stored, its answer lost. The last of several reads: an earlier answer would be from before.
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
