import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { InvalidationBus } from './invalidation-bus.ts';
import { KEPT_TRUE } from './outdated-reads.ts';

/** Subscriptions come back together; they are answered together. Milliseconds. */
const TOGETHER_MS = 100;
/** When a server comes back, all its clients do: they ask spread over so long. Milliseconds. */
const SPREAD_MS = 2_000;

interface GapOptions {
  readonly queryClient: QueryClient;
  readonly bus: InvalidationBus;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * After a time in which no changes were told, what was read before is outdated: also what is still being read, and what is patched or
 * answered between the end of the gap and the catching up, which says nothing of the changes that were missed.
 */
export function refetchAfterGap({ queryClient, bus, random }: GapOptions) {
  const outdated = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refetch = () => {
    bus.add(outdated.values());
    outdated.clear();
  };
  return {
    /** @param again false for the first time: the person has just come, and nobody else with them. */
    end: (again: boolean) => {
      for (const { queryHash, queryKey } of queryClient.getQueryCache().getAll())
        if (KEPT_TRUE.has(queryKey[0])) outdated.set(queryHash, queryKey);
      clearTimeout(timer);
      timer = setTimeout(refetch, TOGETHER_MS + (again ? random() * SPREAD_MS : 0));
    },
    stop: () => clearTimeout(timer),
  };
}
