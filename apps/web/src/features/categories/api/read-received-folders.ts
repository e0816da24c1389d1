import type { Database } from '@linkoteca/database-types/database';
import { collectByIds, collectPages } from '@linkoteca/domain/collect-pages';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { ReceivedShare } from './list-received-shares.ts';

/** A folder that someone shares with the signed-in person. */
export interface ReceivedFolder {
  readonly id: string;
  readonly name: string;
  readonly ownerName: string | null;
  /** Whether links and categories may be added and changed in it now: the owner's plan may have lapsed. */
  readonly mayWrite: boolean;
  readonly mayManage: boolean;
  /** What is not held back of it, the newest first. */
  readonly categories: readonly ReceivedShare[];
}

type FolderRow = Database['public']['Functions']['received_folders']['Returns'][number];

/** The folders with the categories that the caller may read of each. @throws the table API's error. */
export async function readReceivedFolders(
  database: DatabaseClient,
  folders: readonly FolderRow[],
  signal: AbortSignal,
): Promise<readonly ReceivedFolder[]> {
  const categories = await collectByIds(
    folders.map((folder) => folder.folder_id),
    (ids) =>
      collectPages(async (from, to) => {
        const { data } = await database
          .from('categories')
          .select('id,name,description,folder_id,manual_order(category_id)')
          .in('folder_id', ids)
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .range(from, to)
          .abortSignal(signal)
          .throwOnError();
        return data;
      }),
  );
  const byFolder = Map.groupBy(categories, (category) => category.folder_id);
  return folders.map((folder) => ({
    id: folder.folder_id,
    name: folder.name,
    ownerName: folder.owner_name,
    mayWrite: folder.may_write,
    mayManage: folder.may_write && folder.role === 'manager',
    categories: (byFolder.get(folder.folder_id) ?? []).map(({ id, name, description, manual_order }) => ({
      id,
      name,
      description,
      ownerId: folder.owner_id,
      ownerName: folder.owner_name,
      sharedAt: folder.shared_at,
      isChosen: false,
      isManual: Boolean(manual_order),
    })),
  }));
}
