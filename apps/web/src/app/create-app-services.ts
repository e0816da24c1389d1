import { openStorage } from '../shared/lib/browser/open-storage.ts';
import type { Connection } from '../shared/lib/connection/create-connection.ts';
import { createConnection } from '../shared/lib/connection/create-connection.ts';
import { holdWhileOffline } from '../shared/lib/connection/hold-while-offline.ts';
import { probeServices } from '../shared/lib/connection/probe-services.ts';
import type { AppConfig } from '../shared/lib/load-app-config.ts';
import type { OpenRealtime } from '../shared/lib/realtime/realtime-context.tsx';
import type { SessionStore } from '../shared/lib/session/create-session-store.ts';
import { createSessionStore } from '../shared/lib/session/create-session-store.ts';
import { authStorageKey } from '../shared/lib/supabase/auth-storage-key.ts';
import type { Backend } from '../shared/lib/supabase/backend-context.tsx';
import { createAuthClient } from '../shared/lib/supabase/create-auth-client.ts';
import { readAuthLink } from '../shared/lib/supabase/read-auth-link.ts';

export interface AppServices {
  readonly backend: Backend;
  readonly session: SessionStore;
  /** Absent in tests that have no network to lose. */
  readonly connection?: Connection;
  /** Absent in tests that hear of nothing. */
  readonly openRealtime?: OpenRealtime;
}

/** Makes the clients and stores that live as long as the page. */
export function createAppServices(config: AppConfig): AppServices {
  const storage = openStorage();
  const verifierSaved = storage.getItem(`${authStorageKey(config.supabaseUrl)}-code-verifier`) !== null;
  const authLink = readAuthLink(window.location.href, verifierSaved);
  const connection = createConnection({
    request: (...request) => fetch(...request),
    probe: () => probeServices(config),
    deviceOnline: navigator.onLine,
  });
  const auth = createAuthClient(config, holdWhileOffline(connection));
  return {
    backend: { config, auth, authLink },
    session: createSessionStore({ auth, storage, connection }),
    connection,
    openRealtime: async () => {
      const { createRealtimeSource } = await import('../shared/lib/realtime/create-realtime-source.ts');
      return createRealtimeSource({ config, auth, connection });
    },
  };
}
