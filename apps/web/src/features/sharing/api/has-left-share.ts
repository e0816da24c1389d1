import { skipToken, useQuery } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Whether the signed-in person left the share of this category; undefined for visitors, and until it is known. */
export function useHasLeftShare(categoryId: string): boolean | undefined {
  const database = useDatabase();
  const person = usePerson();
  return useQuery({
    queryKey: ['left-share', person?.id, categoryId],
    queryFn:
      person === null
        ? skipToken
        : async ({ signal }) => {
            const { data } = await database
              .rpc('has_left_share', { category_id: categoryId })
              .abortSignal(signal)
              .throwOnError();
            return data;
          },
    staleTime: 0,
    gcTime: 0,
  }).data;
}
