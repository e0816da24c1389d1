import { createCategorySchema } from '@linkoteca/domain/category-schema';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { checkRow } from '../../../shared/lib/check-row.ts';
import { type Category, columnsOf } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import {
  type BeginAlongside,
  joinOptimisticWrites,
  recount,
} from '../../../shared/lib/writes/optimistic-write.ts';
import { useOtherAttempts } from '../../../shared/lib/writes/use-other-attempts.ts';
import { categoryRows } from '../model/category-rows.ts';

export interface NewCategory {
  /** Made by the client, so that saving again after a lost answer cannot create a second category. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly folder_id: string;
}

/**
 * Stores a private category; one of this id that is already there counts as stored.
 * @param isOther whether what is there may say something else: then it is overwritten.
 * @throws InvalidRow, or the table API's error; P0001 with hint plan_limit_categories when the plan is full.
 */
async function createCategory(
  database: DatabaseClient,
  userId: string,
  category: NewCategory,
  isOther: ReturnType<typeof useOtherAttempts>,
): Promise<{ readonly stored: Partial<Category>; readonly wasThere: boolean }> {
  const { id, ...fields } = category;
  // What the owner is called the database says: a screen may call them by the beginning of their e-mail.
  const row = checkRow(createCategorySchema, { ...fields, user_id: userId, name_users: null });
  const outdated = isOther(id, row);
  const { data, error } = await database
    .from('categories')
    .insert({ id, ...row })
    .select<string, Category>(columnsOf('categories'))
    .single();
  if (error === null) return { stored: data, wasThere: false };
  if (readRefusal(error).kind !== 'already_saved') throw error;
  if (!outdated) return { stored: {}, wasThere: true };
  const { data: stored } = await database
    .from('categories')
    .update({ name: row.name, description: row.description })
    .eq('id', id)
    .eq('user_id', userId)
    .select<string, Category>(columnsOf('categories'))
    .single()
    .throwOnError();
  return { stored, wasThere: true };
}

/**
 * Creates a category; it is listed before the server has answered.
 * @param beginCount counts the new category, wherever categories are counted.
 */
export function useCreateCategory(beginCount: BeginAlongside) {
  const database = useDatabase();
  const userId = useUserId();
  const queryClient = useQueryClient();
  const rows = categoryRows(queryClient, userId);
  const isOther = useOtherAttempts();
  return useMutation({
    mutationKey: ['categories', 'create'],
    mutationFn: (category: NewCategory) => createCategory(database, userId, category, isOther),
    onMutate: async (category) => {
      const now = new Date().toISOString();
      const times = { created_at: now, updated_at: now };
      const row = { ...category, ...times, user_id: userId, is_public: false };
      return joinOptimisticWrites(
        await rows.beginAdd({
          ...row,
          link_count: 0,
          is_restricted: false,
          is_manual: false,
          is_inbox: false,
        }),
        await beginCount(),
      );
    },
    onSuccess: ({ stored }, { id }) => rows.store(id, stored),
    onError: (_error, _category, shown) => shown?.undo(),
    onSettled: (data, _error, _category, shown) => {
      shown?.settle();
      if (data?.wasThere) recount(queryClient, 'categories');
    },
  });
}
