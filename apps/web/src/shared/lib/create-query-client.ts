import { CACHE_MS } from '@linkoteca/domain/limits';
import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { OfflineError } from './connection/offline-error.ts';
import { log } from './log.ts';

/**
 * The query cache with the specification's rules (sections 7 and 9). Failures are logged here and shown by the
 * screens; a refused write is part of the day (a wrong password, a full plan) and only a warning.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => log.error('read failed', query.queryKey, error),
    }),
    mutationCache: new MutationCache({
      // Before anything is shown: a write that cannot reach the service does not begin.
      onMutate: () => {
        if (!onlineManager.isOnline()) throw new OfflineError();
      },
      onError: (error) => log.warn('write failed', error),
    }),
    defaultOptions: {
      queries: {
        staleTime: CACHE_MS.fresh,
        gcTime: CACHE_MS.kept,
        refetchOnWindowFocus: true,
        refetchOnMount: true,
        refetchOnReconnect: true,
        retry: 1,
      },
      // Offline writes fail at once with their toast, instead of waiting unseen.
      mutations: { retry: 0, networkMode: 'always' },
    },
  });
}
