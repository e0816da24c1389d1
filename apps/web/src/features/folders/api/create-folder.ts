import { createFolderSchema } from '@linkoteca/domain/library-schemas';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { columnsOf, type Folder } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import {
  type BeginAlongside,
  joinOptimisticWrites,
  recount,
} from '../../../shared/lib/writes/optimistic-write.ts';
import { useOtherAttempts } from '../../../shared/lib/writes/use-other-attempts.ts';
import { folderRows } from '../model/folder-rows.ts';

export interface NewFolder {
  /** Made by the client, so that saving again after a lost answer cannot create a second folder. */
  readonly id: string;
  readonly name: string;
}

/**
 * Stores a folder; a folder of this id that is already there counts as stored.
 * @param isOther whether what is there may have another name: then it is renamed.
 * @throws InvalidRow, or the table API's error; 23505 when the name is taken.
 */
async function createFolder(
  database: DatabaseClient,
  userId: string,
  { id, name }: NewFolder,
  isOther: ReturnType<typeof useOtherAttempts>,
): Promise<{ readonly stored: Partial<Folder>; readonly wasThere: boolean }> {
  const row = checkRow(createFolderSchema, { name, user_id: userId, shared_with: [] });
  const outdated = isOther(id, row);
  const { data, error } = await database
    .from('folders')
    .insert({ id, ...row })
    .select<string, Folder>(columnsOf('folders'))
    .single();
  if (error === null) return { stored: data, wasThere: false };
  if (readRefusal(error).kind !== 'already_saved') throw error;
  if (!outdated) return { stored: {}, wasThere: true };
  const { data: stored } = await database
    .from('folders')
    .update({ name: row.name })
    .eq('id', id)
    .select<string, Folder>(columnsOf('folders'))
    .single()
    .throwOnError();
  return { stored, wasThere: true };
}

/**
 * Creates a folder; it is in the list before the server has answered.
 * @param beginCount counts the new folder, wherever folders are counted.
 */
export function useCreateFolder(beginCount: BeginAlongside) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const rows = folderRows(queryClient, userId);
  const isOther = useOtherAttempts();
  return useMutation({
    mutationKey: ['folders', 'create'],
    mutationFn: (folder: NewFolder) => createFolder(database, userId, folder, isOther),
    onMutate: async ({ id, name }) => {
      const now = new Date().toISOString();
      const row = { id, name, user_id: userId, created_at: now, updated_at: now, folder_looks: null };
      return joinOptimisticWrites(await rows.beginAdd(row), await beginCount());
    },
    onSuccess: ({ stored }, { id }) => rows.store(id, stored),
    onError: (_error, _folder, shown) => shown?.undo(),
    onSettled: (data, _error, _folder, shown) => {
      shown?.settle();
      if (data?.wasThere) recount(queryClient, 'folders');
    },
  });
}
