import { CACHE_MS } from '@linkoteca/domain/limits';
import type { QueryClient } from '@tanstack/react-query';
import { QueryObserver } from '@tanstack/react-query';
import { log } from '../../../shared/lib/log.ts';
import type { Backend } from '../../../shared/lib/supabase/backend-context.tsx';
import { createAuthorizedFetch } from '../../../shared/lib/supabase/create-authorized-fetch.ts';
import type { DatabaseClient } from '../../../shared/lib/supabase/create-database-client.ts';

interface SubscriptionCheck extends Pick<Backend, 'config' | 'auth'> {
  readonly queryClient: QueryClient;
  readonly database: DatabaseClient;
  readonly userId: string;
  /** Aborted when the person leaves: nothing is checked any more. */
  readonly over: AbortSignal;
}

/**
 * Has the server compare the subscription with the payment provider (specification, section 7): now, and again when the
 * person comes back after more than a minute. Nobody waits for it and its answer is ignored: what it repaired arrives
 * as a change of the subscriber record. The administrator is not checked.
 */
export function beginSubscriptionCheck({ queryClient, userId, over, ...access }: SubscriptionCheck): void {
  if (over.aborted) return;
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
  over.addEventListener(
    'abort',
    observer.subscribe(() => undefined),
  );
}

async function checkUnlessAdministrator(
  { database, config, auth }: Pick<SubscriptionCheck, 'database' | 'config' | 'auth'>,
  signal: AbortSignal,
): Promise<void> {
  // Without an answer the person counts as anybody: for the administrator the function asks nobody either.
  const { data: administers } = await database.rpc('is_admin').abortSignal(signal);
  if (administers === true) return;
  const request: typeof fetch = (input, init) => fetch(input, init);
  const send = createAuthorizedFetch({ auth, anonKey: config.supabaseAnonKey, request });
  const response = await send(`${config.supabaseUrl}/functions/v1/check-subscription`, { signal });
  if (!response.ok) log.warn('the subscription could not be checked', response.status);
}
