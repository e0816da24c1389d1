import type { Category } from '@linkoteca/domain/entities';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { categoryRows } from '../model/category-rows.ts';
import { CATEGORY_COLUMNS } from './list-categories.ts';

export interface CategoryChange {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

/**
 * Changes a category's name and description.
 * @throws the table API's error; PGRST116 when the category is gone.
 */
async function updateCategory(
  database: DatabaseClient,
  userId: string,
  { id, name, description }: CategoryChange,
): Promise<Partial<Category>> {
  const { data } = await database
    .from('categories')
    .update({ name, description })
    .eq('id', id)
    .eq('user_id', userId)
    .select(CATEGORY_COLUMNS)
    .single()
    .throwOnError();
  return data;
}

/** Changes a category; the screens show it before the server has answered. */
export function useUpdateCategory() {
  const database = useDatabase();
  const userId = useUserId();
  const rows = categoryRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: ['categories', 'update'],
    mutationFn: (change: CategoryChange) => updateCategory(database, userId, change),
    onMutate: ({ id, name, description }) => rows.beginPatch(id, { name, description }),
    onSuccess: (stored, { id }) => rows.store(id, stored),
    onError: (_error, _change, shown) => shown?.undo(),
    onSettled: (_data, _error, _change, shown) => shown?.settle(),
  });
}
