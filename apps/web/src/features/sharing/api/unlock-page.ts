import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { keepPageProof } from '../model/page-proof.ts';
import { sharedCategoryKey } from './read-shared-category.ts';

/** Proves the password of a public page: false for a wrong one. Throws the table API's error, PT429 after too many. */
export function useUnlockPage(categoryId: string) {
  const database = useDatabase();
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['shared-category', 'unlock'],
    mutationFn: async (password: string): Promise<boolean> => {
      const { data } = await database
        .rpc('open_locked_page', { category_id: categoryId, password })
        .throwOnError();
      // The generated types know no null in what a function returns.
      const proof = data as string | null;
      if (proof !== null) keepPageProof(categoryId, proof);
      return proof !== null;
    },
    onSuccess: (isOpen) =>
      isOpen ? queryClient.invalidateQueries({ queryKey: sharedCategoryKey(categoryId) }) : undefined,
  });
}
