import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isOnLayer, leaveLayer } from './back-layers.ts';

/**
 * Lets the system's way back (a phone's button or gesture) close what lies over the page instead of leaving the page.
 * While it is open it has a history entry of its own; closing it in any other way takes that entry away again.
 */
export function useBackCloses(open: boolean, close: () => void): void {
  const router = useRouter({ warn: false });
  const latest = useRef(close);
  latest.current = close;

  useEffect(() => {
    // Outside of a router there is no way back.
    if (!open || !router) return undefined;
    const { history } = router;
    if (!isOnLayer(history)) {
      const here = { to: '.', params: true, search: true, hash: true, resetScroll: false } as const;
      void router.navigate({ ...here, state: (state) => ({ ...state, layer: true }) });
    }
    const stop = history.subscribe(() => {
      if (!isOnLayer(history)) latest.current();
    });
    return () => {
      stop();
      if (isOnLayer(history)) leaveLayer(history);
    };
  }, [open, router]);
}
