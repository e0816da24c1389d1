import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { receivedSharesKey } from './list-received-shares.ts';

/** Has a category opened that somebody shares, where the plan opens only one. Not shown ahead: its links are asked for next. */
export function useChooseShare() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = receivedSharesKey(usePerson()?.email ?? '');
  return useMutation({
    mutationKey: ['received-shares', 'choose'],
    mutationFn: async (categoryId: string) => {
      await database.rpc('open_share', { category_id: categoryId }).throwOnError();
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}
