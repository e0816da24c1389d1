import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

const hasRequestedKey = (userId: string | undefined, categoryId: string) =>
  ['requested-access', userId, categoryId] as const;

/** Whether the signed-in person has asked for access to a category lately; undefined for visitors, and until it is known. */
export function useHasRequestedAccess(categoryId: string): boolean | undefined {
  const database = useDatabase();
  const person = usePerson();
  return useQuery({
    queryKey: hasRequestedKey(person?.id, categoryId),
    queryFn:
      person === null
        ? skipToken
        : async ({ signal }) => {
            const { data } = await database
              .rpc('has_requested_access', { category_id: categoryId })
              .abortSignal(signal)
              .throwOnError();
            return data;
          },
    staleTime: 0,
    gcTime: 0,
  }).data;
}

/** Asks for access, with a line for whoever answers. Throws the table API's error, which is about the asker alone. */
export function useRequestAccess(categoryId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const userId = usePerson()?.id;
  return useMutation({
    mutationKey: ['requested-access', 'ask'],
    mutationFn: async (note: string) => {
      await database.rpc('request_access', { category_id: categoryId, note }).throwOnError();
    },
    onSuccess: () => queryClient.setQueryData(hasRequestedKey(userId, categoryId), true),
  });
}
