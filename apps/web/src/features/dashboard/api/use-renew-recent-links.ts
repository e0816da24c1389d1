import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { recentLinksKey } from './list-recent-links.ts';

/**
 * Keeps the newest links true after writes anywhere: a list on the screen is asked for again, one that waits in the cache
 * is forgotten, so that the dashboard never shows what is gone by now.
 */
export function useRenewRecentLinks(): void {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return;
        const queryKey = [recentLinksKey];
        queryClient.removeQueries({ queryKey, type: 'inactive' });
        void queryClient.invalidateQueries({ queryKey });
      }),
    [queryClient],
  );
}
