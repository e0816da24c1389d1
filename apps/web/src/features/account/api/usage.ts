import { CACHE_MS } from '@linkoteca/domain/limits';
import { describeRemainingLinks, usagePercent } from '@linkoteca/domain/messages/plan-messages';
import { PLANS } from '@linkoteca/domain/plans';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { usePlan, useSubscription } from './subscription.ts';

export interface LibraryCounts {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

/** Reads the counters that the database keeps; a person without a row has nothing yet. */
async function loadLibraryCounts(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<LibraryCounts> {
  const { data } = await database
    .from('library_counts')
    .select('folder_count, category_count, link_count')
    .eq('user_id', userId)
    .abortSignal(signal)
    .maybeSingle()
    .throwOnError();
  return {
    folders: data?.folder_count ?? 0,
    categories: data?.category_count ?? 0,
    links: data?.link_count ?? 0,
  };
}

function libraryCountsOptions(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: ['library-counts', userId],
    queryFn: ({ signal }) => loadLibraryCounts(database, userId, signal),
    refetchInterval: CACHE_MS.linkCountRefresh,
  });
}

/** How much the person keeps; renewed every 15 s while shown. */
export function useLibraryCounts() {
  return useQuery(libraryCountsOptions(useDatabase(), useUserId()));
}

/** Asks for the counters anew, e.g. when the account menu opens. */
export function useRefreshLibraryCounts(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: ['library-counts'] });
}

export interface LinkUsage {
  readonly used: number;
  /** null: unlimited. */
  readonly max: number | null;
  /** 0 to 100; null when unlimited. */
  readonly percent: number | null;
  /** First line of the limit banner; null while it stays hidden. */
  readonly warning: string | null;
}

/** Links used and allowed, to be shown; null until both are known. A plan that cannot be read is shown as free. */
export function useLinkUsage(): LinkUsage | null {
  const { subscription, problem } = useSubscription(CACHE_MS.planLimits);
  const counts = useLibraryCounts();
  if (!subscription || !counts.data) return null;
  const used = counts.data.links;
  const max = PLANS[subscription.effectivePlan].maxLinks;
  return {
    used,
    max,
    percent: usagePercent(used, max),
    warning: problem === null ? describeRemainingLinks(used, max) : null,
  };
}

/** The room for more categories, as useLinkAllowance tells it of links. */
export function useCategoryAllowance(): Pick<LinkUsage, 'used' | 'max'> | null {
  const { plan } = usePlan();
  const counts = useLibraryCounts();
  return plan && counts.data ? { used: counts.data.categories, max: plan.maxCategories } : null;
}

/** The room for more links, to decide by; null while it is not known, or cannot be. */
export function useLinkAllowance(): Pick<LinkUsage, 'used' | 'max'> | null {
  const { plan } = usePlan();
  const counts = useLibraryCounts();
  return plan && counts.data ? { used: counts.data.links, max: plan.maxLinks } : null;
}
