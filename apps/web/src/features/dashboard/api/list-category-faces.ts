import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { recentLinksKey } from './list-recent-links.ts';

/** How many links a card shows the faces of. */
export const CATEGORY_FACES = 5;

/** Addresses of the newest links of a category, by its id. */
export type CategoryFaces = ReadonlyMap<string, readonly string[]>;

/** What the newest links of some categories are, in one request whatever their number. */
async function listCategoryFaces(
  database: DatabaseClient,
  categoryIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { data } = await database
    .from('categories')
    .select('id,links(url)')
    .in('id', [...categoryIds])
    .order('created_at', { ascending: false, referencedTable: 'links' })
    .limit(CATEGORY_FACES, { referencedTable: 'links' })
    .abortSignal(signal)
    .throwOnError();
  return data.map(({ id, links }) => [id, links.map(({ url }) => url)] as const);
}

function categoryFacesQuery(database: DatabaseClient, userId: string, categoryIds: readonly string[]) {
  return queryOptions({
    // A part of the newest links: whatever renews those renews their faces.
    queryKey: [recentLinksKey, userId, 'faces', categoryIds],
    queryFn: ({ signal }) => listCategoryFaces(database, categoryIds, signal),
    placeholderData: keepPreviousData,
  });
}

/**
 * The faces of a person's own categories; empty until they are there, and where they cannot be read: a card does without.
 * @param categoryIds null while it is not known which.
 */
export function useCategoryFaces(categoryIds: readonly string[] | null): CategoryFaces {
  const { data } = useQuery({
    ...categoryFacesQuery(useDatabase(), useUserId(), categoryIds ?? []),
    enabled: categoryIds !== null && categoryIds.length > 0,
  });
  return new Map(data);
}
