import type { QueryClient } from '@tanstack/react-query';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { categoryListKey, type ListedCategory } from '../model/category-rows.ts';

/** More at once would make an address too long for some proxies; then the whole list is as good. */
const LARGEST_REQUEST = 100;

/**
 * Reads how many links categories have and shows it. A write that began meanwhile counts ahead of the service: then the
 * answer is not used.
 */
export async function recountLinks(
  { database, queryClient }: { readonly database: DatabaseClient; readonly queryClient: QueryClient },
  userId: string,
  categoryIds: readonly string[],
): Promise<void> {
  const queryKey = categoryListKey(userId);
  if (categoryIds.length > LARGEST_REQUEST) {
    await queryClient.invalidateQueries({ queryKey, refetchType: 'active' });
    return;
  }
  const before = queryClient.getQueryData(queryKey);
  const { data } = await database
    .from('category_counts')
    .select('category_id,link_count')
    .in('category_id', [...categoryIds])
    .throwOnError();
  if (queryClient.isMutating() > 0 || queryClient.getQueryData(queryKey) !== before) return;
  const counts = new Map(data.map((row) => [row.category_id, row.link_count]));
  queryClient.setQueryData<readonly ListedCategory[]>(queryKey, (rows) => {
    const differs = rows?.some((row) => (counts.get(row.id) ?? row.link_count) !== row.link_count);
    if (!differs) return undefined;
    return rows?.map((row) => ({ ...row, link_count: counts.get(row.id) ?? row.link_count }));
  });
}
