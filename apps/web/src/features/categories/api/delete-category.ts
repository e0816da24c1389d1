import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { joinOptimisticWrites, type OptimisticWrite } from '../../../shared/lib/writes/optimistic-write.ts';
import { categoryRows } from '../model/category-rows.ts';

/** Deletes a category. The database takes its links with it, all or nothing. */
async function deleteCategory(database: DatabaseClient, userId: string, id: string): Promise<void> {
  await database.from('categories').delete().eq('id', id).eq('user_id', userId).throwOnError();
}

/**
 * Deletes a category; it leaves the lists before the server has answered.
 * @param beginCount takes the category and its links off, wherever they are counted.
 */
export function useDeleteCategory(beginCount: (categoryId: string) => Promise<OptimisticWrite>) {
  const database = useDatabase();
  const userId = useUserId();
  const rows = categoryRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: ['categories', 'delete'],
    mutationFn: (id: string) => deleteCategory(database, userId, id),
    onMutate: async (id) =>
      // Counting first: it needs to know how many links the category still has.
      joinOptimisticWrites(await beginCount(id), await rows.beginDrop((row) => row.id === id)),
    onError: (_error, _id, shown) => shown?.undo(),
    onSettled: (_data, _error, _id, shown) => shown?.settle(),
  });
}
