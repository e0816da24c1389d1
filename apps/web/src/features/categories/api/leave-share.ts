import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { beginOptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { type ReceivedShare, receivedSharesKey } from './list-received-shares.ts';

/** Leaves what somebody shares; the list shows it before the server has answered. */
export function useLeaveShare() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = receivedSharesKey(usePerson()?.email ?? '');
  return useMutation({
    mutationKey: ['received-shares', 'leave'],
    mutationFn: async ({ id }: ReceivedShare) => {
      await database.rpc('leave_share', { category_id: id }).throwOnError();
    },
    onMutate: (left) =>
      beginOptimisticWrite(queryClient, [queryKey], () => {
        const change = (edit: (shares: readonly ReceivedShare[]) => readonly ReceivedShare[]) =>
          queryClient.setQueryData<readonly ReceivedShare[]>(queryKey, (shares) => shares && edit(shares));
        const place = queryClient
          .getQueryData<readonly ReceivedShare[]>(queryKey)
          ?.findIndex(({ id }) => id === left.id);
        change((shares) => shares.filter(({ id }) => id !== left.id));
        return () =>
          change((shares) =>
            shares.some(({ id }) => id === left.id) ? shares : shares.toSpliced(place ?? 0, 0, left),
          );
      }),
    onError: (_error, _left, shown) => shown?.undo(),
    onSettled: (_data, _error, _left, shown) => shown?.settle(),
  });
}

/** Takes leaving back. True when the category is open again; else its owner may invite again. */
export function useReturnToShare() {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const queryKey = receivedSharesKey(usePerson()?.email ?? '');
  return useMutation({
    mutationKey: ['received-shares', 'return'],
    mutationFn: async (categoryId: string): Promise<boolean> => {
      const { data } = await database.rpc('return_to_share', { category_id: categoryId }).throwOnError();
      return data;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}
