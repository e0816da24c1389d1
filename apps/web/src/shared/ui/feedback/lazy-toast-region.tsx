import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { log } from '../../lib/log.ts';
import { reconnectDelay } from '../../lib/realtime/reconnect-delay.ts';

type LoadRegion = () => Promise<{ readonly ToastRegion: ComponentType }>;
const loadRegion: LoadRegion = () => import('./toast-region.tsx');

/**
 * The toast region, fetched right after the first paint: no screen needs a toast before that. Without its code nothing can be told,
 * and everything else works: it is asked for until it comes.
 */
export function LazyToastRegion({ load = loadRegion }: { readonly load?: LoadRegion }) {
  const [ToastRegion] = useState(() => lazy(() => loadPatiently(load)));
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setPainted(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return painted ? (
    <Suspense>
      <ToastRegion />
    </Suspense>
  ) : null;
}

async function loadPatiently(load: LoadRegion) {
  for (let tries = 1; ; tries += 1) {
    try {
      return { default: (await load()).ToastRegion };
    } catch (reason) {
      log.warn('the notices could not be loaded', reason);
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(tries)));
    }
  }
}
