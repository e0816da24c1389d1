import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { log } from '../../../shared/lib/log.ts';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Made outdated with what others share. */
const newsKey = ['received-shares', 'news'] as const;
const REFRESH_MS = 60_000;

/** How many links others have added to each category of shared folders since the person looked: up to a hundred, none left out. */
export type FolderNews = Readonly<Record<string, number>>;

/** Renewed every minute while shown: quiet, and no matter of seconds. */
export function useFolderNews(): FolderNews | undefined {
  const database = useDatabase();
  return useQuery({
    queryKey: newsKey,
    queryFn: async ({ signal }): Promise<FolderNews> => {
      const { data } = await database.rpc('folder_news').abortSignal(signal).throwOnError();
      return Object.fromEntries(data.map(({ category_id: id, added }) => [id, added]));
    },
    refetchInterval: REFRESH_MS,
  }).data;
}

/** Remembers that the person looks at a category of a shared folder: when they come, and again when they go. */
export function useSeeCategory(categoryId: string): void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: ['received-shares', 'see'],
    mutationFn: async (id: string) =>
      void (await database.rpc('see_category', { category_id: id }).throwOnError()),
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: newsKey });
      queryClient.setQueryData<FolderNews>(
        newsKey,
        (news) => news && Object.fromEntries(Object.entries(news).filter(([each]) => each !== id)),
      );
    },
    onError: (error) => log.warn('that a category was looked at is not kept', error),
    // An answer that was on its way was given up above: it is asked for again.
    onSettled: () => queryClient.invalidateQueries({ queryKey: newsKey }),
  });
  useEffect(() => {
    mutate(categoryId);
    return () => mutate(categoryId);
  }, [categoryId, mutate]);
}
