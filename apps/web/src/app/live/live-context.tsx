import { createContext, use, useSyncExternalStore } from 'react';
import type { LiveStore, LiveView } from './live-store.ts';

export const LiveContext = createContext<LiveStore | null>(null);

/** What is known of the change feed, and how to direct it. For screens of the shell. */
export function useLiveStore(): LiveStore {
  const store = use(LiveContext);
  if (!store) throw new Error('the change feed is only known inside the shell');
  return store;
}

/** How the change feed is; renders again when that changes. */
export function useLiveView(): LiveView {
  const store = useLiveStore();
  return useSyncExternalStore(store.subscribe, store.getView);
}
