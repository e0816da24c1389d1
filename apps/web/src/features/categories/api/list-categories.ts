import { collectPages } from '@linkoteca/domain/collect-pages';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Category, columnsOf } from '../../../shared/lib/rows.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { categoryListKey, type ListedCategory } from '../model/category-rows.ts';

type CategoryWithCounts = Category & {
  readonly category_counts: { readonly link_count: number } | null;
  readonly shared_with: readonly unknown[];
  readonly manual_order: unknown;
  readonly is_inbox: boolean | null;
};

/** All categories of a user with their link counts, newest first. The counts are kept by the database, never scanned. */
function listCategories(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<readonly ListedCategory[]> {
  return collectPages(async (from, to) => {
    const { data } = await database
      .from('categories')
      .select<string, CategoryWithCounts>(
        `${columnsOf('categories')},category_counts(link_count),shared_with(created_at),manual_order(category_id),is_inbox`,
      )
      .eq('user_id', userId)
      // Whether there are any, not who.
      .limit(1, { referencedTable: 'shared_with' })
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data.map(
      ({
        category_counts: counts,
        shared_with: invited,
        manual_order: order,
        is_inbox: inbox,
        ...category
      }) => ({
        ...category,
        link_count: counts?.link_count ?? 0,
        is_restricted: invited.length > 0,
        is_manual: Boolean(order),
        is_inbox: inbox === true,
      }),
    );
  });
}

/** How a person's own categories are read. */
export function categoriesQuery(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: categoryListKey(userId),
    queryFn: ({ signal }) => listCategories(database, userId, signal),
  });
}

/** The signed-in person's own categories. */
export function useCategories() {
  return useQuery(categoriesQuery(useDatabase(), useUserId()));
}
