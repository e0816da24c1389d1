import { useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { RowGone } from '../../../shared/lib/writes/edit-conflict.ts';

/** How a category is shared: mode and list as of one moment. */
export interface Sharing {
  readonly is_public: boolean;
  /** Lower case, earliest first. */
  readonly emails: readonly string[];
}

/** Cache key of how a person's category is shared. */
export function sharingKey(userId: string, categoryId: string) {
  return ['sharing', userId, categoryId] as const;
}

/** @throws the table API's error; RowGone when the category is not there (any more). */
async function loadSharing(
  database: DatabaseClient,
  userId: string,
  categoryId: string,
  signal: AbortSignal,
): Promise<Sharing> {
  const { data } = await database
    .from('categories')
    .select('is_public,shared_with(email,created_at)')
    .eq('id', categoryId)
    .eq('user_id', userId)
    .order('created_at', { referencedTable: 'shared_with' })
    .order('email', { referencedTable: 'shared_with' })
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError();
  if (data === null) throw new RowGone();
  return { is_public: data.is_public, emails: data.shared_with.map(({ email }) => email) };
}

/** How the category is shared, read anew for each opening. */
export function useSharing(categoryId: string) {
  const database = useDatabase();
  const userId = useUserId();
  return useQuery({
    queryKey: sharingKey(userId, categoryId),
    queryFn: ({ signal }) => loadSharing(database, userId, categoryId, signal),
    staleTime: 0,
    gcTime: 0,
  });
}
