import { useRouter } from '@tanstack/react-router';
import { useCallback, useLayoutEffect, useState } from 'react';

/** How far each list was scrolled when it was left. Pixels, by its key. */
const leftAt = new Map<string, number>();

/**
 * Brings the page back to where a list was left, by whatever way one returns to it.
 * @param key names the list.
 * @param ready true once the list has its height.
 * @returns tells where the page is or is about to be, for the list to draw its first frame there. Pixels.
 */
export function useScrollMemory(key: string, ready: boolean): () => number {
  const router = useRouter();
  const [offset] = useState(() => leftAt.get(key) ?? 0);

  useLayoutEffect(() => {
    if (!ready || offset === 0) return undefined;
    const restore = () => document.getElementById('page')?.scrollTo({ top: offset });
    // The router sends a new page to its top once it is rendered: after that, and before anything is painted.
    queueMicrotask(restore);
    const stop = router.subscribe('onRendered', () => {
      stop();
      restore();
    });
    return stop;
  }, [router, offset, ready]);

  useLayoutEffect(() => {
    const page = document.getElementById('page');
    const note = () => leftAt.set(key, page?.scrollTop ?? 0);
    // Heard while the list is there; what leaving itself does to the page comes too late to be noted.
    page?.addEventListener('scroll', note, { passive: true });
    return () => page?.removeEventListener('scroll', note);
  }, [key]);

  return useCallback(() => {
    const { location, resolvedLocation } = router.state;
    // Until then the page stands where the one before it was left.
    const isAtItsTop = resolvedLocation?.state.__TSR_key === location.state.__TSR_key;
    const reached = isAtItsTop ? document.getElementById('page')?.scrollTop : undefined;
    // Its reader may have scrolled before there was a list.
    return reached || (leftAt.get(key) ?? 0);
  }, [router, key]);
}
