import { useCallback, useSyncExternalStore } from 'react';

/** True under 768 px: the sidebar is a drawer and dialogs are sheets. */
export function useNarrowScreen(): boolean {
  return useMediaQuery('(width < 48rem)');
}

/** True from 1024 px on: beside the sidebar there is room for a second column. */
export function useWideScreen(): boolean {
  return useMediaQuery('(width >= 64rem)');
}

/** Whether a media query holds, and again whenever that changes: `useMediaQuery('(width < 768px)')`. */
function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}
