import type { GoTrueClient } from '@supabase/auth-js';
import { createContext, use } from 'react';
import type { AppConfig } from '../load-app-config.ts';
import type { DatabaseClient } from './create-database-client.ts';
import type { AuthLink } from './read-auth-link.ts';

/** Everything that talks to the services. */
export interface Backend {
  readonly config: AppConfig;
  readonly auth: GoTrueClient;
  readonly database: DatabaseClient;
  /** How the person arrived, read before anything tidied the address. */
  readonly authLink: AuthLink;
}

export const BackendContext = createContext<Backend | null>(null);

/** The services' clients. For api/ hooks only: components call those. */
export function useBackend(): Backend {
  const backend = use(BackendContext);
  if (!backend) throw new Error('useBackend needs a BackendContext above it');
  return backend;
}

/** The table client. For api/ hooks only. */
export function useDatabase(): DatabaseClient {
  return useBackend().database;
}
