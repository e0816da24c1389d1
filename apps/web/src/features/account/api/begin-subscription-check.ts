import { CACHE_MS } from '@linkoteca/domain/limits';
import type { QueryClient } from '@tanstack/react-query';
import { QueryObserver } from '@tanstack/react-query';
import type { AppConfig } from '../../../shared/lib/load-app-config.ts';
import { log } from '../../../shared/lib/log.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

interface SubscriptionCheck {
  readonly queryClient: QueryClient;
  readonly database: DatabaseClient;
  readonly config: AppConfig;
  /** A fetch with the person's token. */
  readonly send: typeof fetch;
  readonly userId: string;
}

/**
 * Has the server compare the subscription with the payment provider (specification, section 7): now, and again when the
 * person comes back after more than a minute. Nobody waits for it and its answer is ignored: what it repaired arrives
 * as a change of the subscriber record. The administrator is not checked. Returns the way to end it.
 */
export function beginSubscriptionCheck({ queryClient, userId, ...access }: SubscriptionCheck): () => void {
  const observer = new QueryObserver(queryClient, {
    queryKey: ['subscription-check', userId],
    queryFn: async ({ signal }) => {
      await checkUnlessAdministrator(access, signal).catch((reason: unknown) =>
        log.warn('the subscription could not be checked', reason),
      );
      return true;
    },
    staleTime: CACHE_MS.fresh,
  });
  return observer.subscribe(() => undefined);
}

async function checkUnlessAdministrator(
  { database, config, send }: Omit<SubscriptionCheck, 'queryClient' | 'userId'>,
  signal: AbortSignal,
): Promise<void> {
  // Without an answer the person counts as anybody: for the administrator the function asks nobody either.
  const { data: administers } = await database.rpc('is_admin').abortSignal(signal);
  if (administers === true) return;
  const response = await send(`${config.supabaseUrl}/functions/v1/check-subscription`, { signal });
  if (!response.ok) log.warn('the subscription could not be checked', response.status);
}
