import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** What the owner has said of the public page of a category. */
export interface PageLimits {
  /** ISO 8601; null: it does not end. */
  readonly ends_at: string | null;
  readonly has_password: boolean;
}

const pageLimitsKey = (userId: string, categoryId: string) => ['page-limits', userId, categoryId] as const;

/** What limits the public page of a category of the person's; read anew wherever it is shown. */
export function usePageLimits(categoryId: string) {
  const database = useDatabase();
  return useQuery<PageLimits>({
    queryKey: pageLimitsKey(useUserId(), categoryId),
    queryFn: async ({ signal }) => {
      const { data } = await database
        .rpc('page_limits', { category_id: categoryId })
        .abortSignal(signal)
        .throwOnError();
      return data[0] ?? { ends_at: null, has_password: false };
    },
    staleTime: 0,
  });
}

/** Says when the public page ends; null: never. Throws the table API's error. */
export function useSetPageEnd(categoryId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = pageLimitsKey(useUserId(), categoryId);
  return useMutation({
    mutationKey: ['page-limits', 'end'],
    mutationFn: async (end: Date | null) => {
      // The generated types know no null where a function takes one.
      const ends_at = (end?.toISOString() ?? null) as string;
      await database.rpc('set_page_end', { category_id: categoryId, ends_at }).throwOnError();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

/** Puts a password on the public page, or takes it away (null). Throws the table API's error. */
export function useSetPagePassword(categoryId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = pageLimitsKey(useUserId(), categoryId);
  return useMutation({
    mutationKey: ['page-limits', 'password'],
    mutationFn: async (wanted: string | null) => {
      // As above.
      const password = wanted as string;
      await database.rpc('set_page_password', { category_id: categoryId, password }).throwOnError();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
