import { useEffect } from 'react';
import { whenIdle } from './when-idle.ts';

/**
 * Fetches code that a press will need, once the browser has nothing better to do: the press is then answered in its own
 * frame, and also when the network has gone in the meantime. A failure is left to the press itself.
 * @param load fetches everything at once; it must be the same function on every render.
 */
export function useIdlePreload(load: () => Promise<unknown>): void {
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [load]);
}
