import { collectPages } from '@linkoteca/domain/collect-pages';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { ExistingLibrary } from '../model/fit-import.ts';

interface ExistingCounts {
  readonly links: number;
  readonly categories: number;
}

export interface ExistingState {
  readonly library: ExistingLibrary;
  readonly counts: ExistingCounts;
}

/** What the person has right now, asked anew: a plan on old figures would be a surprise. @throws the table API's error. */
export async function readExistingLibrary(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<ExistingState> {
  const [folders, categories, counts] = await Promise.all([
    collectPages(async (from, to) => {
      const { data } = await database
        .from('folders')
        .select('id, name')
        .eq('user_id', userId)
        .order('id')
        .range(from, to)
        .abortSignal(signal)
        .throwOnError();
      return data;
    }),
    collectPages(async (from, to) => {
      const { data } = await database
        .from('categories')
        .select('folder_id, name')
        .eq('user_id', userId)
        .order('id')
        .range(from, to)
        .abortSignal(signal)
        .throwOnError();
      return data;
    }),
    database
      .from('library_counts')
      .select('link_count, category_count')
      .eq('user_id', userId)
      .abortSignal(signal)
      .maybeSingle()
      .throwOnError(),
  ]);
  return {
    library: { folders, categories },
    counts: { links: counts.data?.link_count ?? 0, categories: counts.data?.category_count ?? 0 },
  };
}
