import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Category, columnsOf } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { EditConflict, RowGone } from '../../../shared/lib/writes/edit-conflict.ts';
import { writeAgainstVersion } from '../../../shared/lib/writes/write-against-version.ts';
import { categoryListKey, categoryRows } from '../model/category-rows.ts';

export interface CategoryChange {
  /** The category as it was when the edit began. */
  readonly before: Category;
  readonly name: string;
  readonly description: string | null;
}

/**
 * Changes a category's name and description, unless they changed elsewhere.
 * @throws the table API's error, EditConflict, RowGone, RowUnread.
 */
function updateCategory(
  database: DatabaseClient,
  userId: string,
  { before, name, description }: CategoryChange,
): Promise<Category> {
  return writeAgainstVersion<Category>({
    base: before,
    wanted: { name, description },
    write: async (updatedAt) => {
      const { data } = await database
        .from('categories')
        .update({ name, description })
        .eq('id', before.id)
        .eq('user_id', userId)
        .eq('updated_at', updatedAt)
        .select<string, Category>(columnsOf('categories'))
        .maybeSingle()
        .throwOnError();
      return data;
    },
    read: async () => {
      const { data } = await database
        .from('categories')
        .select<string, Category>(columnsOf('categories'))
        .eq('id', before.id)
        .eq('user_id', userId)
        .maybeSingle()
        .throwOnError();
      return data;
    },
  });
}

/** Changes a category; the screens show it before the server has answered. */
export function useUpdateCategory() {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const rows = categoryRows(queryClient, userId);
  return useMutation({
    mutationKey: ['categories', 'update'],
    mutationFn: (change: CategoryChange) => updateCategory(database, userId, change),
    onMutate: ({ before, name, description }) => rows.beginPatch(before.id, { name, description }),
    onSuccess: (stored) => rows.store(stored.id, stored),
    onError: (error, { before }, shown) => {
      shown?.undo();
      if (error instanceof EditConflict) rows.store(before.id, error.current);
      if (error instanceof RowGone) void queryClient.invalidateQueries({ queryKey: categoryListKey(userId) });
    },
    onSettled: (_data, _error, _change, shown) => shown?.settle(),
  });
}
