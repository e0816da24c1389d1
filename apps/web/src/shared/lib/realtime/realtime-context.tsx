import { createContext } from 'react';
import type { RealtimeSource } from './realtime-source.ts';

/** Fetches the client's code and connects. Rejects while the code cannot be fetched. */
export type OpenRealtime = () => Promise<RealtimeSource>;

/** Null where nobody listens: then the screens live on what they ask for. */
export const RealtimeContext = createContext<OpenRealtime | null>(null);
