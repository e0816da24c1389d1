import type { SharedFolder } from '@linkoteca/domain/sharing';
import { type Database, queryAsCaller } from '../../kernel/database.ts';
import { VISITOR } from './read-shared-page.ts';

/**
 * Reads a folder as a visitor: whatever is asked, the database decides. Null when it is not public, does not exist, or holds nothing public.
 * @throws pg.DatabaseError
 */
export async function readSharedFolder(db: Database, folderId: string): Promise<SharedFolder | null> {
  const { rows } = await queryAsCaller<SharedFolder & Record<string, unknown>>(
    db,
    VISITOR,
    { name: 'shared_folder', text: 'select * from public.shared_folder($1)', values: [folderId] },
    { readOnly: true },
  );
  return rows[0] ?? null;
}
