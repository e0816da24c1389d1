import { createFolderSchema } from '@linkoteca/domain/folder-schema';
import { checkRow } from '../../shared/lib/check-row.ts';
import { createId } from '../../shared/lib/create-id.ts';
import type { DatabaseClient } from '../../shared/lib/supabase/create-database-client.ts';

/**
 * Makes a folder of one's own; returns its id.
 * @throws InvalidRow, or the table API's error; 23505 when the name is taken.
 */
export async function makeFolder(database: DatabaseClient, userId: string, name: string): Promise<string> {
  const id = createId();
  const row = checkRow(createFolderSchema, { name, user_id: userId, shared_with: [] });
  await database
    .from('folders')
    .insert({ id, ...row })
    .throwOnError();
  return id;
}

/** Takes a folder away again that was made a moment ago. */
export async function discardFolder(database: DatabaseClient, userId: string, id: string): Promise<void> {
  await database.from('folders').delete().eq('id', id).eq('user_id', userId).throwOnError();
}
