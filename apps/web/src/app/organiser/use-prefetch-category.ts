import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { categoryRows } from '../../features/categories/model/category-rows.ts';
import { usePrefetchLinksOf } from '../../features/links/api/list-links.ts';
import { useUserId } from '../../shared/lib/session/session-context.tsx';

/** How long a pointer or the focus must rest before something is asked for: a pointer on its way asks nothing. */
const INTENT_MS = 50;

/**
 * Fetches a category's links and the code of its page before it is opened. Call it with the category that the pointer or
 * the focus is on, null when on none: the last call alone counts, and what is still fresh is not asked for again.
 */
export function usePrefetchCategory(): (categoryId: string | null, delayMs?: number) => void {
  const prefetchLinks = usePrefetchLinksOf();
  const router = useRouter();
  const queryClient = useQueryClient();
  const userId = useUserId();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const aim = useRef<string | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);

  return useCallback(
    (categoryId, delayMs = INTENT_MS) => {
      if (categoryId === aim.current && delayMs !== 0) return;
      aim.current = categoryId;
      clearTimeout(timer.current);
      if (categoryId === null) return;
      timer.current = setTimeout(() => {
        prefetchLinks(categoryId, categoryRows(queryClient, userId).find(categoryId)?.is_manual === true);
        // Code that cannot be fetched now is asked for again, and missed aloud, when the category is opened.
        router.preloadRoute({ to: '/category/$categoryId', params: { categoryId } }).catch(() => undefined);
      }, delayMs);
    },
    [prefetchLinks, router, queryClient, userId],
  );
}
