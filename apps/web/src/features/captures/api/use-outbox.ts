import { useCallback, useSyncExternalStore } from 'react';
import type { WaitingCapture } from '../model/capture.ts';
import { readCaptures, watchOutbox } from './outbox-store.ts';

const NONE: readonly WaitingCapture[] = [];

/** What was read last, for whom. */
let shown: { readonly userId: string; readonly captures: readonly WaitingCapture[] } | null = null;
let latest = 0;

async function refresh(userId: string, render: () => void): Promise<void> {
  latest += 1;
  const asked = latest;
  const captures = await readCaptures(userId);
  // An older answer says less.
  if (asked !== latest) return;
  const before = shown?.userId === userId ? shown.captures : null;
  if (before !== null && JSON.stringify(before) === JSON.stringify(captures)) return;
  shown = { userId, captures };
  render();
}

const renderers = new Set<() => void>();
const renderAll = () => {
  for (const render of [...renderers]) render();
};

/** The person's captures that wait on this device, the first one first; renders again when that changes, in any tab. */
export function useOutbox(userId: string): readonly WaitingCapture[] {
  const subscribe = useCallback(
    (render: () => void) => {
      renderers.add(render);
      const look = () => void refresh(userId, renderAll);
      const stop = watchOutbox(look);
      look();
      return () => {
        renderers.delete(render);
        stop();
      };
    },
    [userId],
  );
  return useSyncExternalStore(subscribe, () => (shown?.userId === userId ? shown.captures : NONE));
}
