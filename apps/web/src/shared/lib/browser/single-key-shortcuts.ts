import { useSyncExternalStore } from 'react';

const storageKey = 'linkoteca-single-keys';
const listeners = new Set<() => void>();
/** The choice in a browser without storage: it lasts as long as the page. */
let unstored = true;

/** Whether keys without Ctrl or Cmd do something. Who speaks to the computer turns them off: WCAG 2.1.4. */
export function singleKeysAreOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return unstored;
  }
}

/** The choice, remembered in this browser, and how to change it. */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, singleKeysAreOn), choose];
}

function choose(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    unstored = on;
  }
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Told of what another tab chooses.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
