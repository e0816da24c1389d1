import { CACHE_MS } from '@linkoteca/domain/limits';
import { focusManager, MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { OfflineError } from './connection/offline-error.ts';
import { log } from './log.ts';

/**
 * The query cache with the specification's rules (sections 7 and 9). Failures are logged here and shown by the
 * screens; a refused write is part of the day (a wrong password, a full plan) and only a warning.
 */
export function createQueryClient(): QueryClient {
  focusManager.setEventListener(watchReturns);
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
