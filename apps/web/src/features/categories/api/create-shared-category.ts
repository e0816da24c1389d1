import { createCategorySchema } from '@linkoteca/domain/category-schema';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { checkRow } from '../../../shared/lib/check-row.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { NewCategory } from './create-category.ts';

/**
 * Stores a category in somebody's shared folder, whose it becomes; one of this id that is already there counts as stored.
 * @throws InvalidRow, or the table API's error; P0001 with hint plan_limit_categories when the owner's plan is full.
 */
export async function createSharedCategory(
  database: DatabaseClient,
  userId: string,
  { id, ...fields }: NewCategory,
): Promise<void> {
  const row = checkRow(createCategorySchema, { ...fields, user_id: userId, name_users: null });
  const { error } = await database.from('categories').insert({ id, ...row });
  if (error !== null && readRefusal(error).kind !== 'already_saved') throw error;
}
