import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

/**
 * Copies a category that the caller may see, with its links, into one of their folders: all of it or nothing.
 * @returns the id of the copy.
 * @throws the table API's error: plan limits (P0001), category or folder gone (PT404), too many links (PT400).
 */
export async function copySharedCategory(
  database: DatabaseClient,
  categoryId: string,
  folderId: string,
): Promise<string> {
  const { data } = await database
    .rpc('copy_shared_category', { category_id: categoryId, folder_id: folderId })
    .throwOnError();
  return data;
}

/** Takes a copy away again, with its links. */
export async function discardCopy(database: DatabaseClient, userId: string, copyId: string): Promise<void> {
  await database.from('categories').delete().eq('id', copyId).eq('user_id', userId).throwOnError();
}
