import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

const dailyMailKey = (userId: string) => ['daily-mail', userId] as const;

/** Whether the person gets the daily mail about what others added to shared places. */
export function useDailyMail() {
  const database = useDatabase();
  return useQuery({
    queryKey: dailyMailKey(useUserId()),
    // A mail's link ends it elsewhere, and nobody tells.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data } = await database.rpc('daily_mail').abortSignal(signal).throwOnError();
      return data;
    },
  });
}

/** Switches it on or off; the first comes the next morning. */
export function useSetDailyMail() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = dailyMailKey(useUserId());
  return useMutation({
    mutationKey: ['daily-mail', 'set'],
    mutationFn: async (enabled: boolean) => {
      await database.rpc('set_daily_mail', { enabled }).throwOnError();
    },
    onSuccess: (_nothing, enabled) => queryClient.setQueryData(queryKey, enabled),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}
