import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLiveStore } from './live-context.tsx';

/** Who has a page open and does not look at it is not there any more after this long. Milliseconds. */
const AWAY_MS = 60_000;

/**
 * Shows the person in a private topic while the page is looked at.
 * @param key as whom; null: not at all.
 * @returns the keys that are there now, the person's own among them.
 */
export function useWhoIsThere(topic: string, key: string | null): readonly string[] {
  const store = useLiveStore();
  const control = useSyncExternalStore(store.subscribe, store.getControl);
  const away = useAway();
  const [keys, setKeys] = useState<readonly string[]>([]);
  useEffect(() => {
    if (control === null || key === null || away) return undefined;
    const leave = control.meet(topic, key, setKeys);
    return () => {
      leave();
      setKeys([]);
    };
  }, [control, topic, key, away]);
  return keys;
}

/** Whether nobody has looked at the page for a while. */
function useAway(): boolean {
  const [away, setAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') setAway(false);
      else timer = setTimeout(() => setAway(true), AWAY_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return away;
}
