import { CACHE_MS } from '@linkoteca/domain/limits';
import { PLAN_MESSAGES } from '@linkoteca/domain/messages/plan-messages';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useDatabase } from '../../../shared/lib/supabase/backend-context.tsx';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';
import type { Subscription } from '../model/resolve-plan.ts';
import { resolvePlan } from '../model/resolve-plan.ts';

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
