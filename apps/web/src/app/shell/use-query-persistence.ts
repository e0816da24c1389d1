import { hydrate, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { buildId } from '../../shared/lib/browser/build-id.ts';
import { whenIdle } from '../../shared/lib/browser/when-idle.ts';
import { useConnection, useOnline } from '../../shared/lib/connection/connection-context.tsx';
import { log } from '../../shared/lib/log.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';

/** First words of the keys of what is kept for offline: the library and what the frame around it shows. */
const KEPT: ReadonlySet<unknown> = new Set([
  'folders',
  'categories',
  'received-shares',
  'links',
  'favorites',
  'saved_searches',
  'search-totals',
  'tags',
  'recent-links',
  'library-counts',
  'subscription',
  'prices',
  'own-picture',
]);
const isKept = (queryKey: readonly unknown[]) => KEPT.has(queryKey[0]);

const loadKeeping = () => import('../../shared/lib/query-persistence/persist-queries.ts');
const loadReading = () => import('../../shared/lib/query-persistence/read-persisted-queries.ts');

/**
 * Keeps on this device what the person sees, and shows it while the services cannot be reached. Online nothing is read
 * back: the start is as fast as without it, and nobody sees yesterday's list for a moment.
 */
export function useQueryPersistence(): void {
  const queryClient = useQueryClient();
  const connection = useConnection();
  const online = useOnline();
  const userId = useUserId();
  const owner = useMemo(() => ({ userId, buildId: buildId() }), [userId]);

  useEffect(() => {
    if (!connection) return undefined;
    let stop: (() => void) | null = null;
    let over = false;
    const begin = async () => {
      const [{ persistQueries }] = await Promise.all([loadKeeping(), loadReading()]);
      if (!over) stop = persistQueries({ queryClient, owner, isKept });
    };
    const cancel = whenIdle(() => void begin().catch(() => undefined));
    return () => {
      over = true;
      cancel();
      stop?.();
    };
  }, [queryClient, connection, owner]);

  useEffect(() => {
    if (online) return undefined;
    const shown = new Set<string>();
    let over = false;
    const show = async () => {
      const { readPersistedQueries } = await loadReading();
      const queries = await readPersistedQueries(owner, Date.now());
      if (over) return;
      for (const { queryHash } of queries) shown.add(queryHash);
      // Until the network is back there is nowhere else to get it from.
      hydrate(queryClient, { queries: [...queries] }, { defaultOptions: { queries: { gcTime: Infinity } } });
    };
    void show().catch((reason) => log.warn('the queries kept on this device cannot be read', reason));
    return () => {
      over = true;
      queryClient.removeQueries({ type: 'inactive', predicate: ({ queryHash }) => shown.has(queryHash) });
      void queryClient.invalidateQueries();
    };
  }, [online, queryClient, owner]);
}
