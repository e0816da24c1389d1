import { CACHE_MS } from '@linkoteca/domain/limits';
import { PLANS } from '@linkoteca/domain/plans';
import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import { subscriptionOptions } from './use-subscription.ts';

/**
 * Asks whether the person's plan shares. A check that fails allows (specification, section 5): the database has the
 * last word.
 */
export function useCheckSharingPlan(): () => Promise<boolean> {
  const queryClient = useQueryClient();
  const database = useDatabase();
  const userId = useUserId();
  return useCallback(async () => {
    const options = subscriptionOptions(database, userId);
    const known = queryClient.getQueryData(options.queryKey);
    // Without network the question would wait for its return.
    if (!onlineManager.isOnline()) return known === undefined || PLANS[known.effectivePlan].sharing;
    try {
      const { effectivePlan } = await queryClient.fetchQuery({
        ...options,
        staleTime: CACHE_MS.planLimits,
      });
      return PLANS[effectivePlan].sharing;
    } catch {
      return true;
    }
  }, [queryClient, database, userId]);
}
