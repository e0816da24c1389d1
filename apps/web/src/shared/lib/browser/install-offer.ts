import { useSyncExternalStore } from 'react';

/** What Chromium hands over when the app can be installed; not in the standard types yet. */
interface InstallEvent extends Event {
  readonly prompt: () => Promise<unknown>;
}

let offer: InstallEvent | null = null;
const listeners = new Set<() => void>();

function become(next: InstallEvent | null): void {
  offer = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for the menu entry. To be called before the page has loaded: the offer comes once. */
export function catchInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    // No banner of the browser's own: the entry waits in the menu.
    event.preventDefault();
    become(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => become(null));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Asks the browser to install the app; null where it cannot or has done so. */
export function useInstallOffer(): (() => void) | null {
  const current = useSyncExternalStore(subscribe, () => offer);
  if (current === null) return null;
  return () => {
    // It can be used once; the browser makes another when it sees fit.
    become(null);
    void current.prompt();
  };
}
