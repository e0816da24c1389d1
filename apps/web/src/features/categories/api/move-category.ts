import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { type Category, columnsOf } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { categoryRows } from '../model/category-rows.ts';

export interface CategoryMove {
  readonly id: string;
  readonly fromFolderId: string;
  readonly toFolderId: string;
}

const MOVE_KEY = ['categories', 'move'] as const;

/**
 * Puts a category into another folder.
 * @throws the table API's error; PGRST116 when the category is gone, 23503 when the folder is.
 */
async function moveCategory(
  database: DatabaseClient,
  userId: string,
  { id, toFolderId }: CategoryMove,
): Promise<Partial<Category>> {
  const { data } = await database
    .from('categories')
    .update({ folder_id: toFolderId })
    .eq('id', id)
    .eq('user_id', userId)
    .select<string, Category>(columnsOf('categories'))
    .single()
    .throwOnError();
  return data;
}

/** Moves a category; the tree shows it in its new folder before the server has answered. */
export function useMoveCategory() {
  const database = useDatabase();
  const userId = useUserId();
  const rows = categoryRows(useQueryClient(), userId);
  return useMutation({
    mutationKey: MOVE_KEY,
    mutationFn: (move: CategoryMove) => moveCategory(database, userId, move),
    onMutate: ({ id, toFolderId }) => rows.beginPatch(id, { folder_id: toFolderId }),
    onSuccess: (stored, { id }) => rows.store(id, stored),
    onError: (_error, _move, shown) => shown?.undo(),
    onSettled: (_data, _error, _move, shown) => shown?.settle(),
  });
}

/** A folder that a category has just come to. */
export interface Arrival {
  readonly folderId: string;
  /** Another one for each arrival. */
  readonly key: string;
}

/** Where the category moved last is now: in its new folder, or in the old one again after a refusal. */
export function useLastArrival(): Arrival | null {
  const arrivals = useMutationState({
    filters: { mutationKey: MOVE_KEY },
    select: ({ mutationId, state }): Arrival => {
      const { fromFolderId, toFolderId } = state.variables as CategoryMove;
      const refused = state.status === 'error';
      return { folderId: refused ? fromFolderId : toFolderId, key: `${mutationId} ${refused}` };
    },
  });
  return arrivals.at(-1) ?? null;
}
