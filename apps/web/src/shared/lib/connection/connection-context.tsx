import { createContext, use, useSyncExternalStore } from 'react';
import type { Connection } from './create-connection.ts';

/** Null where nobody watches: then everything counts as reachable. */
export const ConnectionContext = createContext<Connection | null>(null);

export function useConnection(): Connection | null {
  return use(ConnectionContext);
}

const watchNothing = () => () => undefined;
const always = () => true;

/** Whether the services can be reached; renders again when that changes. */
export function useOnline(): boolean {
  const connection = use(ConnectionContext);
  return useSyncExternalStore(connection?.subscribe ?? watchNothing, connection?.isOnline ?? always);
}
