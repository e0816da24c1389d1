import { useQuery } from '@tanstack/react-query';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';

/** Somebody who may write in a category. */
export interface CategoryPerson {
  readonly id: string;
  /** Null where they gave none. */
  readonly name: string | null;
}

/** The people who may write in a category, oneself among them. What makes the people of a folder outdated makes these outdated, too. */
export function useCategoryPeople(categoryId: string) {
  const database = useDatabase();
  return useQuery({
    queryKey: ['folder-members', 'of-category', categoryId],
    queryFn: async ({ signal }): Promise<readonly CategoryPerson[]> => {
      const { data } = await database
        .rpc('category_people', { category_id: categoryId })
        .abortSignal(signal)
        .throwOnError();
      return data.map(({ person_id: id, name }) => ({ id, name }));
    },
  });
}
