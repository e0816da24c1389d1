import { vi } from 'vitest';
import type { Connection } from '../lib/connection/create-connection.ts';

/** A connection that is lost and found when a test says so. */
export function createFakeConnection(online = true) {
  const listeners = new Set<() => void>();
  let state = online;
  const fake = {
    isOnline: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    request: ((input, init) => fetch(input, init)) as typeof fetch,
    check: vi.fn(async () => state),
    stop: () => undefined,
    set: (next: boolean) => {
      state = next;
      for (const listener of [...listeners]) listener();
    },
  };
  return fake satisfies Connection;
}
