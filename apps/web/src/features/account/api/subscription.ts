import { CACHE_MS } from '@linkoteca/domain/limits';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { PLANS, type Plan } from '@linkoteca/domain/plans';
import { onlineManager, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import { resolvePlan, type Subscription } from '../model/resolve-plan.ts';

/** Reads the person's plan: their subscriber record, else their profile. */
async function loadSubscription(
  database: DatabaseClient,
  userId: string,
  signal: AbortSignal,
): Promise<Subscription> {
  const [subscriber, profile] = await Promise.all([
    database
      .from('subscribers')
      .select(
        'plan, subscription_status, current_period_end, cancel_at_period_end, trial_end, billing_interval, amount_cents, currency, stripe_customer_id, stripe_subscription_id',
      )
      .eq('user_id', userId)
      .abortSignal(signal)
      .maybeSingle()
      .throwOnError(),
    database
      .from('profiles')
      .select('plan')
      .eq('id', userId)
      .abortSignal(signal)
      .maybeSingle()
      .throwOnError(),
  ]);
  return resolvePlan(subscriber.data, profile.data?.plan ?? null);
}

/** How the subscription is read. */
export function subscriptionOptions(database: DatabaseClient, userId: string) {
  return queryOptions({
    queryKey: ['subscription', userId],
    queryFn: ({ signal }) => loadSubscription(database, userId, signal),
  });
}

const unknown = resolvePlan(null, null);

/**
 * The person's subscription. Until it is known `subscription` is null; when it cannot be read it falls back to free
 * with a message.
 * @param freshMs how old an answer may be: a minute where the subscription itself is shown.
 */
export function useSubscription(freshMs: number = CACHE_MS.fresh): {
  readonly subscription: Subscription | null;
  readonly problem: string | null;
} {
  const options = subscriptionOptions(useDatabase(), useUserId());
  const query = useQuery({ ...options, staleTime: freshMs });
  if (query.data) return { subscription: query.data, problem: null };
  if (query.isError) return { subscription: unknown, problem: PLAN_MESSAGES.subscriptionLoadFailed };
  return { subscription: null, problem: null };
}

/**
 * The plan whose limits hold, known for five minutes; null until it is known, and where it cannot be read. A check that
 * fails allows (specification, section 5): the fallback to free is for showing alone, and the database has the last word.
 */
export function usePlan(): { readonly plan: Plan | null; readonly failed: boolean } {
  const { subscription, problem } = useSubscription(CACHE_MS.planLimits);
  const failed = problem !== null;
  return { plan: subscription && !failed ? PLANS[subscription.effectivePlan] : null, failed };
}

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
      const fresh = { ...options, staleTime: CACHE_MS.planLimits };
      if (known && PLANS[known.effectivePlan].sharing) {
        // At once, and renewed for the next press: an answer that comes late would come over what was begun meanwhile.
        void queryClient.prefetchQuery(fresh);
        return true;
      }
      return PLANS[(await queryClient.fetchQuery(fresh)).effectivePlan].sharing;
    } catch {
      return true;
    }
  }, [queryClient, database, userId]);
}
