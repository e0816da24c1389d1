import { type ReactNode, useSyncExternalStore } from 'react';

let offer: ReactNode = null;
const listeners = new Set<() => void>();

/**
 * Puts the offer of a new version at the foot of every page; null takes it away. Whoever offers brings the element along:
 * its code could not be fetched any more once the new version has replaced it on the server.
 */
export function placeVersionOffer(next: ReactNode): void {
  offer = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The offer of a new version; null while there is none. */
export function useVersionOffer(): ReactNode {
  return useSyncExternalStore(subscribe, () => offer);
}
