import { CACHE_MS } from '@linkoteca/domain/limits';
import {
  focusManager,
  MutationCache,
  onlineManager,
  type Query,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import { OfflineError } from './connection/offline-error.ts';
import { log } from './log.ts';

/**
 * The query cache with the specification's rules (sections 7 and 9). Failures are logged here and shown by the
 * screens; a refused write is part of the day (a wrong password, a full plan) and only a warning.
 */
export function createQueryClient(): QueryClient {
  focusManager.setEventListener(watchReturns);
  const queryClient = new QueryClient({
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
  readOutdatedAnswersAgain(queryClient);
  return queryClient;
}

/**
 * An invalidation begins a read anew, but not a first one that is under way, nor one that no screen waits for: the library takes the
 * answer for fresh, though it may be from before. It is outdated as it comes, and read again where it is on the screen.
 */
function readOutdatedAnswersAgain(queryClient: QueryClient): void {
  const outdated = new WeakSet<Query>();
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { action, query } = event;
    const { fetchStatus, data } = query.state;
    if (
      action.type === 'invalidate' &&
      fetchStatus === 'fetching' &&
      (data === undefined || !query.isActive())
    )
      outdated.add(query);
    else if (action.type === 'success' && !action.manual && outdated.delete(query))
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
}

/**
 * Who comes back asks for what is no longer fresh: from another tab, and from a window beside this one, of which the
 * page's visibility says nothing. A return that is heard of in both ways counts once.
 * @param look has the library look again whether the page is seen, and renew what is due.
 */
function watchReturns(look: () => void): () => void {
  let here = document.visibilityState === 'visible' && document.hasFocus();
  const leave = () => {
    here = false;
  };
  const arrive = () => {
    if (here) return;
    here = true;
    look();
  };
  const turn = () => {
    if (document.visibilityState === 'visible') return arrive();
    leave();
    look();
  };
  window.addEventListener('focus', arrive);
  window.addEventListener('blur', leave);
  window.addEventListener('visibilitychange', turn);
  return () => {
    window.removeEventListener('focus', arrive);
    window.removeEventListener('blur', leave);
    window.removeEventListener('visibilitychange', turn);
  };
}
