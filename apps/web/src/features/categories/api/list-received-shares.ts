import { collectByIds, collectPages } from '@linkoteca/domain/collect-pages';
import { CACHE_MS } from '@linkoteca/domain/limits';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { recallOwnerName } from '../model/owner-names.ts';

/** A category that someone shares with the signed-in person. */
export interface ReceivedShare {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly ownerId: string;
  readonly ownerName: string | null;
  /** Since when, ISO 8601. */
  readonly sharedAt: string;
  /** The person wants this one opened, where the plan opens only one. */
  readonly isChosen: boolean;
  /** Whether its owner shows it in an order of their own. */
  readonly isManual: boolean;
}

interface ShareSource {
  readonly database: DatabaseClient;
  /** Remembers the names of owners. */
  readonly queryClient: QueryClient;
}

/** Categories shared with an address, the earliest share first. */
async function listReceivedShares(
  { database, queryClient }: ShareSource,
  email: string,
  signal: AbortSignal,
): Promise<readonly ReceivedShare[]> {
  const shares = await collectPages(async (from, to) => {
    const { data } = await database
      .from('shared_with')
      .select('category_id,created_at')
      .eq('email', email.toLowerCase())
      .order('created_at', { ascending: true })
      .order('category_id', { ascending: true })
      .range(from, to)
      .abortSignal(signal)
      .throwOnError();
    return data;
  });
  if (shares.length === 0) return [];
  const [categories, { data: chosenId }] = await Promise.all([
    collectByIds(
      shares.map((share) => share.category_id),
      async (ids) => {
        const { data } = await database
          .from('categories')
          .select('id,name,description,user_id,name_users,manual_order(category_id)')
          .in('id', ids)
          .abortSignal(signal)
          .throwOnError();
        return data;
      },
    ),
    database.rpc('opened_share').abortSignal(signal).throwOnError(),
  ]);
  const byId = new Map(categories.map((category) => [category.id, category]));
  return shares.flatMap(({ category_id: id, created_at: sharedAt }) => {
    const category = byId.get(id);
    if (category === undefined) return [];
    const { name, description, user_id: ownerId } = category;
    const ownerName = recallOwnerName(queryClient, id, category.name_users);
    const isManual = Boolean(category.manual_order);
    return [{ id, name, description, ownerId, ownerName, sharedAt, isChosen: id === chosenId, isManual }];
  });
}

/** In the order in which a plan opens them: the one that was chosen, then the earliest. */
export function orderByOpening(shares: readonly ReceivedShare[]): readonly ReceivedShare[] {
  return shares.toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen));
}

/** Cache key of what others share with an address. */
export function receivedSharesKey(email: string) {
  return ['received-shares', email.toLowerCase()] as const;
}

function receivedSharesQuery(database: DatabaseClient, email: string) {
  return queryOptions({
    queryKey: receivedSharesKey(email),
    queryFn: ({ client, signal }) => listReceivedShares({ database, queryClient: client }, email, signal),
    enabled: email !== '',
    refetchInterval: CACHE_MS.sharedListRefresh,
  });
}

/** What others share with the signed-in person; renewed every 10 s while shown. */
export function useReceivedShares() {
  return useQuery(receivedSharesQuery(useDatabase(), usePerson()?.email ?? ''));
}
