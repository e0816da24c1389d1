import { CACHE_MS } from '@linkoteca/domain/limits';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { receivedSharesKey } from './list-received-shares.ts';

/** Whether a category is shared with an address: one look at the key of one table. */
async function readAccess(
  database: DatabaseClient,
  categoryId: string,
  email: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { data } = await database
    .from('shared_with')
    .select('category_id')
    .eq('category_id', categoryId)
    .eq('email', email)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError();
  return data !== null;
}

/**
 * Looks every 3 s whether a category of somebody else, while it is on a screen that is seen, may still be read; if not,
 * what is shared is asked for anew. The change feed tells it sooner; this is for when it does not.
 * @param categoryId null looks at nothing.
 */
export function useAccessPoll(categoryId: string | null): void {
  const database = useDatabase();
  const queryClient = useQueryClient();
  const email = (usePerson()?.email ?? '').toLowerCase();
  const { data: allowed } = useQuery({
    queryKey: ['received-access', email, categoryId],
    queryFn:
      categoryId === null || email === ''
        ? skipToken
        : ({ signal }) => readAccess(database, categoryId, email, signal),
    refetchInterval: CACHE_MS.accessPoll,
    gcTime: 0,
  });
  useEffect(() => {
    if (allowed === false) void queryClient.invalidateQueries({ queryKey: receivedSharesKey(email) });
  }, [allowed, email, queryClient]);
}
