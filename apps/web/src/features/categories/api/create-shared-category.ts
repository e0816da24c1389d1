import { createCategorySchema } from '@linkoteca/domain/category-schema';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { usePerson, useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { NewCategory } from './create-category.ts';
import { receivedFoldersKey } from './list-received-folders.ts';

/**
 * Stores a category in somebody's shared folder, whose it becomes; one of this id that is already there counts as stored.
 * @throws InvalidRow, or the table API's error; P0001 with hint plan_limit_categories when the owner's plan is full.
 */
async function createSharedCategory(
  database: DatabaseClient,
  userId: string,
  { id, ...fields }: NewCategory,
): Promise<void> {
  const { name_users: _owner, ...row } = checkRow(createCategorySchema, { ...fields, user_id: userId });
  const { error } = await database.from('categories').insert({ id, ...row });
  if (error !== null && readRefusal(error).kind !== 'already_saved') throw error;
}

/** Creates a category in a shared folder; the folder is read anew before this is done. */
export function useCreateSharedCategory() {
  const database = useDatabase();
  const userId = useUserId();
  const queryKey = receivedFoldersKey(usePerson()?.email ?? '');
  const queryClient = useQueryClient();
  return useMutation({
    mutationKey: ['categories', 'create-shared'],
    mutationFn: (category: NewCategory) => createSharedCategory(database, userId, category),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}
