import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** What a feed is of. */
export type FeedSubject = { readonly categoryId: string } | { readonly searchId: string };

const argumentsOf = (subject: FeedSubject) =>
  'categoryId' in subject ? { category_id: subject.categoryId } : { search_id: subject.searchId };
const keyOf = (userId: string, subject: FeedSubject) => ['feed', userId, argumentsOf(subject)] as const;

/** The key in the secret address; null where there is none. */
export function useFeedKey(subject: FeedSubject) {
  const database = useDatabase();
  return useQuery({
    queryKey: keyOf(useUserId(), subject),
    staleTime: 0,
    // A key is nothing to keep after the dialog.
    gcTime: 0,
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data } = await database
        .rpc('feed_key', argumentsOf(subject))
        .abortSignal(signal)
        .throwOnError();
      return data;
    },
  });
}

/** Makes the address, or another in its place: the old one is dead at once. */
export function useOpenFeed(subject: FeedSubject) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = keyOf(useUserId(), subject);
  return useMutation({
    gcTime: 0,
    mutationFn: async ({ renew }: { readonly renew: boolean }): Promise<string> => {
      const { data } = await database.rpc('open_feed', { ...argumentsOf(subject), renew }).throwOnError();
      return data;
    },
    onSuccess: (key) => queryClient.setQueryData(queryKey, key),
    // It may be stored although the answer was lost.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Ends the address, at once. */
export function useCloseFeed(subject: FeedSubject) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = keyOf(useUserId(), subject);
  return useMutation({
    gcTime: 0,
    mutationFn: async () => {
      await database.rpc('close_feed', argumentsOf(subject)).throwOnError();
    },
    onSuccess: () => queryClient.setQueryData(queryKey, null),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
