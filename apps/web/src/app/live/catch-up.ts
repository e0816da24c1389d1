import type { Query, QueryClient } from '@tanstack/react-query';

/** First words of the keys of what the change feed keeps true. */
const KEPT_TRUE: ReadonlySet<unknown> = new Set([
  'folders',
  'categories',
  'links',
  'received-shares',
  'recent-links',
  'library-counts',
  'subscription',
  'search',
]);

/** Subscriptions come back together; they are answered together. Milliseconds. */
const TOGETHER_MS = 100;
/** When a server comes back, all its clients do: they ask spread over so long. Milliseconds. */
const SPREAD_MS = 2_000;

interface CatchUpOptions {
  readonly queryClient: QueryClient;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * After a time in which nobody listened, asks once for all that is on the screen and was read before; what is only
 * cached is asked for when somebody looks at it.
 */
export function catchUp({ queryClient, random }: CatchUpOptions) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (liveAt: number) => {
    // An answer from the middle of a write would take back what is shown ahead.
    if (queryClient.isMutating() > 0) {
      timer = setTimeout(refresh, TOGETHER_MS, liveAt);
      return;
    }
    const isOutdated = ({ queryKey, state }: Query) =>
      KEPT_TRUE.has(queryKey[0]) && (state.dataUpdatedAt < liveAt || state.fetchStatus === 'fetching');
    void queryClient.invalidateQueries({ predicate: isOutdated, refetchType: 'active' });
  };
  return {
    /** @param again false for the first time: the person has just come, and nobody else with them. */
    run: (again: boolean) => {
      clearTimeout(timer);
      timer = setTimeout(refresh, TOGETHER_MS + (again ? random() * SPREAD_MS : 0), Date.now());
    },
    stop: () => clearTimeout(timer),
  };
}
